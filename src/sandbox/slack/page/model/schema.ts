import { z } from 'zod';
import type {
  AssistantOutcome,
  PageAssistantThread,
  PageEvent,
  PageFile,
  PageHome,
  PageMessage,
  PageState,
  PageView,
  SuggestOutcome,
} from '../../page-api.ts';
import { pageStage } from './stage-schema.ts';

const pageUser = z.object({
  id: z.string(),
  name: z.string(),
  real_name: z.string(),
  is_bot: z.boolean(),
  color: z.string(),
  role: z.exactOptional(z.enum(['admin', 'guest', 'external'])),
});

const pageChannel = z.object({
  id: z.string(),
  name: z.string(),
  topic: z.string(),
  is_im: z.boolean(),
  is_private: z.boolean(),
  members: z.exactOptional(z.array(z.string())),
  bot_is_member: z.boolean(),
});

/** Answer of `GET /page-api/state`. */
export const pageState = z.object({
  team: z.object({ id: z.string(), name: z.string() }),
  users: z.array(pageUser),
  channels: z.array(pageChannel),
  commands: z.array(
    z.object({
      command: z.string(),
      description: z.string(),
      usage_hint: z.exactOptional(z.string()),
    }),
  ),
  shortcuts: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['message', 'global']),
      callback_id: z.string(),
      description: z.string(),
    }),
  ),
  bot: z.object({ user_id: z.string(), name: z.string(), online: z.boolean(), has_home: z.boolean() }),
  assistant: z.boolean(),
}) satisfies z.ZodType<PageState>;

const pageFile = z.object({
  id: z.string(),
  state: z.enum(['ready', 'deleted']),
  name: z.string(),
  title: z.string(),
  kind: z.string(),
  size: z.number(),
  alt: z.exactOptional(z.string()),
  image: z.exactOptional(z.object({ width: z.number(), height: z.number() })),
  preview: z.exactOptional(z.string()),
  lines_more: z.exactOptional(z.number()),
}) satisfies z.ZodType<PageFile>;

const pageMessage = z.object({
  type: z.literal('message'),
  channel: z.string(),
  ts: z.string(),
  thread_ts: z.exactOptional(z.string()),
  subtype: z.exactOptional(z.string()),
  user: z.exactOptional(z.string()),
  username: z.exactOptional(z.string()),
  bot_id: z.exactOptional(z.string()),
  icons: z.exactOptional(z.object({ emoji: z.exactOptional(z.string()) })),
  text: z.string(),
  blocks: z.exactOptional(z.array(z.unknown())),
  attachments: z.exactOptional(z.array(z.unknown())),
  files: z.exactOptional(z.array(pageFile)),
  edited: z.exactOptional(z.object({ user: z.string(), ts: z.string() })),
  reactions: z.exactOptional(
    z.array(z.object({ name: z.string(), count: z.number(), users: z.array(z.string()) })),
  ),
  reply_count: z.exactOptional(z.number()),
  latest_reply: z.exactOptional(z.string()),
  ephemeral_to: z.exactOptional(z.string()),
  streaming: z.exactOptional(z.literal(true)),
  streaming_to: z.exactOptional(z.string()),
  began: z.exactOptional(z.string()),
}) satisfies z.ZodType<PageMessage>;

/** Answer of `GET /page-api/messages`. */
export const messagesAnswer = z.object({ messages: z.array(pageMessage) });

const pageView = z.object({
  id: z.string(),
  user: z.string(),
  hash: z.string(),
  title: z.unknown(),
  submit: z.exactOptional(z.unknown()),
  close: z.exactOptional(z.unknown()),
  blocks: z.array(z.unknown()),
}) satisfies z.ZodType<PageView>;

/** Answer of `GET /page-api/views`. */
export const viewsAnswer = z.object({ views: z.array(pageView) });

const pageHome = z.object({
  id: z.string(),
  user: z.string(),
  hash: z.string(),
  blocks: z.array(z.unknown()),
}) satisfies z.ZodType<PageHome>;

/** Answer of `GET /page-api/home`. */
export const homeAnswer = z.object({ home: pageHome.nullable() });

const assistantThread = z.object({
  user: z.string(),
  channel: z.string(),
  thread_ts: z.string(),
  is_pane: z.boolean(),
  title: z.string().nullable(),
  status: z.string().nullable(),
  prompts_title: z.string().nullable(),
  prompts: z.array(z.object({ title: z.string(), message: z.string() })),
}) satisfies z.ZodType<PageAssistantThread>;

/** Answer of `GET /page-api/assistant`. */
export const assistantAnswer = z.object({ threads: z.array(assistantThread) });

/** Answer of `POST /page-api/assistant`. */
export const assistantOutcome = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), channel: z.string(), thread_ts: z.string() }),
  z.object({ ok: z.literal(false), error: z.string() }),
]) satisfies z.ZodType<AssistantOutcome>;

const pageOption = z.object({ text: z.object({ type: z.string(), text: z.string() }), value: z.string() });

/** Answer of `POST /page-api/suggestions`. */
export const suggestOutcome = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    options: z.array(pageOption),
    option_groups: z.array(z.object({ label: pageOption.shape.text, options: z.array(pageOption) })),
  }),
  z.object({ ok: z.literal(false), error: z.string() }),
]) satisfies z.ZodType<SuggestOutcome>;

/** One `data:` of `GET /page-api/events`. */
export const pageEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal(['message', 'message_changed']), channel: z.string(), message: pageMessage }),
  z.object({
    type: z.literal('message_deleted'),
    channel: z.string(),
    ts: z.string(),
    thread_ts: z.exactOptional(z.string()),
  }),
  z.object({ type: z.literal('bot'), online: z.boolean() }),
  z.object({ type: z.literal('view'), view: pageView }),
  z.object({ type: z.literal('view_closed'), user: z.string(), id: z.string() }),
  z.object({ type: z.literal('home'), home: pageHome }),
  z.object({ type: z.literal('assistant'), thread: assistantThread }),
  z.object({ type: z.literal('stage'), stage: pageStage }),
]) satisfies z.ZodType<PageEvent>;

/** Answer of every `POST` of the page's; `errors` only to `views/submit`. */
export const outcome = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  z.object({
    ok: z.literal(false),
    error: z.string(),
    errors: z.exactOptional(z.record(z.string(), z.string())),
  }),
]);

/** An outcome as the page reads it: `errors` where the app found fields of a modal wrong. */
export type Outcome = z.infer<typeof outcome>;
