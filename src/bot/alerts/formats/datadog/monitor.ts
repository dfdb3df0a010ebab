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

const KINDS: ReadonlyMap<string, AlertKind> = new Map([
  ['recovered', 'resolved'],
  ['muted', 'not_an_alert'],
  ['unmuted', 'not_an_alert'],
]);

/** The parts of a monitor's title. */
interface MonitorTitle {
  /** `[P2] `, or nothing. */
  priority: string;
  /** `Triggered`, `Recovered` … */
  transition: string;
  /** The group in braces, where the title has one. */
  scope: string | undefined;
  name: string;
}

/** The parts of `[P2] [Warn on {host:web-14}] CPU high`; `null` if a text is no such title. */
export function titleParts(title: string): MonitorTitle | null {
  const [, priority = '', transition, scope, name] = TITLE.exec(title) ?? [];
  return transition === undefined || name === undefined ? null : { priority, transition, scope, name };
}

/** The kind of alert that a transition makes. */
export function transitionKind(transition: string): AlertKind {
  return KINDS.get(transition.toLowerCase()) ?? 'firing';
}

/** The card of a monitor: `Triggered: Name on host:x`. Its identity is the monitor and the group. */
export function extractMonitor(content: MessageContent): Alert | null {
  const titles = content.attachments.map((part) => ({ part, title: unescaped(plainText(part.title)) }));
  const found = titles.find(({ title }) => TITLE.test(title));
  const parts = titleParts(found?.title ?? '');
  if (found === undefined || parts === null) return null;

  const { part } = found;
  const { priority, transition, scope: scoped, name } = parts;
  const link = part.title_link;
  const own = attachmentText({ ...part, title: '', fallback: '', footer: '' });
  const scope = union(scoped === undefined ? scopeOfTitle(name) : scoped.split(/,\s?/u), scopeOfLink(link));
  const links = content.attachments.map((one) => `<${one.title_link}>`).join(' ');
  const title = toTitle(`${priority}${name}`);
  return {
    ...emptyAlert('datadog'),
    ...fromScope(scope, `${own}\n${links}`),
    kind: transitionKind(transition),
    title,
    description: toDescription(wordsOf(own), title),
    severity: monitorSeverity(`${priority}${name}`, transition),
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

/** The priority in a title; a warning is a medium one. */
export function monitorSeverity(name: string, transition: string): Severity | null {
  const priority = /\[(P[1-5])\]/iu.exec(name)?.[1];
  if (priority) return severityOf(priority);
  return transition.toLowerCase().includes('warn') ? 'medium' : null;
}

function union(first: Scope, second: Scope): Scope {
  return [...new Set([...first, ...second])];
}
