import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { z } from 'zod';
import { type CheckResult, failed, passed, slackFailure } from '../../bot/slack/checks.ts';
import { classifySlackError } from '../../bot/slack/errors.ts';
import type { Clock } from '../../lib/clock.ts';

const NAME = 'Slack blocks';
/** Slack does not document the rate limit of `blocks.validate`; this is fewer than 50 calls a minute. */
const PACE_MS = 1_250;
const MOST_WAITS = 5;
/** How many faults of one payload are printed; the rest are counted. */
const MOST_FAULTS = 5;

export type Payload = { renderer: string; name: string } & ({ message: object } | { view: object });

const Refusal = z.object({
  errors: z.array(
    z.object({
      pointer: z.string().catch('?'),
      message: z.string().catch('no message'),
      constraint: z
        .object({ expected: z.array(z.unknown()).optional(), got: z.unknown().optional() })
        .optional()
        .catch(undefined),
    }),
  ),
});

/** Has Slack check messages and views with `blocks.validate`, one at a time. Each one that it rejects is a result. */
export async function checkBlocks(
  client: WebClient,
  payloads: readonly Payload[],
  clock: Pick<Clock, 'sleep'>,
): Promise<CheckResult[]> {
  const refused: CheckResult[] = [];
  for (const [index, payload] of payloads.entries()) {
    if (index > 0) await clock.sleep(PACE_MS);
    try {
      await validate(client, payload, clock);
    } catch (error) {
      const faults = faultsIn(error);
      if (faults === null) return [...refused, notChecked(error, index, payloads.length)];
      const { renderer, name } = payload;
      refused.push(
        failed(
          NAME,
          `Slack rejects ${renderer} (${name}): ${faults}`,
          `correct src/bot/render/${renderer}.ts`,
        ),
      );
    }
  }
  return refused.length > 0 ? refused : [passed(NAME, `all ${payloads.length} messages and views are valid`)];
}

/** Waits and tries again if Slack limits the rate. */
async function validate(client: WebClient, payload: Payload, clock: Pick<Clock, 'sleep'>): Promise<void> {
  const { renderer: _, name: _name, ...args } = payload;
  for (let waits = 0; ; waits += 1) {
    try {
      await client.apiCall('blocks.validate', args);
      return;
    } catch (error) {
      const failure = classifySlackError(error);
      if (failure.kind !== 'rate_limited' || waits === MOST_WAITS) throw error;
      await clock.sleep(failure.retryAfterMs);
    }
  }
}

/** What is wrong with a payload, on one line; `null` if Slack did not check it. */
function faultsIn(error: unknown): string | null {
  if (!(error instanceof WebAPIPlatformError) || !/^invalid_(?:message|view)$/u.test(error.data.error)) {
    return null;
  }
  const refusal = Refusal.safeParse(error.data);
  if (!refusal.success || refusal.data.errors.length === 0) return error.data.error;
  const { errors } = refusal.data;
  const lines = errors.slice(0, MOST_FAULTS).map(({ pointer, message, constraint }) => {
    const expected = constraint?.expected?.map(String).join(', ') ?? '';
    return `${message} at ${pointer}${expected === '' ? '' : ` (expected ${expected})`}`;
  });
  const more = errors.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function notChecked(error: unknown, done: number, all: number): CheckResult {
  const failure = classifySlackError(error);
  if (failure.kind === 'refused' && failure.error === 'unknown_method') {
    return failed(
      NAME,
      'this Slack does not know blocks.validate, so nothing was checked',
      'leave out --blocks, or try again once this Slack has the method',
    );
  }
  const { detail, fix } = slackFailure(NAME, error, 'SLACK_BOT_TOKEN');
  return { name: NAME, ok: false, detail: `${detail}; ${done} of ${all} were checked`, fix };
}
