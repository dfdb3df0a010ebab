import { emptyAlert } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { attachmentText, type MessageContent } from '../../message-content.ts';
import { severityOf } from '../../severity.ts';
import { plainText, unescaped, withoutMarkup } from '../../slack-text.ts';
import { toDescription, toErrorMessage, toTitle } from '../../text-fields.ts';
import type { Alert, AlertKind, Severity } from '../../types.ts';
import { queryParameter } from '../../urls.ts';
import {
  fromScope,
  lastTriggered,
  paragraphsOf,
  type Scope,
  scopeOfLink,
  scopeOfTitle,
  sentenceOf,
  wordsOf,
} from './monitor-text.ts';

const TITLE =
  /^\s*(\[P[1-5]\]\s*)?\[?(Re-?Triggered|Triggered|Re-?Warn|Warning|Warn|Recovered|Re-?No[ -]?data|No[ -]?data|Muted|Unmuted)\b(?: on \{([^}]*)\})?(?:\]:?|:)\s*(.*)$/isu;

const KINDS: Readonly<Record<string, AlertKind>> = {
  recovered: 'resolved',
  muted: 'not_an_alert',
  unmuted: 'not_an_alert',
};

/** The card of a monitor: `Triggered: Name on host:x`. Its identity is the monitor and the group. */
export function extractMonitor(content: MessageContent): Alert | null {
  const titles = content.attachments.map((part) => ({ part, title: unescaped(plainText(part.title)) }));
  const found = titles.find(({ title }) => TITLE.test(title));
  const [, priority, word, scoped, name] = TITLE.exec(found?.title ?? '') ?? [];
  if (found === undefined || word === undefined || name === undefined) return null;

  const { part } = found;
  const link = part.title_link;
  const own = attachmentText({ ...part, title: '', fallback: '', footer: '' });
  const scope = union(scoped === undefined ? scopeOfTitle(name) : scoped.split(/,\s?/u), scopeOfLink(link));
  const transition = word.toLowerCase();
  const links = content.attachments.map((one) => `<${one.title_link}>`).join(' ');
  const title = toTitle(`${priority ?? ''}${name}`);
  return {
    ...emptyAlert('datadog'),
    ...fromScope(scope, `${own}\n${links}`),
    kind: KINDS[transition] ?? 'firing',
    title,
    description: toDescription(wordsOf(own), title),
    severity: severity(priority ?? name, transition),
    triggeredAt: lastTriggered(own),
    alertUrl: link || null,
    errorMessage: toErrorMessage(sentenceOf(paragraphsOf(own))),
    tags: scope,
    fingerprint: identityOf(link, scope, name),
  };
}

/** Monitor and group: never an event's id nor a time, which differ from one notification to the next. */
export function identityOf(link: string, scope: Scope, name: string): string {
  const monitor =
    /\/monitors\/(\d+)/u.exec(link)?.[1] ?? queryParameter(link, 'link_monitor_id') ?? withoutMarkup(name);
  return fingerprintOf('datadog', monitor, [...new Set(scope)].sort().join(','));
}

function severity(name: string, transition: string): Severity | null {
  const priority = /\[(P[1-5])\]/iu.exec(name)?.[1];
  if (priority) return severityOf(priority);
  return transition.includes('warn') ? 'medium' : null;
}

function union(first: Scope, second: Scope): Scope {
  return [...new Set([...first, ...second])];
}
