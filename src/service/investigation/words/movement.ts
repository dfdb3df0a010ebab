import { ALERT_RULE_SIGNAL } from '../../telemetry/model.ts';
import type { Anomaly } from '../anomalies.ts';
import { duration, measuredBoth, timeOfDay } from '../format.ts';

/**
 * `payments p95 latency rose from 180 ms to 2.4 s`, to begin a sentence. The numbers are those of the service that the
 * series is about, or of `instance`.
 */
export function movement(instance: string, anomaly: Anomaly): string {
  const { measure } = anomaly.profile;
  const { edge, signal, service: own, instance: part } = anomaly.series;
  const service = part === instance ? instance : own;
  if (measure === 'restarts') return `A ${service} process restarted`;
  if (measure === 'oom-kills') return `${service} was OOM-killed`;
  if (measure === 'certificate') return `The ${service} certificate expired`;
  const verb = anomaly.worst >= anomaly.before ? 'rose' : 'fell';
  const who = edge === null ? service : `Calls from ${edge.caller} to ${edge.callee}:`;
  if (signal.id === ALERT_RULE_SIGNAL)
    return `What the alert measures of ${service} ${verb} from ${range(anomaly, ' to ')}`;
  return `${who} ${signal.label} ${verb} from ${range(anomaly, ' to ')}`;
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

/** What followed a change: `errors went from 0.25% to 22.5%, starting 40 s later, with the peak at 14:20 UTC`. */
export function aftermath(anomaly: Anomaly, lead: number): string {
  const peak =
    anomaly.worstAt - anomaly.onset > PEAK_LATER
      ? `, with the ${anomaly.worst < anomaly.before ? 'lowest' : 'peak'} at ${timeOfDay(anomaly.worstAt)}`
      : '';
  return `${shift(anomaly)}, ${lead < 1_000 ? '' : 'starting '}${soon(lead)}${peak}`;
}

/** `at once`, `40 s later`. */
export function soon(lead: number): string {
  return lead < 1_000 ? 'at once' : `${duration(lead)} later`;
}

/** So long without a sample, what began after it may have begun at any time in between. */
const LONG = 10 * 60_000;

/** `at 14:20 UTC`; `before 14:20 UTC` where what was read does not show when. */
export function began(anomaly: Anomaly): string {
  return `${isOlder(anomaly) ? 'before' : 'at'} ${timeOfDay(anomaly.onset)}`;
}

/** `since 14:20 UTC`, `since before 14:20 UTC`. */
export function sinceWhen(anomaly: Anomaly): string {
  return `since ${isOlder(anomaly) ? 'before ' : ''}${timeOfDay(anomaly.onset)}`;
}

function isOlder({ series: { points }, onset, profile }: Anomaly): boolean {
  const first = points.times.findIndex((at) => at >= onset);
  const last = points.times[first - 1];
  // A series of failures may begin with them; what creeps was there before.
  return last === undefined ? first === 0 && profile.creeps === true : onset - last > LONG;
}

/** A peak this many milliseconds after the onset is another moment. */
const PEAK_LATER = 60_000;

/** The same for little space: `payments: p95 latency 180 ms → 2.4 s`. */
export function shortMovement(service: string, anomaly: Anomaly): string {
  const { profile, series } = anomaly;
  if (['restarts', 'oom-kills', 'certificate'].includes(profile.measure)) return movement(service, anomaly);
  const { edge } = series;
  const who = edge === null ? service : `calls to ${edge.callee}`;
  return `${who}: ${series.signal.label} ${range(anomaly, ' → ')}`;
}

function range({ series, before, worst }: Anomaly, arrow: string): string {
  const { unit, label } = series.signal;
  // The noun appears once: `from 12 to 40 messages`, or not at all if it is in the label.
  const noun = /^\{(\w+)\}$/u.exec(unit)?.[1];
  const shown = noun !== undefined && label.includes(noun) ? '' : unit;
  const [first, last] = measuredBoth(before, worst, { ...series.signal, unit: shown });
  return `${shown.startsWith('{') ? first.replace(/ .*/u, '') : first}${arrow}${last}`;
}
