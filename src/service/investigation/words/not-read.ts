import type { Case } from '../case.ts';
import { joinNames } from '../format.ts';

/** What a verdict without a cause may have missed: which kinds of data were not read, and what would bring them. */
export function notReadSentence({ view, subject: { named, alerted }, sources }: Case): string {
  const { snapshot } = view;
  const about = named ?? 'it';
  const has = (...names: readonly string[]) => names.some((name) => sources.includes(name));
  const hasLogs =
    has('loki', 'victorialogs', 'elasticsearch', 'files', 'journald') || snapshot.logs.length > 0;
  const isStore = named !== null && STORES.has(view.node(named)?.kind ?? 'unknown');
  const missing = [
    ...(hasLogs || !has('prometheus') ? [] : ['log lines (LOKI_URL, VICTORIALOGS_URL or ELASTICSEARCH_URL)']),
    ...(isStore ? [`what ${about} says of itself: sessions, locks, statements (DATABASES)`] : []),
    ...(has('prometheus') && alerted.length === 0 ? ["the alert's own measure (no rule by its name)"] : []),
  ];
  return missing.length === 0 ? '' : ` Not read: ${joinNames(missing)}.`;
}

const STORES: ReadonlySet<string> = new Set(['database', 'cache', 'queue']);
