import { mean } from '../../../lib/statistics.ts';
import { isOff } from '../../investigation/episodes.ts';
import type { Change } from '../../telemetry/model.ts';
import {
  concernedBy,
  type Level,
  levelOf,
  showTracked,
  stateOf,
  type Tracked,
  trackedOf,
} from '../issue-scope.ts';
import type { Facts, IssueScope } from '../types.ts';
import { type Course, courseOf } from './course.ts';
import { blamedAt, isBlamedChange } from './verdict.ts';

/** What people do to end a problem, as they and titles of changes have it. */
const DEED_WORDS = {
  rollback: /\broll\w*\b.*\bback\b|rollback|revert/iu,
  restart: /restart|reboot|redeploy|\b(?:kick|bounce|cycle)\b/iu,
  scale: /\bscal(?:e|ed|ing)\b/iu,
} as const;
export const DEEDS = ['rollback', 'restart', 'scale'] as const;
export type Deed = (typeof DEEDS)[number];

export function deedIn(text: string): Deed | null {
  return DEEDS.find((deed) => DEED_WORDS[deed].test(text)) ?? null;
}

export interface Effect {
  /** `early`: it takes a while to show. `unmeasured`: no metric has samples on both sides. `none`: nothing was done. */
  is: 'helped' | 'in_part' | 'did_not' | 'early' | 'unmeasured' | 'none';
  /** What is asked about and was not seen. */
  unseen: Deed | null;
  change: { at: number; title: string } | null;
  /** Since when nothing was seen to be done. */
  since: number;
  levels: (Level & { before: number; after: number; window: { from: number; to: number } })[];
  course: Course;
}

const MINUTE = 60_000;
/** How long before and after a change its effect is looked for. */
const AROUND = 10 * MINUTE;
/** A rollout takes a moment. */
const TAKES_EFFECT = 2 * MINUTE;
/** The change that an issue's end followed: at most so long before it. */
const LED_TO = 10 * MINUTE;

/** The levels before and after the change that the end followed, or else the newest. */
export async function effectOf(scope: IssueScope, facts: Facts, meant: Deed | null): Promise<Effect> {
  const tracked = trackedOf(scope, facts);
  const course = await courseOf(scope, facts, { isShown: false });
  const since = await changesSince(scope, facts);
  const done = meant === null ? [] : since.filter(({ title }) => deedIn(title) === meant);
  const candidates = done.length > 0 ? done : since;
  const state = stateOf(tracked, facts.now);
  const change = (state.is === 'over' ? endedBy(candidates, state.since) : undefined) ?? candidates[0];
  const found = {
    unseen: done.length === 0 ? meant : null,
    change: change === undefined ? null : { at: change.at, title: change.title },
    since: blamedAt(scope)?.at ?? scope.onset,
    levels: [],
    course,
  };
  if (change === undefined || tracked.length === 0) return { ...found, is: 'none' };
  showTracked(tracked, scope, facts);
  const ago = facts.now - change.at;
  if (state.is === 'settling' || (ago < 2 * TAKES_EFFECT && state.is !== 'over'))
    return { ...found, is: 'early' };
  const effects = tracked.flatMap((one) => around(one, change.at, facts));
  const levels = effects.map(({ level }) => level);
  const isOverSince = tracked.every(({ end }) => end !== null && end > change.at - MINUTE);
  if (state.is === 'over' && isOverSince && (effects.length === 0 || ago < TAKES_EFFECT + AROUND))
    return { ...found, is: 'helped' };
  if (effects.length === 0) return { ...found, is: 'unmeasured' };
  const is = effects.every(({ isBack }) => isBack)
    ? 'helped'
    : effects.some(({ isBetter }) => isBetter)
      ? 'in_part'
      : 'did_not';
  return { ...found, is, levels };
}

function around(
  tracked: Tracked,
  at: number,
  { fine: view, now }: Facts,
): { isBack: boolean; isBetter: boolean; level: Effect['levels'][number] }[] {
  const { series, usual } = tracked;
  const levels = (from: number, to: number) => view.points(series, { from, to }).map(({ value }) => value);
  const window = { from: at + TAKES_EFFECT, to: Math.min(now + 1, at + TAKES_EFFECT + AROUND) };
  const [earlier, later] = [levels(at - AROUND, at), levels(window.from, window.to)];
  if (earlier.length === 0 || later.length === 0) return [];
  const [before, after] = [mean(earlier), mean(later)];
  const gain = (before - after) * (series.signal.bad === 'low' ? -1 : 1);
  return [
    {
      isBack: usual !== null && !isOff(series, after, usual),
      isBetter: gain > 0.25 * Math.abs(before - (usual ?? 0)),
      level: { ...levelOf(tracked), before, after, window },
    },
  ];
}

/** The changes in an issue's services after it began, and after the change that is blamed; newest first. */
export async function changesSince(scope: IssueScope, facts: Facts): Promise<Change[]> {
  const window = { from: blamedAt(scope)?.at ?? scope.onset, to: facts.now + 1 };
  const concerned = concernedBy(scope);
  return (await facts.changes(window))
    .filter((one) => (one.service === null || concerned.includes(one.service)) && !isBlamedChange(one, scope))
    .reverse();
}

/** A later change of what a verdict blames, while it goes on: what the verdict says is of before. `null` if there is none. */
export async function overtakenBy(scope: IssueScope, facts: Facts): Promise<Change | null> {
  if (blamedAt(scope) === null || stateOf(trackedOf(scope, facts), facts.now).is !== 'ongoing') return null;
  const later = await changesSince(scope, facts);
  return later.find(({ service }) => service !== null && scope.causes.includes(service)) ?? null;
}

export function endedBy(changes: readonly Change[], end: number): Change | undefined {
  return changes.find(({ at }) => at > end - LED_TO && at <= end + MINUTE);
}

/** When an issue ended, and the change just before that; `null` if its end is not seen. */
export async function endedByOf(
  scope: IssueScope,
  facts: Facts,
): Promise<{ at: number; change: Change | null } | null> {
  const last = Math.max(...trackedOf(scope, facts).map(({ end }) => end ?? Number.NaN));
  if (!Number.isFinite(last)) return null;
  return { at: last, change: endedBy(await changesSince(scope, facts), last) ?? null };
}
