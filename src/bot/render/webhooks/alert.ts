import { cutAtWord, oneLine } from '../../../lib/text.ts';
import type { Alert } from '../../alerts/types.ts';
import { type SignView, signLine } from '../alerts/sign.ts';
import { date } from '../dates.ts';
import { bare, bold, clean, literal, quoted } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { body, link, looksLikeAddress, safeUrl } from '../links.ts';
import { context, type Rendered, section } from '../rendered.ts';
import { severityWords } from '../words.ts';

/** An alert that a webhook delivered. All texts are untrusted. */
export interface AlertView {
  alert: Pick<Alert, 'title' | 'description' | 'severity' | 'service' | 'environment' | 'alertUrl'>;
  labels: Readonly<Record<string, string>>;
  /** How many labels were left out already. */
  moreLabels?: number;
  links: readonly { text: string; url: string }[];
  /** What people call the tool that reported it. */
  tool: string;
  /** When it recovered, in milliseconds; `null` while it fires. */
  overAt: number | null;
  /** What became of it; `null` before. */
  sign: SignView | null;
}

const MAX_TITLE = 300;
const MAX_DESCRIPTION = 700;
const MAX_LABELS = 10;
const MAX_LABEL = 80;
const MAX_LINKS = 5;
/** What the rest of the message says already. */
const IN_HEADING = new Set(['alertname', 'severity', 'service', 'env', 'environment']);

/** The message of an alert: compact, because everything else goes into its thread. */
export function renderAlert({
  alert,
  labels,
  moreLabels = 0,
  links,
  tool,
  overAt,
  sign,
}: AlertView): Rendered {
  const title = cutAtWord(oneLine(clean(alert.title ?? `Alert from ${tool}`)), MAX_TITLE);
  const facts = [
    ...(alert.severity === null ? [] : [severityWords(alert.severity)]),
    ...[alert.service, alert.environment].flatMap((text) => (text === null ? [] : [word(text)])),
    ...(overAt === null ? [] : [`recovered ${date(overAt)}`]),
  ];
  const state = overAt === null ? '🚨' : '💚';
  const found = sign === null ? null : signLine(sign);
  const url = alert.alertUrl === null || safeUrl(alert.alertUrl) === null ? null : alert.alertUrl;
  // A link whose label looks like another address would show its own instead, and the title would be lost.
  const isLinked = url !== null && !looksLikeAddress(title);
  const heading = isLinked ? `*${link(url, title.replaceAll('*', '∗'))}*` : bold(title);
  const description = alert.description === null ? '' : cutAtWord(alert.description, MAX_DESCRIPTION);
  const pages = links.slice(0, MAX_LINKS).map(({ text, url }) => link(url, cutAtWord(text, MAX_LABEL)));
  if (url !== null && !isLinked) pages.unshift(link(url, 'Open the alert'));
  const words = labelWords(labels, moreLabels);
  return fitMessage({
    text: `${overAt === null ? '' : 'Recovered: '}${literal(title)} (${word(tool)})`,
    blocks: [
      section([`${state} ${heading}`, facts.join('  ·  ')].filter((line) => line !== '').join('\n')),
      ...(overAt !== null || bare(title).includes(bare(description)) ? [] : [section(body(description))]),
      ...(words === '' ? [] : [context(words)]),
      context([word(tool), ...pages].join('  ·  ')),
      ...(found === null ? [] : [context(found)]),
    ],
  });
}

function labelWords(labels: Readonly<Record<string, string>>, left: number): string {
  const known = Object.entries(labels).filter(
    ([name, value]) => !IN_HEADING.has(name.toLowerCase()) && value.trim() !== '',
  );
  const shown = known.slice(0, MAX_LABELS).map(([name, value]) => `${word(name)}: ${word(value)}`);
  const more = known.length - shown.length + left;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('  ·  ');
}

function word(text: string): string {
  return quoted(text, MAX_LABEL);
}
