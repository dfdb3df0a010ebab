import type { Alert } from '../alerts/types.ts';
import type { Plan } from '../store/flags.ts';
import { changeIntent } from '../store/intents/channel-intents.ts';
import { announcementKey } from '../store/intents/keys.ts';
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
export function readPlan(
  words: string,
  next: Next,
  now: number,
): Planned | 'scope' | 'end' | 'long' | 'order' {
  const typed = words.trim().split(/\s+/u);
  const at = typed.findIndex((word) => TIMES.test(word) || LENGTH.test(word));
  if (at < 0) return 'end';
  const scope = typed
    .slice(0, at)
    .flatMap((word) => word.split(','))
    .filter((word) => word !== '');
  const title = typed
    .slice(at + 1)
    .join(' ')
    .replaceAll(/^["“”']+|["“”']+$/gu, '');
  const times = timesOf(typed[at] ?? '', next, now);
  if (now - times.from > DAY_MS / 2) return 'order';
  return checkedPlan({ scope, ...times, title }, now);
}

/** A plan as it may be stored, or which part of it is wrong. */
export function checkedPlan(planned: Planned, now: number): Planned | 'scope' | 'long' {
  const { scope, from, until, title } = planned;
  // A plan for everything is a pause.
  if (scope.length === 0 || scope.length > MOST_SCOPE || scope.includes('*')) return 'scope';
  if (!(until - Math.max(from, now) <= LONGEST_MS) || until <= now || from >= until) return 'long';
  return { ...planned, title: title.slice(0, MAX_TITLE) };
}

/** What a plan lacks, for people and programs. */
export const PLAN_LACKS = {
  scope:
    'Say what it is about: services, `env:staging`, labels such as `cluster:eu`; at most twenty, and not everything.',
  long: 'It has to end within seven days, and not be over already.',
} as const;

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

type About = Pick<Alert, 'service' | 'host' | 'region' | 'severity' | 'title' | 'tags'>;

/** Whether a plan is about an alert: one of its services or hosts, and each environment and label that it names. */
export function isPlanned({ scope }: Pick<Plan, 'scope'>, alert: About, environment: string): boolean {
  const { service, host, region, severity, title, tags } = alert;
  const hosts = host === null ? [] : [host, bareHost(host)];
  const labels = [
    `env:${environment}`,
    `region:${region}`,
    `severity:${severity}`,
    ...hosts.flatMap((name) => [`host:${name}`, `instance:${name}`]),
    ...(title ?? '').split(' ').map((word) => `alertname:${word}`),
    ...tags,
  ];
  const isAmong = (values: readonly (string | null)[]) => (word: string) =>
    values.some((value) => isNamed(word.toLowerCase(), (value ?? '').toLowerCase()));
  const [things = [], conditions = []] = [false, true].map((is) =>
    scope.filter((word) => word.includes(':') === is),
  );
  return (
    (things.length === 0 || things.some(isAmong([service, ...hosts]))) && conditions.every(isAmong(labels))
  );
}

/** `payments-*` is any that begins so. */
function isNamed(word: string, value: string): boolean {
  return value !== '' && (word.endsWith('*') ? value.startsWith(word.slice(0, -1)) : value === word);
}

/** `https://api.example.com:443/health` → `api.example.com`. */
function bareHost(host: string): string {
  const url = host.includes('://') ? host : `http://${host}`;
  return URL.parse(url)?.hostname ?? host;
}

/** Who planned the work, and for which channel. */
export interface PlanSource {
  /** Stable: the same again is the same plan. */
  cause: string;
  channel: string;
  by: string;
  now: number;
  /** Found in a system that is asked: it is announced with its first alert. */
  isFound?: boolean;
}

/** Stores planned work, once per cause; work that no person planned is announced later. Returns whether it is new. */
export async function planWork(
  tx: Aggregates,
  { cause, channel, by, now, isFound = false }: PlanSource,
  planned: Planned,
): Promise<boolean> {
  if ((await tx.flags.plans()).some(({ id }) => id === cause)) return false;
  const plan = { ...planned, id: cause, channel, by };
  await tx.flags.plan(plan);
  if (!isFound) await announcePlan(tx, plan, now);
  return true;
}

/** Tells the plan's channel and the audit of it, once. */
export async function announcePlan(tx: Aggregates, plan: Plan, now: number): Promise<void> {
  const { id, channel, by, scope, until } = plan;
  if ((await tx.outbox.get(announcementKey(id))) !== null) return;
  const what = `planned work on ${scope.join(' ')} until ${new Date(until).toISOString()} in ${channel}`;
  await tx.audit.add({ at: now, who: by, what, issueId: null, channel });
  await tx.outbox.want(changeIntent(id, channel, announcementOf(plan), now));
}

function announcementOf({ id, by, scope, from, until, title }: Plan) {
  return { what: 'planned' as const, id, by, scope, from, until, title };
}

/** It is over, which its announcement says from now on. */
export async function announceOver(tx: Aggregates, plan: Plan): Promise<void> {
  const key = announcementKey(plan.id);
  if ((await tx.outbox.get(key)) === null) return;
  const payload = { ...announcementOf(plan), isOver: true as const };
  await tx.outbox.replacePayload({ key, kind: 'announcement', payload });
}

/** The end has moved; a plan that somebody ended stays as it is. Whether there is such a plan. */
export async function movePlan(tx: Aggregates, id: string, until: number): Promise<boolean> {
  const plan = (await tx.flags.plans()).find((one) => one.id === id);
  if (plan === undefined || plan.planned !== undefined || plan.until === until) return plan !== undefined;
  const moved = { ...plan, until };
  await tx.flags.plan(moved);
  const key = announcementKey(id);
  if ((await tx.outbox.get(key)) !== null)
    await tx.outbox.replacePayload({ key, kind: 'announcement', payload: announcementOf(moved) });
  return true;
}

/**
 * What a system has planned now, in each of its channels: what is new is stored, what has moved is moved, and what
 * it no longer says is over.
 *
 * @param prefix with which the ids of this system's plans begin
 */
export async function syncPlans(
  tx: Aggregates,
  { prefix, by, now }: { prefix: string; by: string; now: number },
  said: readonly (Planned & { id: string; channel: string })[],
): Promise<void> {
  const stored = new Map((await tx.flags.plans()).map((plan) => [plan.id, plan]));
  for (const { id, channel, ...planned } of said) {
    const cause = `${prefix}${id}:${channel}`;
    const before = stored.get(cause);
    stored.delete(cause);
    if (before === undefined) await planWork(tx, { cause, channel, by, now, isFound: true }, planned);
    else if (before.until !== planned.until) await movePlan(tx, cause, planned.until);
  }
  for (const { id, until } of stored.values())
    if (id.startsWith(prefix) && until > now) await movePlan(tx, id, now);
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
