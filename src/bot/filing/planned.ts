import { announceOver, announcePlan, isPlanned } from '../settings/plans.ts';
import type { Plan } from '../store/flags.ts';
import type { Hold } from '../store/holds.ts';
import { changeIntent } from '../store/intents/channel-intents.ts';
import { heldIntent } from '../store/intents/issue-intents.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Aggregates } from '../store/open.ts';
import { release } from './held.ts';
import { STORM } from './limits.ts';
import type { DecideOptions, Occurrence } from './occurrence.ts';
import { issueIdOf } from './reference.ts';

export type PlanOptions = DecideOptions & { permalink: (channel: string, ts: string) => string };

/** The planned work of its channel that an alert belongs to now. */
export async function planFor(
  tx: Pick<Aggregates, 'flags'>,
  { channel, alert }: Pick<Occurrence, 'channel' | 'alert'>,
  environment: string,
  now: number,
): Promise<Plan | null> {
  const plans = await tx.flags.plans();
  return (
    plans.find(
      (plan) =>
        plan.channel === channel &&
        plan.from <= now &&
        now < plan.until &&
        isPlanned(plan, alert, environment),
    ) ?? null
  );
}

/**
 * The batch of a plan's alerts, which has no message while the work lasts. What a system reports as planned is announced
 * with its first alert: before that, nothing is different for anybody.
 */
export async function holdForPlan(tx: Aggregates, plan: Plan, channel: string, now: number): Promise<string> {
  const id = holdIdOf(plan);
  if ((await tx.holds.get(id)) === null) {
    await tx.holds.add({ id, channel, reason: 'planned', state: 'rolling', createdAt: now, lastAt: now });
    await announcePlan(tx, plan, now);
  } else await tx.holds.grow(id, now);
  return id;
}

function holdIdOf({ id, channel }: Plan): string {
  return issueIdOf('plan', channel, id);
}

/**
 * Planned work that is over: what fired meanwhile and has not recovered is filed, or offered in one message if it is
 * more than a storm. The same becomes of what waits for a plan that is not there, or cannot be read: nothing waits
 * without an end.
 */
export async function endPlans(
  tx: Aggregates,
  options: PlanOptions,
): Promise<{ untilNext: number /** Alerts of how many plans that were not there. */; lost: number }> {
  const now = options.clock.now();
  const plans = await tx.flags.plans();
  for (const plan of plans) {
    if (plan.until > now) continue;
    if (plan.isOver !== true) {
      await end(tx, plan, options);
      await announceOver(tx, plan);
    }
    if ((plan.planned ?? plan.until) <= now) await tx.flags.endPlan(plan.id);
    else if (plan.isOver !== true) await tx.flags.plan({ ...plan, isOver: true });
  }
  const awaited = new Set(plans.filter(({ until }) => until > now).map(holdIdOf));
  const lost = (await tx.holds.ofPlans()).filter(({ id }) => !awaited.has(id));
  for (const hold of lost) await endHold(tx, hold, { ...LOST, channel: hold.channel }, hold.id, options);
  const moments = plans.map(({ until, planned = until }) => (until > now ? until : planned));
  return { untilNext: Math.min(...moments.filter((at) => at > now)) - now, lost: lost.length };
}

const LOST = { by: 'from:Gumshoe', title: 'its record cannot be read' };

async function end(tx: Aggregates, plan: Plan, options: PlanOptions): Promise<void> {
  const hold = await tx.holds.get(holdIdOf(plan));
  if (hold !== null) await endHold(tx, hold, plan, plan.id, options);
}

async function endHold(
  tx: Aggregates,
  hold: Hold,
  plan: Pick<Plan, 'by' | 'title' | 'channel'>,
  cause: string,
  options: PlanOptions,
): Promise<void> {
  const { channel, by, title } = plan;
  const now = options.clock.now();
  const rows = await tx.alerts.inHold(hold.id);
  const problems = (some: typeof rows) => new Set(some.map(({ identity }) => identity)).size;
  const open = rows.filter(({ outcome }) => outcome === null);
  if (problems(open) > STORM) {
    await tx.holds.become(hold.id, 'quiet');
    await tx.outbox.want(heldIntent(hold.id, channel, now));
  } else {
    await release(tx, hold, 'all', { by, pressedTs: null, reason: 'plan_ended' }, options);
    await noteOn(
      tx,
      open.map(({ ts }) => ts),
      plan,
      now,
    );
  }
  const ended = { what: 'plan_ended' as const, title, fired: problems(rows), open: problems(open) };
  await tx.outbox.want(changeIntent(`${cause}:end`, channel, ended, now));
}

/** Cards say that it fired during planned work. */
async function noteOn(
  tx: Aggregates,
  messages: readonly string[],
  plan: Pick<Plan, 'channel' | 'title'>,
  now: number,
): Promise<void> {
  const rows = await Promise.all(messages.map((ts) => tx.alerts.find(plan.channel, ts)));
  const text = `It fired during planned work${plan.title === '' ? '' : ` (${plan.title})`}, and was still open when that ended.`;
  for (const issue of new Set(rows.flatMap((row) => row?.issueId ?? []))) {
    await tx.issues.apply(issue, transitions.note({ text, at: now, channel: plan.channel }));
    await tx.outbox.refreshCards(issue);
  }
}
