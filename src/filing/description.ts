import type { Alert } from '../alerts/types.ts';
import { cutAtWord, oneLine } from '../lib/text.ts';

/** The contract sets no bound; a description is read by people and by an agent. */
const MAX_WORDS = 20_000;
const MAX_FACT = 500;

/** An issue that the same alert had before, which was resolved. */
export interface Earlier {
  /** As people know it: `#12`. */
  number: number;
  /** Milliseconds since 1970. */
  resolvedAt: number;
  rootCause: string | null;
}

/** An alert's own words, then its facts as a list, then its earlier issue. Markdown. */
export function describeAlert(alert: Alert, title: string, earlier: Earlier | null): string {
  const words = cutAtWord((alert.description ?? '').trim(), MAX_WORDS);
  const list = factsOf(alert).map(([name, value]) => `- ${name}: ${cutAtWord(oneLine(value), MAX_FACT)}`);
  return [words || title, list.join('\n'), ...(earlier ? [earlierLine(earlier)] : [])].join('\n\n');
}

function factsOf(alert: Alert): [name: string, value: string][] {
  const error = [alert.errorType, alert.errorMessage].filter((part) => part !== null).join(': ');
  const facts: [string, string | null][] = [
    ['State', alert.kind === 'not_an_alert' ? null : alert.kind],
    ['Severity', alert.severity],
    ['Environment', alert.environment],
    ['Service', alert.service],
    ['Host', alert.host],
    ['Region', alert.region],
    ['Version', alert.version],
    ['Trace', alert.traceId],
    ['Span', alert.spanId],
    ['Error', error],
    ['Alert', alert.alertUrl],
  ];
  return facts.flatMap(([name, value]) => (value?.trim() ? [[name, value]] : []));
}

function earlierLine({ number, resolvedAt, rootCause }: Earlier): string {
  const cause = cutAtWord(oneLine(rootCause ?? ''), MAX_FACT);
  return `Earlier: #${number}, resolved ${new Date(resolvedAt).toISOString()}${cause ? `: ${cause}` : ''}`;
}
