import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { OnCallSettings } from '../config.ts';
import { ask, detailOf, type Fetch, type Service, TrackerError } from '../tickets/tracker.ts';
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
  const service = (name: string, headers: Record<string, string>): Service => ({
    name,
    headers,
    fetch,
    clock,
    explain: (status, body) => explain(name, status, body),
  });
  switch (tool) {
    case 'pagerduty': {
      const at = service('PagerDuty', {
        authorization: `Token token=${token}`,
        accept: 'application/vnd.pagerduty+json;version=2',
      });
      return {
        name: at.name,
        now: async (schedule, signal) => {
          const query = new URLSearchParams({ 'schedule_ids[]': schedule, 'include[]': 'users' });
          const { oncalls } = await ask(
            { url: `${url ?? PAGERDUTY}/oncalls?${query}`, signal },
            PagerDuty,
            at,
          );
          const level = Math.min(...oncalls.map((one) => one.escalation_level));
          const first = oncalls.filter((one) => one.escalation_level === level);
          return shift(
            first.map(({ user, end }) => ({ name: user.name ?? user.summary, end })),
            clock,
          );
        },
      };
    }
    case 'opsgenie': {
      const at = service('Opsgenie', { authorization: `GenieKey ${token}` });
      return {
        name: at.name,
        now: async (schedule, signal) => {
          const by = isId(schedule) ? 'id' : 'name';
          const path = `/v2/schedules/${encodeURIComponent(schedule)}/on-calls?scheduleIdentifierType=${by}&flat=true`;
          const { data } = await ask({ url: `${url ?? OPSGENIE}${path}`, signal }, Opsgenie, at);
          return shift(
            data.onCallRecipients.map((name) => ({ name, end: null })),
            clock,
          );
        },
      };
    }
    case 'grafana': {
      const at = service('Grafana OnCall', { authorization: token });
      return {
        name: at.name,
        now: async (schedule, signal) => {
          const now = clock.now();
          const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
          const query = new URLSearchParams({ start_date: day(now - DAY_MS), end_date: day(now + DAY_MS) });
          const path = `/api/v1/schedules/${encodeURIComponent(schedule)}/final_shifts?${query}`;
          const { results } = await ask({ url: `${url ?? ''}${path}`, signal }, Grafana, at);
          const current = results.filter(
            (one) => Date.parse(one.shift_start) <= now && now < Date.parse(one.shift_end),
          );
          return shift(
            current.map((one) => ({ name: one.user_username ?? one.user_email, end: one.shift_end })),
            clock,
          );
        },
      };
    }
  }
}

function shift(
  people: readonly { name: string | null | undefined; end: string | null | undefined }[],
  clock: Pick<Clock, 'now'>,
): Shift {
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
