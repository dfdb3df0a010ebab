import { emptyAlert } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { statedValue } from '../../labels.ts';
import type { MessageContent } from '../../message-content.ts';
import { plainText } from '../../slack-text.ts';
import { toDescription, toErrorMessage, toTitle } from '../../text-fields.ts';
import { isoTimestamp } from '../../timestamps.ts';
import type { Alert, AlertKind } from '../../types.ts';

const TITLE = /^\s*\[(Alerting|OK|No[ _]?Data|Pending|Paused|Unknown)\]\s*(.*)$/isu;
const KINDS: ReadonlyMap<string, AlertKind> = new Map([
  ['alerting', 'firing'],
  ['nodata', 'firing'],
  ['ok', 'resolved'],
]);

/** The kind for a rule's state, such as `alerting` or `No Data`. */
export function legacyKind(state: string): AlertKind {
  return KINDS.get(state.toLowerCase().replace(/[ _]/gu, '')) ?? 'not_an_alert';
}

/** Grafana before unified alerting: `[Alerting] Rule`, and fields that are metrics with numbers. */
export function extractLegacy(content: MessageContent): Alert | null {
  const part = content.attachments.find(
    (one) => isLegacy(one.footer, content.names, one.title_link) && TITLE.test(plainText(one.title)),
  );
  const [, word, rule] = TITLE.exec(plainText(part?.title ?? '')) ?? [];
  if (part === undefined || word === undefined || rule === undefined) return null;

  const title = toTitle(rule);
  const base = { ...emptyAlert('grafana'), title };
  if (/^test notification$/iu.test(rule.trim())) return base;
  const metrics = part.fields.map((field) => `${field.title}: ${field.value}`);
  return {
    ...base,
    kind: legacyKind(word),
    description: toDescription([part.text, ...metrics].join('\n'), title),
    triggeredAt: isoTimestamp((part.ts ?? Number.NaN) * 1000),
    alertUrl: part.title_link || null,
    errorMessage:
      toErrorMessage(statedValue(content.facts, 'error message')) ?? toErrorMessage(plainText(part.text)),
    fingerprint: legacyFingerprint(part.title_link, rule),
  };
}

function isLegacy(footer: string, names: readonly string[], link: string): boolean {
  return (
    /^Grafana v[4-8]\b/u.test(footer) ||
    names.includes('Grafana') ||
    /[?&](?:tab=alert|viewPanel=)/u.test(link)
  );
}

/** A rule's identity: its dashboard, its panel and its name. */
export function legacyFingerprint(link: string, rule: string): string {
  return fingerprintOf('grafana', 'legacy', panelOf(link), rule.trim());
}

/** The dashboard and the panel that a rule lives in. */
function panelOf(link: string): string {
  const dashboard = /\/d\/([\w-]+)/u.exec(link)?.[1] ?? '';
  const panel = /[?&](?:editPanel|viewPanel|panelId)=(\d+)/u.exec(link)?.[1] ?? '';
  return `${dashboard}/${panel}`;
}
