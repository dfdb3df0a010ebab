import type { App, RespondFn, SlackCommandMiddlewareArgs } from '@slack/bolt';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import type { Deps } from '../../deps.ts';
import { issueIdOf } from '../../filing/reference.ts';
import { notAllowed } from '../../render/notices.ts';
import type { Moment } from '../../shared/moment.ts';
import { notifyPerson } from '../listening/notify.ts';
import { timeOfTs } from '../timestamp.ts';

/** What the inbox adds to each delivery. */
const Context = z.looseObject({ receivedAt: z.number().optional() });
const Press = z.looseObject({
  actions: z.array(z.looseObject({ action_ts: z.string().regex(/^\d{1,16}(?:\.\d{1,9})?$/u) })).min(1),
});
/** Slack delivers within the hour; a time further off than this is not from its clock. */
const PLAUSIBLE_MS = 24 * 60 * 60_000;

interface Delivered {
  body: unknown;
  context: unknown;
}

/** When somebody pressed, by Slack's clock; of a command, which has no time, when it arrived. */
export function momentOf({ body, context }: Delivered, { clock }: { clock: Clock }): Moment {
  const receivedAt = Context.safeParse(context).data?.receivedAt ?? clock.now();
  const ts = Press.safeParse(body).data?.actions[0]?.action_ts ?? null;
  const isPlausible = ts !== null && Math.abs(timeOfTs(ts) - receivedAt) < PLAUSIBLE_MS;
  return { ts: isPlausible ? ts : null, receivedAt };
}

/** What a person wrote behind a command, and where. They may use Gumshoe; what else they may, it checks itself. */
export interface CommandCall {
  /** How they called it, as it can be written again: `/gumshoe`, `/dev-issue`, `/gumshoe issue`. */
  command: string;
  /** The words behind it, trimmed. */
  words: string;
  channel: string;
  userId: string;
  /** Opens a modal, within three seconds. */
  triggerId: string;
  /** The id of what this causes: the same when the stored delivery is taken up again. */
  cause: string;
  /** When it came: Slack gives a command no time. */
  moment: Moment;
  respond: RespondFn;
}

/**
 * One word behind `/gumshoe`.
 *
 * @example
 * { example: 'status', does: 'shows how I am', run: async ({ respond }, deps) => notifyPerson(respond, renderStatus(…), deps) }
 */
export interface Subcommand {
  /** How it is written, as an example: `dry-run 50`. */
  example: string;
  /** What it does, in a line of `/gumshoe help`. */
  does: string;
  run(call: CommandCall, deps: Deps): Promise<void>;
}

/** The id of a channel as Slack writes it into a command (`<#C0ALERTS|alerts>`). */
export function channelNamed(words: string): string | undefined {
  return /^<#(?<channel>[A-Z0-9]+)(?:\|[^<>]*)?>$/u.exec(words)?.groups?.channel;
}

/** A command with an optional prefix, so that `/dev-investigate` works beside `/investigate`. */
export function commandPattern(name: string): RegExp {
  return new RegExp(`^/(?:[a-z0-9_]+-)*${name}$`, 'iu');
}

export function commandCall(
  {
    body,
    command,
    context,
    respond,
  }: Pick<SlackCommandMiddlewareArgs, 'body' | 'command' | 'respond'> & { context: unknown },
  deps: Deps,
): CommandCall {
  const { channel_id: channel, user_id: userId, trigger_id: triggerId, text } = command;
  return {
    command: command.command,
    words: text.trim(),
    channel,
    userId,
    triggerId,
    cause: issueIdOf(channel, userId, triggerId, command.command, text),
    moment: momentOf({ body, context }, deps),
    respond,
  };
}

/** Listens to a command of its own; who may not use Gumshoe is told so. */
export function onCommand(app: App, deps: Deps, name: string, { run }: Pick<Subcommand, 'run'>): void {
  app.command(commandPattern(name), async ({ ack, ...rest }) => {
    await ack();
    const call = commandCall(rest, deps);
    const refusal = await deps.people.refusal(call.userId);
    if (refusal) return notifyPerson(call.respond, notAllowed(refusal), deps);
    await run(call, deps);
  });
}
