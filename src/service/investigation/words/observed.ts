import type { Anomaly } from '../anomalies.ts';
import type { Candidate } from '../candidates.ts';
import { amount, duration, timeOfDay } from '../format.ts';
import type { Meaning, Observed } from '../kinds/kind.ts';
import type { LogPattern } from '../log-patterns.ts';
import { howOften, quoted } from './lines.ts';
import { movement, sinceWhen } from './movement.ts';

const MEANINGS: Readonly<Record<Meaning, string>> = {
  'nothing after': 'There are no samples after that.',
  'only instance': 'The only instance of its service that moved.',
  calls: 'Measured at the caller.',
  'as called': 'Measured by its callers.',
  'after expiry': 'Began after the certificate expired.',
  'before expiry': 'Began before the certificate expired.',
  'holds connections': 'Each query holds a connection while it runs.',
  'reads rows': 'Typical of queries that read far more rows than they return.',
  'no more requests': 'The request rate did not grow with it.',
  'memory limit': 'It reached its memory limit.',
  limit: 'The limit is {limit}.',
  'follows the CPU': 'Follows the rise in CPU usage.',
  'follows the memory': 'Follows the rise in memory usage.',
  'follows the disk': 'Follows the rise in disk usage.',
  'follows the connections': 'Follows the rise in connections.',
  'follows the traffic': 'Follows the rise in traffic.',
};

/** A piece of evidence in words: what it is, and when or how often. */
export function inWords(observed: Observed, candidate: Candidate): { title: string; description: string } {
  const service = candidate.node.name;
  switch (observed.type) {
    case 'metric': {
      const { anomaly, of, meaning } = observed;
      return metricInWords(of, anomaly, meaning === undefined ? '' : sentenceOf(meaning, anomaly, candidate));
    }
    case 'reason': {
      const { words, edge, anomaly } = observed.reason;
      const { unit } = anomaly.series.signal;
      const calls = edge === null ? `Requests to ${service}` : `Calls from ${edge.caller} to ${edge.callee}`;
      return {
        title: `${calls} fail with "${words}"`,
        description: `From ${amount(anomaly.before, unit)} to ${amount(anomaly.worst, unit)} at ${timeOfDay(anomaly.worstAt)}.`,
      };
    }
    case 'log':
      return logInWords(service, observed.pattern);
    case 'change': {
      const { change, lead, isAlerted } = observed;
      const what = change.kind === 'config' ? 'configuration change' : change.kind;
      const when = lead > 0 ? `${duration(lead)} before` : 'together with';
      return {
        title: `${change.title}, ${timeOfDay(change.at)}`,
        description: `This ${what} landed ${when} ${isAlerted ? 'the alert’s metric moved' : `the first symptoms in ${change.service}`}.`,
      };
    }
  }
}

/** A line that is new, and how often it came. */
export function logInWords(service: string, pattern: LogPattern): { title: string; description: string } {
  const what = pattern.level === 'error' ? 'error' : 'warning';
  const isNew = (pattern.before ?? 0) === 0;
  return {
    title: `${isNew ? `New ${what}` : `More ${what}s`} in the ${service} logs`,
    description: `\`${quoted(pattern.example)}\`: ${howOften(pattern)}, in the lines that were read.`,
  };
}

/** A movement of a metric and when it was, with an optional sentence about its meaning. */
export function metricInWords(
  of: string,
  anomaly: Anomaly,
  meaning = '',
): { title: string; description: string } {
  const isMoment = anomaly.profile.role === 'resource' && !anomaly.profile.creeps;
  const when = isMoment ? `At ${timeOfDay(anomaly.onset)}.` : period(anomaly);
  return { title: movement(of, anomaly), description: `${when} ${meaning}`.trim() };
}

function period(anomaly: Anomaly): string {
  const { onset, end } = anomaly;
  if (end === null) return `Ongoing ${sinceWhen(anomaly)}.`;
  return `From ${timeOfDay(onset)} to ${timeOfDay(end)}.`;
}

function sentenceOf(meaning: Meaning, { series }: Anomaly, candidate: Candidate): string {
  return MEANINGS[meaning].replace('{limit}', () => amount(candidate.limitOf(series) ?? 0, ''));
}
