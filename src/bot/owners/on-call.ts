import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { OnCallSettings } from '../config.ts';
import { ask, detailOf, type Fetch, TrackerError } from '../tickets/tracker.ts';
import { isId } from './pager.ts';

/** Who is on call, as the tool names them, and until when if it says so; in milliseconds. */
export interface Shift {
  names: string[];
  until: number | null;
  /** When the tool was asked. */
  asOf: number;
}

export interface OnCall {
  name: string;
  /** @throws TrackerError */
  now(schedule: string, signal?: AbortSignal): Promise<Shift>;
}

const DAY_MS = 24 * 60 * 60_000;
const PAGERDUTY = 'https://api.pagerduty.com';
const OPSGENIE = 'https://api.opsgenie.com';

const PagerDuty = z.looseObject({
  oncalls: z.array(
    z.looseObject({
      user: z.looseObject({ summary: z.string().nullish(), name: z.string().nullish() }),
      escalation_level: z.number(),
      end: z.string().nullish(),
    }),
  ),
});
const Opsgenie = z.looseObject({ data: z.looseObject({ onCallRecipients: z.array(z.string()) }) });
const Grafana = z.looseObject({
  results: z.array(
    z.looseObject({
      user_username: z.string().nullish(),
      user_email: z.string().nullish(),
      shift_start: z.string(),
      shift_end: z.string(),
    }),
  ),
});

/** Reads schedules; it changes none, and pages nobody. */
export function createOnCall(
  { tool, url, token }: OnCallSettings,
  fetch: Fetch,
  clock: Pick<Clock, 'now'>,
): OnCall {
  const reading = <T>(
    name: string,
    headers: Record<string, string>,
    addressOf: (schedule: string) => string,
    shape: z.ZodType<T>,
    peopleIn: (answer: T) => readonly Person[],
  ): OnCall => ({
    name,
    now: async (schedule, signal) => {
      const at = {
        name,
        headers,
        fetch,
        clock,
        explain: (...refusal: [number, unknown]) => explain(name, ...refusal),
      };
      return shift(peopleIn(await ask({ url: addressOf(schedule), signal }, shape, at)), clock);
    },
  });
  switch (tool) {
    case 'pagerduty':
      return reading(
        'PagerDuty',
        { authorization: `Token token=${token}`, accept: 'application/vnd.pagerduty+json;version=2' },
        (schedule) => {
          const query = new URLSearchParams({ 'schedule_ids[]': schedule, 'include[]': 'users' });
          return `${url ?? PAGERDUTY}/oncalls?${query}`;
        },
        PagerDuty,
        ({ oncalls }) => {
          const level = Math.min(...oncalls.map((one) => one.escalation_level));
          const first = oncalls.filter((one) => one.escalation_level === level);
          return first.map(({ user, end }) => ({ name: user.name ?? user.summary, end }));
        },
      );
    case 'opsgenie':
      return reading(
        'Opsgenie',
        { authorization: `GenieKey ${token}` },
        (schedule) => {
          const by = isId(schedule) ? 'id' : 'name';
          const path = `/v2/schedules/${encodeURIComponent(schedule)}/on-calls?scheduleIdentifierType=${by}&flat=true`;
          return `${url ?? OPSGENIE}${path}`;
        },
        Opsgenie,
        ({ data }) => data.onCallRecipients.map((name) => ({ name, end: null })),
      );
    case 'grafana':
      return reading(
        'Grafana OnCall',
        { authorization: token },
        (schedule) => {
          const day = (ms: number) => new Date(clock.now() + ms).toISOString().slice(0, 10);
          const query = new URLSearchParams({ start_date: day(-DAY_MS), end_date: day(DAY_MS) });
          return `${url ?? ''}/api/v1/schedules/${encodeURIComponent(schedule)}/final_shifts?${query}`;
        },
        Grafana,
        ({ results }) => {
          const now = clock.now();
          return results
            .filter((one) => Date.parse(one.shift_start) <= now && now < Date.parse(one.shift_end))
            .map((one) => ({ name: one.user_username ?? one.user_email, end: one.shift_end }));
        },
      );
  }
}

interface Person {
  name: string | null | undefined;
  end: string | null | undefined;
}

function shift(people: readonly Person[], clock: Pick<Clock, 'now'>): Shift {
  const ends = people.map(({ end }) => Date.parse(end ?? '')).filter((at) => !Number.isNaN(at));
  const names = people.flatMap(({ name }) => (name ? [name] : []));
  return {
    names: [...new Set(names)],
    until: ends.length === 0 ? null : Math.min(...ends),
    asOf: clock.now(),
  };
}

function explain(name: string, status: number, body: unknown): TrackerError | null {
  const detail = detailOf(body);
  if (status === 401 || status === 403)
    return new TrackerError(`${name} does not permit it${detail === '' ? '' : ` (${detail})`}`, {
      fix: 'let ONCALL_TOKEN read schedules',
    });
  if (status === 404)
    return new TrackerError(`${name} knows no such schedule`, {
      fix: 'correct it in OWNERS, or check ONCALL_URL',
      isGone: true,
    });
  return null;
}

const FRESH_MS = 5 * 60_000;
/** A card does not wait longer for it. */
const PATIENCE_MS = 3_000;

/** Who is on call, asked for at most every five minutes; `null` where the tool does not say. */
export function remembered(
  onCall: OnCall,
  { clock, log }: { clock: Pick<Clock, 'now'>; log: { warn(fields: object, message: string): void } },
): (schedule: string) => Promise<Shift | null> {
  const known = new Map<string, { at: number; shift: Promise<Shift | null> }>();
  return (schedule) => {
    const before = known.get(schedule);
    if (before !== undefined && clock.now() - before.at < FRESH_MS) return before.shift;
    const shift = onCall.now(schedule, AbortSignal.timeout(PATIENCE_MS)).catch((error: unknown) => {
      log.warn({ err: error, schedule }, 'could not read who is on call');
      return null;
    });
    known.set(schedule, { at: clock.now(), shift });
    return shift;
  };
}
