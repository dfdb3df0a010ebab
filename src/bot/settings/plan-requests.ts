import { createHash } from 'node:crypto';
import '../../lib/zod-words.ts';
import { z } from 'zod';
import type { Aggregates } from '../store/open.ts';
import { checkedPlan, movePlan, PLAN_LACKS, type Planned, planWork } from './plans.ts';

const MINUTE_MS = 60_000;
const time = z.iso.datetime({ offset: true });

/** Planned work as programs say it; without a channel, in each that is watched. The same id again moves the end. */
const PlanFields = z.object({
  scope: z.array(z.string().min(1).max(200)),
  until: time.optional(),
  minutes: z.number().positive().optional(),
  from: time.optional(),
  title: z.string().max(200).default(''),
  channel: z.string().max(30).optional(),
  id: z.string().max(100).optional(),
});

/** A plan that may be stored, and where; `endsNow` where its end is not to come. */
export interface PlanRequest {
  id: string;
  channel: string | null;
  planned: Planned;
  endsNow: boolean;
}

/** @returns what is wrong with it, in a sentence */
export function readPlanRequest(payload: unknown, now: number): PlanRequest | string {
  const read = PlanFields.safeParse(payload);
  if (!read.success)
    return read.error.issues
      .map(({ path, message }) => `${path.join('.') || 'The body'} ${message}`)
      .join('; ');
  const { scope, until, minutes, title, channel = null } = read.data;
  if (until === undefined && minutes === undefined) return 'Say when it is over: `until` or `minutes`.';
  const from = read.data.from === undefined ? now : Date.parse(read.data.from);
  const end = until === undefined ? from + (minutes ?? 0) * MINUTE_MS : Date.parse(until);
  const id =
    read.data.id ?? createHash('sha256').update(JSON.stringify(read.data)).digest('hex').slice(0, 20);
  const endsNow = read.data.id !== undefined && end <= now;
  const planned = { scope, from, until: end, title };
  const checked = endsNow ? planned : checkedPlan(planned, now);
  return typeof checked === 'string' ? PLAN_LACKS[checked] : { id, channel, planned: checked, endsNow };
}

/**
 * Stores what a program plans, in a channel or in each that is watched; there, it is announced with its first alert.
 * Returns where; in none if the channel is not watched.
 */
export async function planByRequest(
  tx: Aggregates,
  { id, channel, planned, endsNow }: PlanRequest,
  { by, now }: { by: string; now: number },
): Promise<string[]> {
  const watched = (await tx.channels.watched()).map((one) => one.channel);
  const channels = channel === null ? watched : watched.filter((one) => one === channel);
  for (const one of channels) {
    const cause = `${by}:${id}:${one}`;
    const isThere = await movePlan(tx, cause, endsNow ? now : planned.until);
    if (!isThere && !endsNow)
      await planWork(tx, { cause, channel: one, by, now, isFound: channel === null }, planned);
  }
  return channels;
}
