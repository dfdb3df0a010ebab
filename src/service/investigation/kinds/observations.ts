import type { Change } from '../../telemetry/model.ts';
import type { Anomaly } from '../anomalies.ts';
import type { Candidate } from '../candidates.ts';
import { amount, duration, timeOfDay } from '../format.ts';
import type { LogPattern } from '../log-patterns.ts';
import type { Observation } from './types.ts';

/** `payments p95 latency rose from 180 ms to 2.4 s`, to begin a sentence. */
export function movement(service: string, anomaly: Anomaly): string {
  const { measure } = anomaly.profile;
  if (measure === 'restarts') return `A ${service} process restarted`;
  if (measure === 'oom-kills') return `${service} was OOM-killed`;
  if (measure === 'certificate') return `The ${service} certificate expired`;
  const { label } = anomaly.series.signal;
  const verb = anomaly.worst >= anomaly.before ? 'rose' : 'fell';
  return `${service} ${label} ${verb} from ${range(anomaly, ' to ')}`;
}

/** The same for a sentence that already names the service: `errors went from 0.25% to 22.5%`. */
export function shift(anomaly: Anomaly): string {
  const { measure } = anomaly.profile;
  if (measure === 'restarts') return 'a process restarted';
  if (measure === 'oom-kills') return 'it was OOM-killed';
  if (measure === 'certificate') return 'the certificate expired';
  const what = measure === 'errors' ? 'errors' : anomaly.series.signal.label;
  return `${what} went from ${range(anomaly, ' to ')}`;
}

/** The same for little space: `payments: p95 latency 180 ms → 2.4 s`. */
export function shortMovement(service: string, anomaly: Anomaly): string {
  const { profile, series } = anomaly;
  if (['restarts', 'oom-kills', 'certificate'].includes(profile.measure)) return movement(service, anomaly);
  return `${service}: ${series.signal.label} ${range(anomaly, ' → ')}`;
}

function range({ series, before, worst }: Anomaly, arrow: string): string {
  const { unit, label } = series.signal;
  // The noun appears once: `from 12 to 40 messages`, or not at all if it is in the label.
  const noun = /^\{(\w+)\}$/u.exec(unit)?.[1];
  const shown = noun !== undefined && label.includes(noun) ? '' : unit;
  const first = amount(before, shown);
  return `${shown.startsWith('{') ? first.replace(/ .*/u, '') : first}${arrow}${amount(worst, shown)}`;
}
/** An anomaly as an observation, with an optional sentence about its meaning. */
export function metricObservation(service: string, anomaly: Anomaly, meaning = ''): Observation {
  const moment = anomaly.profile.role === 'resource' && !anomaly.profile.creeps;
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

/** A change as an observation; `lead` is the time to the first symptom, in milliseconds. */
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

/** The candidate's worst symptom noticeable to callers. */
export function symptomOf(candidate: Candidate): Anomaly | undefined {
  return SYMPTOMS.map((measure) => candidate.anomaly(measure)).find((found) => found !== undefined);
}

const SYMPTOMS = ['errors', 'success', 'latency', 'queue', 'lag'] as const;

/** The highest share of its limit used, 0 to 1 and more; `null` if no limit is known. */
export function limitShare(candidate: Candidate, { series, worst }: Anomaly): number | null {
  const limit = series.signal.unit === '1' ? 1 : candidate.limitOf(series);
  return limit === null || limit <= 0 ? null : worst / limit;
}
