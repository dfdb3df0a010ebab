import { z } from 'zod';
import { PagePanel } from './page-panel.ts';

/**
 * The contract between the page in the browser and the local workspace, below `/page-api`: what can be read
 * (`PAGE_ANSWERS`, at the end), what can be done (`PAGE_CALLS` in `page-requests.ts`), the control panel
 * (`page-panel.ts`), files (`GET /files/<id>`: whatever is no PNG, JPEG or GIF only to be saved), and one stream of
 * server-sent events (`GET /events`: each `data:` is a `PageEvent`). One zod source for both sides: the workspace checks
 * requests, the page checks answers.
 */

export const PageUser = z.object({
  id: z.string(),
  name: z.string(),
  real_name: z.string(),
  is_bot: z.boolean(),
  /** The avatar is a letter on a square of this color. */
  color: z.string(),
  /** Ordinary members have none. */
  role: z.exactOptional(z.enum(['admin', 'guest', 'external'])),
});
export type PageUser = z.infer<typeof PageUser>;

export const PageChannel = z.object({
  id: z.string(),
  name: z.string(),
  topic: z.string(),
  is_im: z.boolean(),
  is_private: z.boolean(),
  /** On a private channel, and a conversation with Slackbot: the people who see it. */
  members: z.exactOptional(z.array(z.string())),
  /** Whether the app is a member. */
  bot_is_member: z.boolean(),
});
export type PageChannel = z.infer<typeof PageChannel>;

/** Commands and shortcuts are those of `manifest.yml`. */
export const PageState = z.object({
  team: z.object({ id: z.string(), name: z.string() }),
  users: z.array(PageUser),
  channels: z.array(PageChannel),
  commands: z.array(
    z.object({ command: z.string(), description: z.string(), usage_hint: z.exactOptional(z.string()) }),
  ),
  shortcuts: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['message', 'global']),
      callback_id: z.string(),
      description: z.string(),
    }),
  ),
  /** The app itself. `online` while a Socket Mode connection is open, or deliveries go over HTTP. */
  bot: z.object({ user_id: z.string(), name: z.string(), online: z.boolean(), has_home: z.boolean() }),
  /** Set where the manifest has `agent_view`; whether its sessions have a stop button. */
  agent: z.exactOptional(z.object({ description: z.string(), is_stoppable: z.boolean() })),
});
export type PageState = z.infer<typeof PageState>;

/** A file in a message; its bytes are at `GET /page-api/files/<id>`. */
export const PageFile = z.object({
  id: z.string(),
  /** Nothing else is known of a deleted file. */
  state: z.enum(['ready', 'deleted']),
  name: z.string(),
  title: z.string(),
  /** For people: `PNG`, `JSON`, `Plain Text`. */
  kind: z.string(),
  /** Bytes. */
  size: z.number(),
  alt: z.exactOptional(z.string()),
  /** Set on an image that a browser may draw. */
  image: z.exactOptional(z.object({ width: z.number(), height: z.number() })),
  /** The first lines of a text file, and how many more there are. */
  preview: z.exactOptional(z.string()),
  lines_more: z.exactOptional(z.number()),
});
export type PageFile = z.infer<typeof PageFile>;

