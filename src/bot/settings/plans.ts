import type { Alert } from '../alerts/types.ts';
import type { Plan } from '../store/flags.ts';
import { changeIntent } from '../store/intents/channel-intents.ts';
import type { Aggregates } from '../store/open.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LONGEST_MS = 7 * DAY_MS;
const MAX_TITLE = 200;
const MOST_SCOPE = 20;

/** What somebody plans: what it is about, from when until when, and what it is. */
export type Planned = Pick<Plan, 'scope' | 'from' | 'until' | 'title'>;

const TIMES = /^(?<from>(?:[01]?\d|2[0-3]):[0-5]\d)-(?<to>(?:[01]?\d|2[0-3]):[0-5]\d)$/u;
const timeIn = (time = '') => time.padStart(5, '0');
const LENGTH = /^(?<count>\d{1,3})(?<unit>[mhd])$/u;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: DAY_MS };

/**
 * Reads `payments env:staging 22:00-23:00 "database upgrade"`; a length such as `2h` begins now.
 *
 * @param next the first moment after another at which clocks of who writes it show a time
 * @returns which part is missing or wrong
 */
export function readPlan(words: string, next: Next, now: number): Planned | 'scope' | 'end' | 'long' {
  const typed = words.trim().split(/\s+/u);
  const at = typed.findIndex((word) => TIMES.test(word) || LENGTH.test(word));
  if (at < 0) return 'end';
  const scope = typed
    .slice(0, at)
    .flatMap((word) => word.split(','))
    .filter((word) => word !== '');
  // A plan for everything is a pause.
  if (scope.length === 0 || scope.length > MOST_SCOPE || scope.includes('*')) return 'scope';
  const { from, until } = timesOf(typed[at] ?? '', next, now);
  if (until - from > LONGEST_MS || until <= now || from >= until) return 'long';
  const title = typed
    .slice(at + 1)
    .join(' ')
    .replaceAll(/^["“”']+|["“”']+$/gu, '')
    .slice(0, MAX_TITLE);
  return { scope, from, until, title };
}

type Next = (time: string, after: number) => number;

function timesOf(word: string, next: Next, now: number): { from: number; until: number } {
  const times = TIMES.exec(word)?.groups;
  if (times === undefined) {
    const { count = '0', unit = 'm' } = LENGTH.exec(word)?.groups ?? {};
    return { from: now, until: now + Number(count) * (UNITS[unit] ?? 0) };
  }
  const until = next(timeIn(times.to), now);
  // The beginning that the end follows, which may be past.
  return { from: Math.min(until, next(timeIn(times.from), until - DAY_MS)), until };
}

/** Whether a plan is about an alert: one of its services, and each environment and label that it names. */
export function isPlanned(
  { scope }: Pick<Plan, 'scope'>,
  { service, tags }: Pick<Alert, 'service' | 'tags'>,
  environment: string,
): boolean {
  const has = (word: string) => tags.some((tag) => tag.toLowerCase() === word);
  const words = scope.map((word) => word.toLowerCase());
  const services = words.filter((word) => !word.includes(':'));
  const isOne = services.some((word) =>
    word.endsWith('*')
      ? service?.toLowerCase().startsWith(word.slice(0, -1)) === true
      : service?.toLowerCase() === word,
  );
  return (
    (services.length === 0 || isOne) &&
    words
      .filter((word) => word.includes(':'))
      .every((word) => word === `env:${environment.toLowerCase()}` || has(word))
  );
}

/** What says that work is planned, and for which channel. */
export interface PlanSource {
  /** Stable: the same again is the same plan. */
  cause: string;
  channel: string;
  by: string;
  now: number;
  /** Found in a system that is asked: it is announced with its first alert. */
  isFound?: boolean;
}

/** Stores planned work and keeps it in the audit, once per cause. Whether it is new; what nobody told us is announced later. */
export async function planWork(
  tx: Aggregates,
  { cause, channel, by, now, isFound = false }: PlanSource,
  planned: Planned,
): Promise<boolean> {
  if ((await tx.flags.plans()).some(({ id }) => id === cause)) return false;
  const plan = { ...planned, id: cause, channel, by };
  await tx.flags.plan(plan);
  const what = `planned work on ${planned.scope.join(' ')} until ${new Date(planned.until).toISOString()} in ${channel}`;
  await tx.audit.add({ at: now, who: by, what, issueId: null, channel });
  if (!isFound) await announcePlan(tx, plan, now);
  return true;
}

/** Tells the plan's channel of it, once. */
export async function announcePlan(tx: Aggregates, plan: Plan, now: number): Promise<void> {
  const { id, by, scope, from, until, title } = plan;
  const payload = { what: 'planned' as const, id, by, scope, from, until, title };
  await tx.outbox.want(changeIntent(id, plan.channel, payload, now));
}

/** Planned work is over from now on: what fired meanwhile is looked at. One that cannot be read goes. Whether there was any. */
export async function cancelPlan(
  tx: Aggregates,
  { id, channel, by, now }: { id: string; channel: string; by: string; now: number },
): Promise<boolean> {
  const audited = (what: string) => tx.audit.add({ at: now, who: by, what, issueId: null, channel });
  if ((await tx.flags.unreadablePlans()).includes(id)) {
    await tx.flags.endPlan(id);
    await audited('removed planned work that could not be read');
    return true;
  }
  const plan = (await tx.flags.plans()).find((one) => one.id === id && one.channel === channel);
  if (plan === undefined || plan.until <= now) return false;
  await tx.flags.plan({ ...plan, until: now, planned: plan.planned ?? plan.until });
  await audited(`ended the planned work on ${plan.scope.join(' ')} in ${channel}`);
  return true;
}
