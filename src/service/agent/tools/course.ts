import { mean } from '../../../lib/statistics.ts';
import { isStock } from '../../investigation/format.ts';
import { expressionIn } from '../../telemetry/exported/alerted.ts';
import {
  type IssueState,
  type Level,
  levelOf,
  showTracked,
  stateOf,
  type Tracked,
  trackedOf,
} from '../issue-scope.ts';
import type { Facts, IssueScope } from '../types.ts';
import { type Failures, failuresOf } from './failures.ts';

/** How a trouble goes: since when, how its series stand, and whom it reaches. */
export interface Course {
  /** The issue; `null` of a question's look. */
  number: number | null;
  symptom: string | null;
  /** What it is about, where telemetry knows nothing by that name. */
  unknown: string | null;
  triggeredAt: number;
  onset: number;
  now: number;
  services: readonly string[];
  state: IssueState;
  levels: (Level & { isCause: boolean; requests: Failures | null })[];
  timeline: { at: number; text: string }[];
  /** Which way the first of the levels goes, by the halves of its last time; `null` with too few samples. */
  trend: { way: 'worse' | 'better' | 'same'; earlier: number; lately: number; spanMs: number } | null;
  /** Who else calls the symptom; `null` where no source shows calls. */
  callers: string[] | null;
  /** What its alert measures, where no other metric shows it; `since` is `null` while that fires. */
  own: { expression: string; since: number | null } | null;
}

const MINUTE = 60_000;
/** Rates need so long until they are what happens. */
const SETTLING = 5 * MINUTE;
const LEAST_SPAN = 4 * MINUTE;

/**
 * @param named services of it that alone are meant
 * @param isShown whether its series are sent with the answer
 */
export async function courseOf(
  scope: IssueScope,
  facts: Facts,
  { named = [], isShown = true }: { named?: readonly string[]; isShown?: boolean } = {},
): Promise<Course> {
  const { issue, symptom, unknown, onset, services, causes } = scope;
  const { view, now } = facts;
  const all = trackedOf(scope, facts);
  const own = all.filter(({ service }) => named.includes(service));
  const tracked = own.length > 0 ? own : all;
  const state = stateOf(tracked, now);
  if (isShown) showTracked(tracked, scope, facts);
  const until = state.is === 'over' ? state.since : now + 1;
  const isUnmeasured = state.is === 'unclear' && issue.number !== null;
  return {
    number: issue.number,
    symptom,
    unknown,
    triggeredAt: issue.triggeredAt,
    onset,
    now,
    services,
    state,
    levels: tracked.map((one) => ({
      ...levelOf(one),
      // What a look at something else blames is not the cause of the thread's issue.
      isCause: (facts.thread === null || issue.number !== null) && causes.includes(one.service),
      requests: failuresOf(one.service, facts.fine, { from: onset, to: until }),
    })),
    timeline: (issue.findings?.timeline ?? [])
      .filter(({ type }) => ['change', 'onset', 'effect'].includes(type))
      .map(({ type, timestamp, title, description }) => ({
        at: Date.parse(timestamp),
        text: type === 'change' ? title : description.replace(/\.$/u, ''),
      })),
    trend: trendOf(tracked[0], onset, facts),
    callers:
      view.snapshot.edges.length === 0
        ? null
        : view
            .services()
            .filter(({ name, calls }) => calls.includes(symptom ?? '') && !services.includes(name))
            .map(({ name }) => name),
    own: isUnmeasured ? await ownAlertOf(scope, facts) : null,
  };
}

function trendOf(tracked: Tracked | undefined, onset: number, { fine, now }: Facts): Course['trend'] {
  // What was before it began, or while it came, says nothing of which way it goes.
  const spanMs = Math.min(20 * MINUTE, now - onset - SETTLING);
  if (tracked === undefined || spanMs < LEAST_SPAN) return null;
  const levelIn = (from: number, to: number) =>
    mean(fine.points(tracked.series, { from, to }).map(({ value }) => value));
  const [earlier, lately] = [levelIn(now - spanMs, now - spanMs / 2), levelIn(now - spanMs / 2, now + 1)];
  const gain = (lately - earlier) * (tracked.series.signal.bad === 'low' ? -1 : 1);
  if (!Number.isFinite(gain)) return null;
  // Of what has piled up for long, a little more is still more.
  const isSame = Math.abs(gain) < (isStock(tracked.series) ? 0.02 : 0.1) * Math.abs(earlier);
  return { way: isSame ? 'same' : gain > 0 ? 'worse' : 'better', earlier, lately, spanMs };
}

/** What was returned so many samples ago is returned now: the newest may be on their way. */
const NEWEST = 3;

/** Whether the alert's own expression still fires; `null` if it does not say what it measures, or that returned nothing. */
async function ownAlertOf({ issue, onset }: IssueScope, { evaluate, now }: Facts): Promise<Course['own']> {
  const expression = expressionIn(`${String(issue.context.alertUrl ?? '')} ${issue.description}`);
  // Only a comparison leaves out what does not fire.
  if (expression === null || !/[<>]|[=!]=/u.test(expression.replaceAll(/\{[^}]*\}/gu, ''))) return null;
  const reading = await evaluate(expression, { from: onset - 5 * MINUTE, to: now + 1 });
  if (!reading.known) return null;
  const last = Math.max(...reading.value.map(({ points }) => points.times.at(-1) ?? 0));
  if (!(last > 0)) return null;
  const steps = reading.value.flatMap(({ points: { times } }) => last - (times.at(-2) ?? 0));
  return { expression, since: last >= now - NEWEST * Math.min(MINUTE, ...steps) ? null : last };
}
