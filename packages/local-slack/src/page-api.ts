import { z } from 'zod';
import { PagePanel } from './page-panel.ts';

/**
 * The contract between the page in the browser and the local workspace: JSON calls, and one stream of server-sent
 * events. One zod source for both: the workspace checks requests, the page checks answers. All paths are below
 * `/page-api`; the control panel, `/page-api/stage`, is in `page-panel.ts`.
 *
 * | call | body or query → answer |
 * |---|---|
 * | `GET /state` | → `PageState` |
 * | `GET /messages?channel=C…[&thread_ts=…]` | → `{ messages: PageMessage[] }`, oldest first; without `thread_ts` the channel's top level |
 * | `GET /files/<id>` | → a file's bytes; whatever is no PNG, JPEG or GIF only to be saved |
 * | `GET /gallery` | → `{ entries: PageGalleryEntry[] }`; none if the workspace has no gallery |
 * | `GET /events` | SSE; each `data:` is a `PageEvent` |
 * | `POST /messages` | `{ as, channel, text, thread_ts? }` → `PageOutcome` |
 * | `POST /commands` | `{ as, channel, command, text }` → `PageOutcome` |
 * | `POST /actions` | `{ as, channel, message_ts, block_id, action_id, value?, selected_option?, selected_options?, selected_date?, … }` → `PageOutcome` |
 * | `POST /suggestions` | `{ as, view_id \| channel, message_ts, block_id, action_id, value }` → `SuggestOutcome`; what is typed into a list whose options the app has |
 * | `POST /shortcuts` | `{ as, callback_id, channel?, message_ts? }` → `PageOutcome`; channel and message for a message's shortcut |
 * | `POST /reactions` | `{ as, channel, message_ts, name, on }` → `PageOutcome`; `on: false` takes it back |
 * | `GET /views?as=U…` | → `{ views: PageView[] }`: that person's open modals, the one on top last |
 * | `POST /views/action` | `{ as, view_id, block_id, action_id, state, values }` → `PageOutcome`; a button or an input with `dispatch_action` in a modal or on the Home |
 * | `GET /home?as=U…` | → `{ home: PageHome \| null }`: what the app has published for that person |
 * | `POST /entities` | `{ as, channel, message_ts, ref }` → `PageOutcome`; opens a Work Object’s flexpane |
 * | `POST /entities/action` | the same with `where` and `action_id`; a button on its card or in its flexpane |
 * | `POST /home` | `{ as, tab, channel?, message_ts? }` → `PageOutcome`; opens the app's `home` or `messages` |
 * | `POST /views/submit` | `{ as, view_id, values }` → `PageOutcome` |
 * | `POST /views/close` | `{ as, view_id }` → `PageOutcome` |
 * | `POST /uploads` | `{ as, channel, text, thread_ts?, files: { name, content }[] }` → `PageOutcome`; `content` in base64 |
 * | `POST /streams/stop` | `{ as, channel, ts }` → `PageOutcome`; the person stops a message that still grows |
 * | `GET /assistant?as=U…` | → `{ threads: PageAssistantThread[] }`: that person's conversations with the app, the newest first |
 * | `POST /assistant` | `{ as, channel? }` → `AssistantOutcome`; opens a new thread of the pane, `channel` being where the person is looking |
 * | `GET /sessions?as=U…` | → `{ sessions: PageSession[] }`: those of the conversations that the person is in, the newest first |
 * | `GET /messages-tab?as=U…` | → `{ tab: PageMessagesTab }`; `POST /home` opens it |
 * | `POST /sessions/stop` | `{ as, channel, thread_ts }` → `PageOutcome`; the person stops what an agent does in that thread |
 * | `POST /sessions/rename` | `{ as, channel, thread_ts, title }` → `PageOutcome` |
 * | `POST /viewing` | `{ as, channel?, message_ts? }` → `PageOutcome`; what the person looks at, which an agent may hear |
 * | `POST /assistant/context` | `{ as, thread_ts, channel }` → `PageOutcome`; the person looks elsewhere while the thread is open |
 *
 * `values` is what the person has put in, `{ [block_id]: { [action_id]: state } }`, with each element's `state` as in
 * Slack's payloads: `{ type: 'plain_text_input', value }`, `{ type: 'static_select', selected_option }`,
 * `{ type: 'checkboxes', selected_options }` and so on.
 */

