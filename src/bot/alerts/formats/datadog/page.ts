import { emptyAlert } from '../../empty-alert.ts';
import { factsOf, normalizedName } from '../../facts.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { statedValue } from '../../labels.ts';
import type { MessageContent } from '../../message-content.ts';
import { severityOf } from '../../severity.ts';
import { linksOf, plainText, withoutMarkup } from '../../slack-text.ts';
import { toDescription, toErrorMessage, toTitle } from '../../text-fields.ts';
import type { Alert, AlertKind } from '../../types.ts';
import { identityOf } from './monitor.ts';
import {
  fromScope,
  lastTriggered,
  paragraphsOf,
  scopeOfLink,
  scopeOfTitle,
  wordsOf,
} from './monitor-text.ts';

const TITLE = /\bPage #(\d+)(?::| -|\|)?\s*([^\n]*)/u;
const PAGE_LINK = /\/on-call\/pages\/(\d+)/u;
const HEADINGS = new Set([
  'status',
  'urgency',
  'team',
  'responder',
  'responders',
  'description',
  'service',
  'escalation policy',
]);

/** A page of Datadog On-Call: `Page #n: …` with its status, in an attachment's text or blocks. Edited as it goes on. */
export function extractPage(content: MessageContent): Alert | null {
  const { body } = content;
  const heads = [...content.attachments.flatMap((part) => [part.title, part.fallback]), body].map((text) =>
    withoutMarkup(plainText(text)),
  );
  const [, number, name] = heads.map((head) => TITLE.exec(head)).find((match) => match !== null) ?? [];
  const sections = sectionsOf(body);
  const status = sections.get('status');
  if (number === undefined || status === undefined) return null;

  const links = [
    ...content.attachments.map((part) => part.title_link),
    ...linksOf(body).map(({ url }) => url),
  ];
  const link = links.find((url) => PAGE_LINK.test(url)) ?? null;
  const monitor = links.find((url) => /\/monitors\/\d/u.test(url));
  const scope = scopeOfTitle(name ?? '');
  const words = sections.get('description') ?? '';
  const facts = factsOf(words);
  const fields = fromScope(scope, '');
  const title = toTitle(name ?? '') ?? `Page #${number}`;
  return {
    ...emptyAlert('datadog'),
    ...fields,
    kind: kindOf(status),
    title,
    description: toDescription(wordsOf(words), title),
    severity: severityOf(withoutMarkup(plainText(sections.get('urgency') ?? ''))),
    service: fields.service ?? (plainText(sections.get('service') ?? '').trim() || null),
    triggeredAt: lastTriggered(words),
    alertUrl: link,
    host: fields.host ?? statedValue(facts, 'host', 'server'),
    errorMessage: toErrorMessage(
      statedValue(facts, 'event', 'message', 'error') ?? paragraphsOf(words)[0] ?? null,
    ),
    fingerprint:
      monitor === undefined
        ? fingerprintOf('datadog', 'page', number)
        : identityOf(monitor, scopeOfLink(monitor).length > 0 ? scopeOfLink(monitor) : scope, title),
  };
}

function kindOf(status: string): AlertKind {
  const word = withoutMarkup(plainText(status)).toLowerCase();
  if (word.startsWith('resolved')) return 'resolved';
  return word.startsWith('acknowledged') ? 'not_an_alert' : 'firing';
}

/** `*Status:*` and what is below or beside it, up to the next heading of a page. */
function sectionsOf(text: string): Map<string, string> {
  const sections = new Map<string, string>();
  let name = '';
  for (const line of text.split('\n')) {
    const [, label = '', beside = ''] = /^\s*\*([A-Za-z ]{2,30}):?\*:?\s*(.*)$/u.exec(line) ?? [];
    const heading = HEADINGS.has(normalizedName(label));
    if (heading) name = normalizedName(label);
    if (name !== '') sections.set(name, `${sections.get(name) ?? ''}${heading ? beside : `\n${line}`}`);
  }
  return sections;
}
