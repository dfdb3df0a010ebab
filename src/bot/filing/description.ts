import { atService, type IssueNumber, type Organization } from '../../lib/issue-number.ts';
import { cutAtWord, oneLine } from '../../lib/text.ts';
import type { Alert } from '../alerts/types.ts';

/** The contract sets no limit; a description is read by people and by an agent. */
const MAX_WORDS = 20_000;
const MAX_FACT = 500;

/** A resolved issue of the same alert. */
export interface Earlier {
  /** The number people see: `#12`. */
  number: IssueNumber;
  /** Milliseconds since 1970. */
  resolvedAt: number;
  rootCause: string | null;
}

/**
 * An alert's own text, then its facts as a list, then its earlier issue, in Markdown.
 *
 * @param organization whose agent will read it: another organisation's issue numbers mean nothing there
 */
export function describeAlert(
  alert: Alert,
  title: string,
  earlier: Earlier | null,
  organization: Organization = 'default',
): string {
  const words = cutAtWord((alert.description ?? '').trim(), MAX_WORDS);
  const list = factsOf(alert).map(([name, value]) => `- ${name}: ${cutAtWord(oneLine(value), MAX_FACT)}`);
  return [words || title, list.join('\n'), ...(earlier ? [earlierLine(earlier, organization)] : [])].join(
    '\n\n',
  );
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

function earlierLine({ number, resolvedAt, rootCause }: Earlier, organization: Organization): string {
  const there = atService(number);
  const name = there.organization === organization ? `#${there.number}` : 'an issue of another organisation';
  const cause = cutAtWord(oneLine(rootCause ?? ''), MAX_FACT);
  return `Earlier: ${name}, resolved ${new Date(resolvedAt).toISOString()}${cause ? `: ${cause}` : ''}`;
}
