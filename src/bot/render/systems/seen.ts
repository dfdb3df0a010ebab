import type { KnownBlock } from '@slack/types';
import type { SystemsAnswer } from '../../../contract/schema.ts';
import { oneLine } from '../../../lib/text.ts';
import { clean, literal } from '../escape.ts';
import { fitMessage, notice } from '../fit.ts';
import { context, type Rendered, section } from '../rendered.ts';
import { count } from '../words.ts';

type ServiceView = SystemsAnswer['services'][number];

/** What a reader can do about metrics that no convention reads. */
export const NOT_UNDERSTOOD =
  'Metrics that I do not recognize are only compared with their own past; the file of SIGNALS can say what they measure.';

/** `venue: requests, errors, latency by route; no calls, no saturation`, with the first names of what is not understood. */
export function seenLine(
  { name, seen, missing, unread }: Omit<ServiceView, 'readFrom'>,
  named: number,
): string {
  const more = unread.length > named ? ', …' : '';
  const names = named === 0 ? '' : ` (${unread.slice(0, named).join(', ')}${more})`;
  const what = `${count(unread.length, 'metric')} ${unread.length === 1 ? 'is' : 'are'} not recognized${names}`;
  const parts = [
    seen.join(', '),
    missing.map((one) => `no ${one}`).join(', '),
    unread.length === 0 ? '' : what,
  ];
  const said = parts.filter((part) => part !== '').join('; ');
  return `${name}: ${said || 'nothing except that it exists'}`;
}

/** Slack takes 50 blocks. */
const MOST_SERVICES = 40;
const MOST_NAMED = 40;

/** The answer of `/gumshoe systems`; with the name of a service, all of it. Names and notes are untrusted. */
export function renderSeen(answer: SystemsAnswer | null, wanted: string): Rendered {
  if (answer === null)
    return notice(
      'The service does not say what it sees: it is not Gumshoe’s own, or it is an older version.',
    );
  const { services, notes } = answer;
  const fitting = services.filter(({ name }) => wanted === '' || name.toLowerCase() === wanted.toLowerCase());
  const text = (line: string) => literal(oneLine(clean(line)));
  if (fitting.length === 0 && services.length > 0)
    return notice(
      `I see no service ${text(wanted)}. I see: ${text(services.map(({ name }) => name).join(', '))}.`,
    );
  const unread = fitting.some((one) => one.unread.length > 0);
  const more = fitting.length - MOST_SERVICES;
  const head =
    services.length === 0
      ? 'I see no service.'
      : wanted === ''
        ? `*What I see of ${count(fitting.length, 'service')}*`
        : `*What I see of ${text(wanted)}*`;
  const blocks: KnownBlock[] = [
    section(head),
    ...fitting
      .slice(0, MOST_SERVICES)
      .flatMap((one) => [
        section(text(seenLine(one, wanted === '' ? 3 : MOST_NAMED))),
        ...(wanted === '' || one.readFrom.length === 0
          ? []
          : [section(['*Read from*', ...one.readFrom.map((line) => `• ${text(line)}`)].join('\n'))]),
      ]),
    ...[
      ...(more > 0 ? [`${count(more, 'more service')}: \`/gumshoe systems NAME\`.`] : []),
      ...notes.map(text),
      ...(unread ? [NOT_UNDERSTOOD] : []),
    ].map((line) => context(line)),
  ];
  return fitMessage({ text: head, blocks });
}
