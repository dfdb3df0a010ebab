import type { Change } from '../../telemetry/telemetry.ts';
import type { Anomaly } from '../anomalies.ts';
import type { Candidate } from '../candidates.ts';
import { amount, duration, timeOfDay } from '../format.ts';
import type { LogPattern } from '../log-patterns.ts';
import type { Observation } from './types.ts';

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

/** `payments p95 latency rose from 180 ms to 2.4 s`, to begin a sentence with. */
export function movement(service: string, { signal, before, worst }: Anomaly): string {
  const unit = UNITS[signal.metric] ?? '1';
  if (signal.metric === 'process.restarts') return `A ${service} process restarted`;
  if (signal.metric === 'certificate.remaining') return `The ${service} certificate expired`;
  const verb = signal.bad === 'high' ? 'rose' : 'fell';
  return `${service} ${signal.label} ${verb} from ${range(before, worst, unit, ' to ')}`;
}

/** The same inside a sentence that names the service already: `errors went from 0.25% to 22.5%`. */
export function shift({ signal, before, worst }: Anomaly): string {
  if (signal.metric === 'process.restarts') return 'a process restarted';
  if (signal.metric === 'certificate.remaining') return 'the certificate expired';
  const what = signal.metric === 'errors.ratio' ? 'errors' : signal.label;
  return `${what} went from ${range(before, worst, UNITS[signal.metric] ?? '1', ' to ')}`;
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

/** An anomaly as an observation, with an optional sentence on what it means. */
export function metricObservation(service: string, anomaly: Anomaly, meaning = ''): Observation {
  const moment = anomaly.signal.role === 'resource' && !anomaly.signal.creeps;
  const when = moment ? `At ${timeOfDay(anomaly.onset)}.` : period(anomaly);
  return {
    type: 'metric',
    title: movement(service, anomaly),
    description: `${when} ${meaning}`.trim(),
    anomaly,
  };
}

function period({ onset, end }: Anomaly): string {
  if (end === null) return `Ongoing since ${timeOfDay(onset)}.`;
  return `From ${timeOfDay(onset)} to ${timeOfDay(end)}.`;
}

/** A new log line as an observation. */
export function logObservation(service: string, pattern: LogPattern): Observation {
  return {
    type: 'log',
    title: `New ${pattern.level === 'error' ? 'error' : 'warning'} in the ${service} logs`,
    description: `\`${pattern.example}\`: logged ${amount(pattern.count, '{time}')} in the sample since ${timeOfDay(pattern.first)}, never before that.`,
    pattern,
  };
}

/** A change as an observation: how long before the first symptom it was, in milliseconds. */
export function changeObservation(change: Change, lead: number): Observation {
  const what = change.kind === 'config' ? 'configuration change' : change.kind;
  const when = lead > 0 ? `${duration(lead)} before` : 'together with';
  return {
    type: 'change',
    title: `${change.title}, ${timeOfDay(change.at)}`,
    description: `This ${what} landed ${when} the first symptoms in ${change.service}.`,
    change,
  };
}

/** The candidate's own new log line that matches, errors before warnings. */
export function lineAbout(candidate: Candidate, about: RegExp): LogPattern | undefined {
  const matching = candidate.ownLogs.filter(({ example }) => about.test(example));
  return matching.find(({ level }) => level === 'error') ?? matching[0];
}

/** The candidate's worst symptom as callers feel it. */
export function symptomOf(candidate: Candidate): Anomaly | undefined {
  return (
    candidate.anomaly('errors.ratio') ?? candidate.anomaly('latency.p95') ?? candidate.anomaly('queue.depth')
  );
}
