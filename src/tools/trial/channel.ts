import { z } from 'zod';
import { parseAlert } from '../../bot/alerts/parse.ts';
import { requestForAlert } from '../../bot/filing/request.ts';
import { createLogger } from '../../bot/shared/log.ts';
import { createSlackClient } from '../../bot/slack/client.ts';
import { classifySlackError } from '../../bot/slack/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Environment, OperatorError } from '../../lib/io.ts';
import type { PastAlert } from '../../service/trial/past-alert.ts';

const CHANNEL = /^[CDG][A-Z0-9]{1,20}$/u;
const DAY = 24 * 3_600_000;
const PAGE = 200;
const TRIES = 5;

const Page = z.looseObject({
  messages: z.array(z.looseObject({ ts: z.string() })).catch([]),
  response_metadata: z.looseObject({ next_cursor: z.string().optional() }).optional(),
});

/**
 * The alerts in a channel's history, as the bot reads them, with their recoveries as ends.
 * @throws OperatorError that says what to do
 */
export async function readChannel(
  channel: string,
  days: number,
  { env, clock }: { env: Environment; clock: Clock },
): Promise<PastAlert[]> {
  const token = env.SLACK_BOT_TOKEN;
  if (token === undefined || !CHANNEL.test(channel))
    throw new OperatorError(
      token === undefined
        ? '--slack reads a channel with the bot’s token: set SLACK_BOT_TOKEN.'
        : `--slack takes the id of a channel, such as C0123ABCD (in Slack: the channel’s details, at the bottom), not ${channel}.`,
    );
  const client = createSlackClient({
    token,
    apiUrl: env.SLACK_API_URL ?? 'https://slack.com/api/',
    log: createLogger('silent'),
  });
  const oldest = String((clock.now() - days * DAY) / 1000);
  const messages: { ts: string }[] = [];
  let cursor: string | undefined;
  do {
    const from = { channel, oldest, limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const page = Page.parse(await patiently(clock, () => client.conversations.history(from)));
    messages.push(...page.messages);
    cursor = page.response_metadata?.next_cursor || undefined;
  } while (cursor !== undefined);
  return alertsIn(
    messages.toSorted((a, b) => Number(a.ts) - Number(b.ts)),
    channel,
  );
}

/** Slack lets an app that is not in its directory read slowly. */
async function patiently<T>(clock: Clock, read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      const failure = classifySlackError(error);
      if (failure.kind === 'rate_limited' && tries < TRIES) {
        await clock.sleep(failure.retryAfterMs);
        continue;
      }
      const why = failure.kind === 'refused' ? failure.error : failure.kind;
      const hint = /not_in_channel|channel_not_found/u.test(why) ? ' Invite the bot there first.' : '';
      throw new OperatorError(`Slack does not give the channel’s history (${why}).${hint}`, { cause: error });
    }
  }
}

/** @param messages oldest first */
export function alertsIn(messages: readonly { ts: string }[], channel: string): PastAlert[] {
  const alerts: PastAlert[] = [];
  const open = new Map<string, PastAlert>();
  for (const message of messages) {
    const alert = parseAlert({ ...message, type: 'message', channel });
    const identity = alert.fingerprint ?? alert.title ?? message.ts;
    const at = Date.parse(alert.triggeredAt ?? '') || Number(message.ts) * 1000;
    if (alert.kind === 'resolved') {
      const fired = open.get(identity);
      if (fired !== undefined) fired.to = Math.max(fired.from, Number(message.ts) * 1000);
      open.delete(identity);
    }
    // A repeat of what fires says nothing new.
    if (alert.kind !== 'firing' || open.has(identity)) continue;
    const origin = { issueId: '', channel, ts: message.ts, permalink: null };
    const { title, description, environment, context } = requestForAlert(alert, origin, {
      environment: 'production',
      severity: 'medium',
      earlier: null,
      isTitleTaken: false,
    });
    const one: PastAlert = {
      name: title,
      from: at,
      to: null,
      identity,
      description,
      service: alert.service,
      environment,
      context: context ?? {},
      url: alert.alertUrl,
    };
    alerts.push(one);
    open.set(identity, one);
  }
  return alerts;
}