export const PageUser = z.object({
  id: z.string(),
  name: z.string(),
  real_name: z.string(),
  is_bot: z.boolean(),
  /** The avatar is a letter on a square of this colour. */
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
  /** On a private channel only: the people who see it. */
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
  /** Whether the manifest has `assistant_view`, and so the app a pane. */
  assistant: z.boolean(),
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
  /** Work Objects, drawn below the message. */
  entities: z.exactOptional(z.array(z.unknown())),
  /** Set while a stream is open. */
  streaming: z.exactOptional(z.literal(true)),
  /** On an open stream in a channel: the one person who sees it grow. */
  streaming_to: z.exactOptional(z.string()),
  /** With `streaming_to`: the Markdown that everybody else sees instead; it may be empty. */
  began: z.exactOptional(z.string()),
});
export type PageMessage = z.infer<typeof PageMessage>;

/** A person's flexpane: the details of a Work Object (`ref`) as the app presents them to that person. */
export const PageFlexpane = z.object({
  user: z.string(),
  channel: z.string(),
  message_ts: z.string(),
  ref: z.string(),
  state: z.enum(['loading', 'shown', 'error', 'sign_in']),
  /** Set if `state` is `shown`. */
  entity: z.exactOptional(z.unknown()),
  /** Set if `state` is `error`. */
  status: z.exactOptional(z.string()),
  title: z.exactOptional(z.string()),
  message: z.exactOptional(z.string()),
  /** The address to sign in at, if `state` is `sign_in`. */
  url: z.exactOptional(z.string()),
});
export type PageFlexpane = z.infer<typeof PageFlexpane>;

/** One kind of message in the gallery, as the app renders it; these messages are in no channel. */
export const PageGalleryEntry = z.object({
  name: z.string(),
  messages: z.array(z.object({ text: z.string(), blocks: z.array(z.unknown()) })),
});
export type PageGalleryEntry = z.infer<typeof PageGalleryEntry>;

/** A person's conversation with the app in the pane; or any thread with the app that has a status. */
export const PageAssistantThread = z.object({
  /** The person. */
  user: z.string(),
  /** Their conversation with the app. */
  channel: z.string(),
  thread_ts: z.string(),
  /** Started in the pane, which lists it. */
  is_pane: z.boolean(),
  title: z.string().nullable(),
  /** What the app is doing, e.g. `is thinking…`; shown after its name. */
  status: z.string().nullable(),
  prompts_title: z.string().nullable(),
  /** A click on a prompt sends its message. */
  prompts: z.array(z.object({ title: z.string(), message: z.string() })),
});
export type PageAssistantThread = z.infer<typeof PageAssistantThread>;

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
  /** A thread of the pane was opened, or its title, status or prompts changed. */
  z.object({ type: z.literal('assistant'), thread: PageAssistantThread }),
  /** A person's flexpane was opened, or filled by the app. */
  z.object({ type: z.literal('flexpane'), pane: PageFlexpane }),
  /** An agent's session was begun, renamed, or has another status. */
  z.object({ type: z.literal('session'), session: PageSession }),
  /** The prompts of a Messages tab changed. */
  z.object({ type: z.literal('messages_tab'), tab: PageMessagesTab }),
  /** Something that the control panel shows has changed. */
  z.object({ type: z.literal('stage'), stage: PagePanel }),
]);
export type PageEvent = z.infer<typeof PageEvent>;

export const MessagesAnswer = z.object({ messages: z.array(PageMessage) });
export const ViewsAnswer = z.object({ views: z.array(PageView) });
export const HomeAnswer = z.object({ home: PageHome.nullable() });
export const AssistantAnswer = z.object({ threads: z.array(PageAssistantThread) });
export const SessionsAnswer = z.object({ sessions: z.array(PageSession) });
export const MessagesTabAnswer = z.object({ tab: PageMessagesTab });
export const GalleryAnswer = z.object({ entries: z.array(PageGalleryEntry) });

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

/** Where the pane's new thread is. */
export const AssistantOutcome = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), channel: z.string(), thread_ts: z.string() }),
  failure,
]);
export type AssistantOutcome = z.infer<typeof AssistantOutcome>;

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
