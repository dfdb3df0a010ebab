import type { Change, Service } from '../../telemetry/model.ts';
import { hasRollouts, kubectlFor, undoOf } from '../../telemetry/undo.ts';
import type { Anomaly } from '../anomalies.ts';
import type { Candidate } from '../candidates.ts';
import { amount, duration, timeOfDay } from '../format.ts';
import type { LogPattern } from '../log-patterns.ts';
import { movement } from '../words/movement.ts';

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

/** Evidence for a cause. */
export type Observation =
  | { type: 'metric'; title: string; description: string; anomaly: Anomaly }
  | { type: 'log'; title: string; description: string; pattern: LogPattern }
  | { type: 'change'; title: string; description: string; change: Change };

/** A fault kind's assessment of a candidate. */
export interface Assessment {
  /** 0 to 1: how much of this kind's evidence is present. */
  strength: number;
  /** What happened, with times and numbers; follows the headline and a colon. */
  detail: string;
  observations: Observation[];
  /** All that speaks for it is that it came before. */
  isOnlyAfter?: boolean;
  /** A clause for what the cause did here, if this follows from what was slow before. */
  follows?: string;
}

export interface Step {
  title: string;
  /** `command` to run, `check` to look at, `info` to know. */
  type: 'info' | 'command' | 'check';
  content: string;
  help: string;
  required: boolean;
}

export interface Remedy {
  title: string;
  description: string;
  category: 'immediate' | 'follow_up';
  steps: Step[];
}

/** A fault kind: how to recognize it, and what to do about it. One file each. */
export interface Kind {
  /** For people: `bad deploy`. */
  name: string;
  /** It names the place, and says that nothing shows what happened there. */
  isOpen?: (candidate: Candidate) => boolean;
  /** More load alone may bring it about. */
  comesWithLoad?: true;
  /** The cause in a few words, without a capital: `bad deploy of payments`. More precise if the candidate is given. */
  headline(service: string, candidate?: Candidate): string;
  /** `null` if this kind's defining evidence is absent. */
  assess(candidate: Candidate): Assessment | null;
  remedies(candidate: Candidate, assessment: Assessment): Remedy[];
}

type Action = Pick<Step, 'type' | 'content'>;

type Runs = Pick<Service, 'name' | 'workload'>;

/**
 * `kubectl` steps for a service's workload. A command contains only names that were seen: if the workload is unknown, or
 * its name is none, the step is described in words.
 */
export function kubectl(service: Runs, command: (workload: string) => string, otherwise: string): Action {
  const content = service.workload && kubectlFor(service.workload, command);
  return content ? { type: 'command', content } : { type: 'check', content: otherwise };
}

/** The steps that take a change back, and what takes it back again if it is left as it is. */
export function undoing(
  { node, changes }: Candidate,
  change: Change | undefined,
  otherwise: (before: string | null) => string,
): { steps: (Action & { title: string })[]; before: string | null; note: string } {
  const { undo, before, note } =
    change === undefined ? { undo: null, before: null, note: null } : undoOf(change, changes);
  const facts = { before, note: note === null ? '' : ` ${note}` };
  if (undo !== null) {
    const title = undo.by === 'revert' ? 'Revert' : 'Roll back';
    return { ...facts, steps: [{ title, type: undo.type, content: undo.content }] };
  }
  const { workload } = node;
  const rollout = (words: (target: string) => string) =>
    workload !== null && hasRollouts(workload) ? kubectlFor(workload, words) : null;
  const history = rollout((target) => `rollout history ${target}`);
  if (history === null || !KINDS.deploy.includes(change?.kind ?? ''))
    return { ...facts, steps: [{ title: 'Roll back', type: 'check', content: otherwise(before) }] };
  const back = rollout((target) => `rollout undo ${target} --to-revision=`);
  return {
    ...facts,
    steps: [
      { title: 'See which revision ran before', type: 'command', content: history },
      {
        title: 'Roll back to it',
        type: 'check',
        content: `Run \`${back}\` with the number of that revision.`,
      },
    ],
  };
}

export function restart(service: Runs): Action {
  return kubectl(
    service,
    (workload) => `rollout restart ${workload}`,
    `Restart the instances of ${service.name}, one after the other.`,
  );
}

export function scaleOut(service: Runs): Action {
  return kubectl(
    service,
    (workload) => `scale ${workload} --replicas=<twice as many>`,
    `Run twice as many instances of ${service.name}.`,
  );
}

const MINUTE = 60_000;

/** The sources' names for code changes and for configuration changes. */
const KINDS = { deploy: ['deploy', 'commit'], config: ['config', 'flag'] };

/**
 * The last change of a kind in the quarter of an hour before a moment, or shortly after it, since samples are coarse.
 */
export function changeBefore(
  candidate: Candidate,
  kind: 'deploy' | 'config',
  moment: number,
): Change | undefined {
  return candidate.changes.find(
    (change) =>
      KINDS[kind].includes(change.kind) && change.at <= moment + MINUTE && change.at >= moment - 15 * MINUTE,
  );
}

/** The weight of a change `lead` milliseconds before the onset: 1 within 3 minutes, 0.3 at 15. */
export function nearness(lead: number): number {
  if (lead <= 3 * MINUTE) return 1;
  return Math.max(0.3, 1 - (0.7 * (lead - 3 * MINUTE)) / (12 * MINUTE));
}