/** A Slack message as `conversations.history` returns it, plus what the page needs. */
export const PageMessage = z.object({
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
  /** What the app has attached to it for itself; people see nothing of it. */
  metadata: z.exactOptional(
    z.object({
      event_type: z.string().optional(),
      event_payload: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  files: z.exactOptional(z.array(PageFile)),
  edited: z.exactOptional(z.object({ user: z.string(), ts: z.string() })),
  reactions: z.exactOptional(
    z.array(z.object({ name: z.string(), count: z.number(), users: z.array(z.string()) })),
  ),
  /** On the root of a thread only. */
  reply_count: z.exactOptional(z.number()),
  latest_reply: z.exactOptional(z.string()),
  /** Set on an ephemeral message: the one person who sees it. */
  ephemeral_to: z.exactOptional(z.string()),
  /** Set while a stream is open. */
  streaming: z.exactOptional(z.literal(true)),
  /** On an open stream in a channel: the one person who sees it grow. */
  streaming_to: z.exactOptional(z.string()),
  /** With `streaming_to`: the Markdown that everybody else sees instead; it may be empty. */
  began: z.exactOptional(z.string()),
});
export type PageMessage = z.infer<typeof PageMessage>;

/** One kind of message in the gallery, as the app renders it; these messages are in no channel. */
export const PageGalleryEntry = z.object({
  name: z.string(),
  messages: z.array(z.object({ text: z.string(), blocks: z.array(z.unknown()) })),
});
export type PageGalleryEntry = z.infer<typeof PageGalleryEntry>;

/** A thread in which an agent works. */
export const PageSession = z.object({
  channel: z.string(),
  thread_ts: z.string(),
  status: z.enum(['active', 'processing', 'suspended', 'closed']),
  title: z.string().nullable(),
});
export type PageSession = z.infer<typeof PageSession>;

/** The Messages tab of an agent, as one person sees it. */
export const PageMessagesTab = z.object({
  user: z.string(),
  channel: z.string(),
  prompts_title: z.string().nullable(),
  /** A click on a prompt sends its message. */
  prompts: z.array(z.object({ title: z.string(), message: z.string() })),
});
export type PageMessagesTab = z.infer<typeof PageMessagesTab>;

/** An open modal. A pushed one covers the one below it. */
export const PageView = z.object({
  id: z.string(),
  /** The person who has it open. */
  user: z.string(),
  /** Changes with each update; block ids are set, as in Slack's payloads. */
  hash: z.string(),
  /** As the app sent it: title, submit, close, blocks. */
  title: z.unknown(),
  submit: z.exactOptional(z.unknown()),
  close: z.exactOptional(z.unknown()),
  blocks: z.array(z.unknown()),
});
export type PageView = z.infer<typeof PageView>;

/** The app's Home, as one person sees it. */
export const PageHome = z.object({
  id: z.string(),
  user: z.string(),
  hash: z.string(),
  blocks: z.array(z.unknown()),
});
export type PageHome = z.infer<typeof PageHome>;

export const PageEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal(['message', 'message_changed']), channel: z.string(), message: PageMessage }),
  z.object({
    type: z.literal('message_deleted'),
    channel: z.string(),
    ts: z.string(),
    thread_ts: z.exactOptional(z.string()),
  }),
  z.object({ type: z.literal('bot'), online: z.boolean() }),
  /** A modal was opened or updated (`views.update`, `response_action: update`). */
  z.object({ type: z.literal('view'), view: PageView }),
  z.object({ type: z.literal('view_closed'), user: z.string(), id: z.string() }),
  /** A Home was published. */
  z.object({ type: z.literal('home'), home: PageHome }),
  /** An agent's session was begun, renamed, or has another status. */
  z.object({ type: z.literal('session'), session: PageSession }),
  /** The prompts of a Messages tab changed. */
  z.object({ type: z.literal('messages_tab'), tab: PageMessagesTab }),
  /** Something that the control panel shows has changed. */
  z.object({ type: z.literal('stage'), stage: PagePanel }),
]);
export type PageEvent = z.infer<typeof PageEvent>;

const failure = z.object({ ok: z.literal(false), error: z.string() });

/**
 * `error` is a sentence for the person, e.g. that the app did not answer within 3 seconds. `errors`, by `block_id`, come
 * from `views/submit` only: they are shown at their fields, and the modal stays open.
 */
export const PageOutcome = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  failure.extend({ errors: z.exactOptional(z.record(z.string(), z.string())) }),
]);
export type PageOutcome = z.infer<typeof PageOutcome>;

const label = z.object({ type: z.string(), text: z.string() });

/** An option as the app offers it. */
const PageOption = z.object({ text: label, value: z.string() });

/** The options, or groups of options, that the app offers for what was typed. */
export const SuggestOutcome = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    options: z.array(PageOption),
    option_groups: z.array(z.object({ label, options: z.array(PageOption) })),
  }),
  failure,
]);
export type SuggestOutcome = z.infer<typeof SuggestOutcome>;

const ANSWERS = {
  state: PageState,
  /** Of `channel` the top level, or the thread `thread_ts`; oldest first. */
  messages: z.object({ messages: z.array(PageMessage) }),
  /** The open modals of the person `as`, the one on top last. */
  views: z.object({ views: z.array(PageView) }),
  /** What the app has published for `as`. */
  home: z.object({ home: PageHome.nullable() }),
  /** Those of the conversations that `as` is in, the newest first. */
  sessions: z.object({ sessions: z.array(PageSession) }),
  /** The one of `as`; the call `home` opens it. */
  'messages-tab': z.object({ tab: PageMessagesTab }),
  /** Empty if the workspace has no gallery. */
  gallery: z.object({ entries: z.array(PageGalleryEntry) }),
  stage: PagePanel,
};

export type PageAnswers = { [K in keyof typeof ANSWERS]: z.infer<(typeof ANSWERS)[K]> };

/** What the page reads with `GET /page-api/<name>`, with what each asks for in the query. */
export const PAGE_ANSWERS: { [K in keyof PageAnswers]: z.ZodType<PageAnswers[K]> } = ANSWERS;
