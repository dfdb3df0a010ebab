import type { Candidate } from '../candidates.ts';
import { amount, amounts, joinNames, measured, timeOfDay } from '../format.ts';
import { isProven } from '../kinds/changes.ts';
import type { KindName, Pool, Recognized } from '../kinds/kind.ts';
import { howOften, quoted } from './lines.ts';
import { aftermath, began, shift, sinceWhen, soon } from './movement.ts';

interface Words {
  /** The cause in a few words, without a capital: `bad deploy of payments`. More precise if what was seen is given. */
  headline(service: string, of?: Seen): string;
  /** What happened, with times and numbers; follows the headline and a colon. */
  detail(of: Seen): string;
}

interface Seen {
  candidate: Candidate;
  assessment: Recognized;
}

/** `errors went from 0.2% to 12% at 14:02 UTC`. */
function shiftAt(anomaly: Parameters<typeof shift>[0] | undefined): string {
  return anomaly === undefined ? '' : `${shift(anomaly)} ${began(anomaly)}`;
}

function logs({ assessment: { signs } }: Seen): string {
  return signs.line ? `, and it logs "${quoted(signs.line.example)}"` : '';
}

/** Whether what it logs says more of why than what was measured does. */
function complains({ candidate, assessment: { signs } }: Seen): boolean {
  return signs.line !== undefined && signs.line === candidate.complaints[0];
}

function isShown({ candidate, assessment: { signs } }: Seen): boolean {
  return signs.change !== undefined && isProven(candidate, signs.change);
}

/** What followed a change, and what proves that it is the cause, or that nothing does. */
function afterwards(of: Seen): string {
  const { symptom, lead = 0, isAlerted } = of.assessment.signs;
  const what = isAlerted ? `the alert’s metric moved ${soon(lead)}` : symptom ? aftermath(symptom, lead) : '';
  const { brokenCalls, node } = of.candidate;
  const call = brokenCalls.find(({ edge }) => edge.caller === node.name);
  const calls = call === undefined ? '' : `; ${callsOf(call)}`;
  return `${what}${calls}; ${proofOf(of)}`;
}

function callsOf({ edge: { caller, callee }, anomaly }: Candidate['brokenCalls'][number], why = ''): string {
  return `calls from ${caller} to ${callee}: ${shiftAt(anomaly)}${why}, while ${callee} itself answers as usual`;
}

function proofOf(of: Seen): string {
  const { proof } = of.candidate;
  if (!isShown(of) || proof === null) return 'not proven to be the cause';
  const { proof: how } = proof;
  if (how.kind === 'rollback') return `it ended with the rollback at ${timeOfDay(how.at)}`;
  if (how.kind === 'version') {
    const { signal, is, was, newer, older } = how;
    return `${signal.label} is ${measured(is, signal)} on ${instances(newer)} with it and ${measured(was, signal)} on ${instances(older)} without it, at the same time`;
  }
  if (how.kind === 'climb') {
    const { series, foot, full } = how.climb;
    const [was, is] = amounts(foot.value, full.value, series.signal.unit);
    return `${series.signal.label} was steady until then, and has climbed from ${was} to ${is} since`;
  }
  const touches = how.kind === 'frame' ? 'touched' : 'contains';
  return `${how.service} logs \`${quoted(how.line)}\`, and only this change ${touches} \`${how.quote}\``;
}

function instances(count: number): string {
  return count === 1 ? 'the one instance' : `the ${count} instances`;
}

function stateOf(pool: Pool): string {
  return pool.isFull ? fullness(pool) : shiftAt(pool.worst);
}

function fullness({ used, limit }: Pool & { isFull: true }): string {
  return `${amount(used.worst, '')} of ${amount(limit, '')} connections in use since ${timeOfDay(used.worstAt)}`;
}

/** How the climb of memory ended. A restart is no proof of an OOM kill, and what came before the climb ended another one. */
function endOfClimb({ worst, killed, restarts }: Recognized['signs']): string {
  if (killed) return `, and the process was OOM-killed at the limit at ${timeOfDay(killed.worstAt)}`;
  if (!restarts || (worst && restarts.worstAt < worst.onset)) return '';
  return `, and a process restarted at ${timeOfDay(restarts.worstAt)}`;
}

