import type { Change } from '../../telemetry/telemetry.ts';
import type { Anomaly } from '../anomalies.ts';
import type { LogPattern } from '../log-patterns.ts';
import type { Suspect } from '../suspects.ts';
import { amount, duration, sentence, timeOfDay } from '../words.ts';
import type { Clue } from './types.ts';

/** Units of the metrics that the investigator understands, by metric. */
const UNITS: Readonly<Record<string, string>> = {
  'latency.p95': 'ms',
  'queue.depth': '{message}',
  'queue.oldest_age': 's',
  'connections.used': '',
  'certificate.remaining': 's',
  'process.restarts': '{restart}',
  'requests.rate': '{request}/s',
};

/** `p95 latency of payments rose from 180 ms to 2.4 s`. */
export function movement(service: string, { signal, before, worst }: Anomaly): string {
  const unit = UNITS[signal.metric] ?? '1';
  if (signal.metric === 'process.restarts') return `a process of ${service} was restarted`;
  if (signal.metric === 'certificate.remaining') return `the certificate of ${service} reached its end`;
  const verb = signal.bad === 'high' ? 'rose' : 'fell';
  return `${signal.label} of ${service} ${verb} from ${range(before, worst, unit, ' to ')}`;
}

/** The same for a small place: `payments: p95 latency 180 ms → 2.4 s`. */
export function shortMovement(service: string, anomaly: Anomaly): string {
  const { signal, before, worst } = anomaly;
  if (signal.role === 'resource' && !signal.creeps) return movement(service, anomaly);
  return `${service}: ${signal.label} ${range(before, worst, UNITS[signal.metric] ?? '1', ' → ')}`;
}

function range(before: number, worst: number, unit: string, arrow: string): string {
  // A noun stands once: `from 12 to 40 messages`.
  const first = amount(before, unit);
  return `${unit.startsWith('{') ? first.replace(/ .*/u, '') : first}${arrow}${amount(worst, unit)}`;
}

/** An anomaly as a clue, with an optional sentence on what it means. */
export function metricClue(service: string, anomaly: Anomaly, meaning = ''): Clue {
  const lasts = anomaly.end === null ? 'and it goes on' : `until ${timeOfDay(anomaly.end)}`;
  const moment = anomaly.signal.role === 'resource' && !anomaly.signal.creeps;
  const when = moment ? `At ${timeOfDay(anomaly.onset)}.` : `From ${timeOfDay(anomaly.onset)}, ${lasts}.`;
  return {
    type: 'metric',
    title: sentence(movement(service, anomaly)),
    description: `${when} ${meaning}`.trim(),
    anomaly,
  };
}

/** A new log line as a clue. */
export function logClue(service: string, pattern: LogPattern): Clue {
  return {
    type: 'log',
    title: `New ${pattern.level === 'error' ? 'error' : 'warning'} in the logs of ${service}`,
    description: `\`${pattern.example}\`, ${amount(pattern.count, '{time}')} in the sampled lines since ${timeOfDay(pattern.first)}, never in the time before.`,
    pattern,
  };
}

/** A change as a clue: how long before the first sign of trouble it was, in milliseconds. */
export function changeClue(change: Change, lead: number): Clue {
  const when = lead > 0 ? `${duration(lead)} before` : 'with';
  return {
    type: 'change',
    title: `${change.title}, ${timeOfDay(change.at)}`,
    description: `This ${change.kind === 'config' ? 'configuration change' : change.kind} of ${change.service} came ${when} the first sign of trouble there.`,
    change,
  };
}

/** The suspect's own new log line that matches, errors before warnings. */
export function lineAbout(suspect: Suspect, about: RegExp): LogPattern | undefined {
  const matching = suspect.ownLogs.filter(({ example }) => about.test(example));
  return matching.find(({ level }) => level === 'error') ?? matching[0];
}

/** The suspect's worst symptom as callers feel it. */
export function symptomOf(suspect: Suspect): Anomaly | undefined {
  return suspect.anomaly('errors.ratio') ?? suspect.anomaly('latency.p95') ?? suspect.anomaly('queue.depth');
}
