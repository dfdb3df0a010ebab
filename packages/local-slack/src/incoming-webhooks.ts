import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Channel } from './entities.ts';
import { SlackError } from './errors.ts';
import { answerText, BodyError, readBody } from './http/body.ts';
import { newHex } from './ids.ts';
import { postMessage } from './messages/post.ts';
import { checkAttachments, checkBlocks } from './validate/check.ts';
import type { WorkspaceContext } from './workspace-context.ts';

/** The parts of an incoming webhook's address: `/services/<team>/<bot>/<secret>`. */
interface WebhookKeys {
  team: string;
  bot: string;
  secret: string;
}

/** The keys of a channel's webhook. They stay the same as long as the workspace's file does. */
function webhookKeys({ store, random, team }: WorkspaceContext, channel: string): WebhookKeys {
  const seed = store.meta.remember('incoming_webhooks', () => newHex(random, 24));
  const hash = (what: string) => createHash('sha256').update(`${seed} ${what} ${channel}`).digest('hex');
  return {
    team: team.id,
    bot: `B${hash('bot').slice(0, 10).toUpperCase()}`,
    secret: hash('secret').slice(0, 24),
  };
}

function webhookPath(context: WorkspaceContext, channel: string): string {
  const { team, bot, secret } = webhookKeys(context, channel);
  return `/services/${team}/${bot}/${secret}`;
}

/** The addresses that the panel shows: on the page's port, which stays the same from one start to the next. */
export function webhookAddresses(
  context: WorkspaceContext,
): { channel: string; name: string; url: string }[] {
  return channelsWithWebhook(context).map(({ id, name }) => ({
    channel: id,
    name,
    url: new URL(webhookPath(context, id), context.pageUrl).href,
  }));
}

/** Every channel; conversations of two have no webhook. */
function channelsWithWebhook({ store }: WorkspaceContext): Channel[] {
  return store.channels.all().filter(({ is_im }) => !is_im);
}

/** As Slack answers a webhook: everything else is 400. */
const STATUS: ReadonlyMap<string, number> = new Map([
  ['invalid_token', 403],
  ['action_prohibited', 403],
  ['no_team', 404],
  ['no_service', 404],
  ['channel_not_found', 404],
  ['channel_is_archived', 410],
]);

const Payload = z.object({
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  attachments: z.unknown().optional(),
  thread_ts: z.string().optional(),
  username: z.string().optional(),
  icon_emoji: z.string().optional(),
});

/** What others call the webhook's author where the message names none. */
const NAME = 'incoming-webhook';

/**
 * Answers `POST /services/<team>/<bot>/<secret>` as Slack answers an incoming webhook: posts to the webhook's channel, and
 * says `ok`, or why not, as plain text.
 */
export async function receiveWebhook(
  context: WorkspaceContext,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    post(context, channelFor(context, path), payloadIn(await readBody(request)));
    answerText(response, 200, 'ok');
  } catch (cause) {
    if (cause instanceof BodyError) return answerText(response, 400, 'invalid_payload');
    if (!(cause instanceof SlackError)) throw cause;
    answerText(response, STATUS.get(cause.code) ?? 400, cause.code);
  }
}

/** @throws SlackError `no_team`, `no_service`, `invalid_token`. */
function channelFor(context: WorkspaceContext, path: string): Channel {
  const [, , team = '', bot = '', secret = ''] = path.split('/');
  if (team !== context.team.id) throw new SlackError('no_team');
  const channel = channelsWithWebhook(context).find(({ id }) => webhookKeys(context, id).bot === bot);
  if (channel === undefined) throw new SlackError('no_service');
  if (webhookKeys(context, channel.id).secret !== secret) throw new SlackError('invalid_token');
  return channel;
}

/** JSON as the body, or in the field `payload` of a form. @throws SlackError `invalid_payload`. */
function payloadIn(body: unknown): z.output<typeof Payload> {
  const Form = z.object({ payload: z.string() });
  const form = Form.safeParse(body);
  const parsed = Payload.safeParse(form.success ? jsonIn(form.data.payload) : body);
  if (!parsed.success) throw new SlackError('invalid_payload');
  return parsed.data;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SlackError('invalid_payload');
  }
}

/** @throws SlackError `channel_is_archived`, `action_prohibited`, or any refusal of the content. */
function post(context: WorkspaceContext, channel: Channel, payload: z.output<typeof Payload>): void {
  if (channel.is_archived) throw new SlackError('channel_is_archived');
  if (channel.is_restricted) throw new SlackError('action_prohibited');
  const { text = '', blocks, attachments, thread_ts, username, icon_emoji } = payload;
  postMessage(context, {
    channel,
    author: { kind: 'webhook', username: username || NAME, icon: icon_emoji },
    text,
    blocks: blocks === undefined ? undefined : checkBlocks(blocks),
    attachments: attachments === undefined ? undefined : checkAttachments(attachments),
    thread_ts,
  });
}