export const WORDS: Readonly<Record<KindName, Words>> = {
  'bad deploy': {
    headline: (service, of) =>
      of && isShown(of) ? `bad deploy of ${service}` : `degradation of ${service} after a deploy`,
    detail: (of) => {
      const { change } = of.assessment.signs;
      return `${change?.version ?? 'a new version'} rolled out at ${timeOfDay(change?.at ?? 0)}, and ${afterwards(of)}`;
    },
  },
  'configuration change': {
    headline: (service, of) =>
      of && isShown(of)
        ? `bad configuration change on ${service}`
        : `degradation of ${service} after a configuration change`,
    detail: (of) => {
      const { change } = of.assessment.signs;
      return `"${change?.title}" went live at ${timeOfDay(change?.at ?? 0)}, and ${afterwards(of)}`;
    },
  },
  outage: {
    headline: (service) => `outage of ${service}`,
    detail: ({ candidate, assessment: { signs } }) =>
      signs.worst
        ? shiftAt(signs.worst)
        : `it has reported nothing since ${timeOfDay(candidate.gone?.onset ?? candidate.onset)}`,
  },
  'bad instance': {
    headline: (service) => `bad instance of ${service}`,
    detail: ({ candidate: { oddInstance } }) => {
      if (oddInstance === null) return '';
      const { instance, anomaly, others } = oddInstance;
      return `only on ${instance}, one of ${others + 1} instances, ${shiftAt(anomaly)}, while ${others === 1 ? 'the other one is' : `the ${others} others are`} healthy`;
    },
  },
  'broken edge': {
    headline: (service, of) => {
      const call = of?.candidate.brokenCalls[0];
      if (!call) return `broken connection of ${service}`;
      const { caller, callee } = call.edge;
      return service === callee
        ? `broken connection to ${callee} from ${caller}`
        : `broken connection from ${caller} to ${callee}`;
    },
    detail: ({ candidate, assessment: { signs } }) => {
      const [call] = candidate.brokenCalls;
      return call ? callsOf(call, signs.reason ? ` with "${signs.reason.words}"` : '') : '';
    },
  },
  'cache outage': {
    headline: (service) => `cache outage of ${service}`,
    detail: ({ assessment: { signs } }) => shiftAt(signs.worst),
  },
  'cache misses': {
    headline: (service) => `cache misses on ${service}`,
    detail: ({ assessment: { signs } }) =>
      `${shiftAt(signs.worst)}, so more requests fall through to what is behind it`,
  },
  'external dependency': {
    headline: (service) => `external dependency ${service} is degraded`,
    detail: ({ assessment: { signs } }) => `as its callers see it, ${shiftAt(signs.worst)}`,
  },
  'outbound failure': {
    headline: (service, of) => {
      const { host = service, others = [] } = of?.candidate.outside ?? {};
      return `calls to ${joinNames([host, ...others])} fail at once`;
    },
    detail: ({ assessment: { signs } }) =>
      `${shiftAt(signs.worst)}${signs.reason ? ` with "${signs.reason.words}"` : ''}; different operators share only the way to them, such as DNS, the network or a proxy`,
  },
  'certificate expiry': {
    headline: (service, of) =>
      `expired TLS certificate on ${of?.assessment.signs.reason?.edge?.callee ?? service}`,
    detail: ({ candidate, assessment: { signs } }) => {
      const { worst, reason, line, symptom } = signs;
      return worst
        ? `it expired at ${timeOfDay(worst.onset)}${reason || line || symptom ? ', and connections failed from then on' : ''}`
        : `connections have failed on it since ${timeOfDay(reason?.anomaly.onset ?? candidate.onset)}`;
    },
  },
  'TLS failure': {
    headline: (service, of) => `TLS failure on ${of?.assessment.signs.reason?.edge?.callee ?? service}`,
    detail: (of) =>
      `connections have failed on it since ${timeOfDay(of.assessment.signs.reason?.anomaly.onset ?? of.candidate.onset)}${logs(of)}`,
  },
  'slow query': {
    headline: (service, of) =>
      of?.assessment.signs.line === undefined
        ? // Where its latency is all that is known, no single query is.
          `slow queries ${of?.candidate.node.kind === 'database' ? 'on' : 'of'} ${service}`
        : `slow query on ${service}`,
    detail: (of) => {
      const { worst, pool } = of.assessment.signs;
      if (!worst) return '';
      const { signal } = worst.series;
      const filled = pool ? `, which filled the connection pool: ${stateOf(pool)}` : '';
      return `${signal.label} up to ${measured(worst.worst, signal)} ${sinceWhen(worst)} (normally ${measured(worst.before, signal)})${logs(of)}${filled}`;
    },
  },
  'CPU starvation': {
    headline: (service, of) =>
      of?.assessment.isOpen ? `high CPU usage of ${service}` : `CPU starvation of ${service}`,
    detail: ({ assessment: { signs, isOpen } }) => {
      const { worst, share } = signs;
      if (!worst) return '';
      const what =
        worst.profile.measure === 'throttling'
          ? `the CPU limit holds it back ${amount(worst.worst, '1')} of the time (normally ${amount(worst.before, '1')})`
          : `CPU usage is at ${amount(share ?? 0, '1')} of its limit`;
      const why = isOpen ? '; telemetry does not show what uses it' : '';
      return `${what} ${sinceWhen(worst)}${why}`;
    },
  },
  'memory leak': {
    headline: (service, of) =>
      `memory leak in ${service}${of && isShown(of) ? ` since ${of.assessment.signs.change?.version ?? 'a change'}` : ''}`,
    detail: (of) => {
      const { signs } = of.assessment;
      const { worst, share, collection, change } = signs;
      if (!worst) return '';
      const { unit, label } = worst.series.signal;
      const limit =
        unit === '1' ? ' of the limit' : share == null ? '' : `, ${amount(share, '1')} of its limit`;
      const what = label === 'heap' ? 'the heap' : 'memory';
      const since = change
        ? `${change.version ?? `"${change.title}"`} came at ${timeOfDay(change.at)}: ${what} was level until then, and`
        : what;
      return `${since} has climbed steadily ${sinceWhen(worst)}, from ${amounts(worst.before, worst.worst, unit).join(' to ')}${limit}${collection ? `, and garbage collection takes ${amount(collection.worst, '1')} of the time ${sinceWhen(collection)} (normally ${amount(collection.before, '1')})` : ''}${endOfClimb(signs)}`;
    },
  },
  'out of memory': {
    headline: (service) => `out of memory in ${service}`,
    detail: ({ candidate, assessment: { signs } }) =>
      `it was OOM-killed at ${timeOfDay(signs.killed?.worstAt ?? candidate.onset)}`,
  },
  'disk full': {
    headline: (service, of) => {
      const { share = null, line } = of?.assessment.signs ?? {};
      return `disk ${of && (share ?? 0) <= FILLED && !line ? 'filling up' : 'full'} on ${service}`;
    },
    detail: ({ assessment: { signs } }) => {
      const { worst, symptom, share } = signs;
      if (!worst) return '';
      const { unit } = worst.series.signal;
      const full = share === 1 ? `, and was full at ${timeOfDay(worst.worstAt)}` : '';
      const state = (share ?? 0) > FILLED ? full : ' and is still filling up';
      return `the volume went from ${amounts(worst.before, worst.worst, unit).join(' to ')} used, starting at ${timeOfDay(worst.onset)}${symptom ? `, and ${shift(symptom)}` : state}`;
    },
  },
  'connection-pool exhaustion': {
    headline: (service) => `connection-pool exhaustion in ${service}`,
    detail: ({ assessment: { signs } }) => {
      const { pool } = signs;
      if (!pool) return '';
      return pool.isFull
        ? `${fullness(pool)} (normally ${amount(pool.used.before, '')})${pool.waiting ? ', so requests wait for one' : ''}`
        : `${shiftAt(pool.worst)}: no connection of the pool is free`;
    },
  },
  'queue backlog': {
    headline: (service) => `queue backlog at ${service}`,
    detail: (of) => {
      const { worst, throughput } = of.assessment.signs;
      const waiting = worst ? `${shift(worst)} ${sinceWhen(worst)}` : '';
      if (!throughput) return `${waiting}${logs(of)}`;
      const { unit } = throughput.series.signal;
      return `only ${amount(throughput.worst, unit)} ${sinceWhen(throughput)} (normally ${amount(throughput.before, unit)})${logs(of)}`;
    },
  },
  'traffic surge': {
    headline: (service) => `traffic surge on ${service}`,
    detail: ({ assessment: { signs } }) => {
      const { worst, symptom } = signs;
      if (!worst) return '';
      const { unit } = worst.series.signal;
      return `requests went from ${amounts(worst.before, worst.worst, unit).join(' to ')} ${sinceWhen(worst)}${symptom ? ', more than it can take' : ''}`;
    },
  },
  unexplained: {
    headline: (service, of) =>
      of?.assessment.isOpen === false
        ? `memory growth in ${service}`
        : of && complains(of)
          ? `errors in ${service}`
          : `unexplained degradation of ${service}`,
    detail: (of) => {
      const { line, worst } = of.assessment.signs;
      return line !== undefined && complains(of)
        ? `it logs \`${quoted(line.example)}\` (${howOften(line)}), and ${shiftAt(worst)}; telemetry shows no more of why`
        : `${shiftAt(worst)}${logs(of)}; telemetry does not show ${of.assessment.isOpen === false ? 'whether it is a leak' : 'why'}`;
    },
  },
};

/** From this share on nothing more can be written. */
const FILLED = 0.97;

/** That a pool filled up as an effect of what was slow before: `the connection pool of cart filled up (…)`. */
export function effectOf({ candidate, assessment: { isEffect, signs } }: Seen): string | null {
  return isEffect && signs.pool
    ? `the connection pool of ${candidate.node.name} filled up (${stateOf(signs.pool)})`
    : null;
}
