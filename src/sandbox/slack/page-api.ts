import type { PageStage } from './page-stage.ts';

/**
 * What the page in the browser and the local workspace say to each other, over JSON and one
 * server-sent-events stream. All paths are below `/page-api`. Types only: the page imports this too.
 * What happens around the bot and can be played, `/page-api/stage`, is in `page-stage.ts`.
 *
 * | call | body or query → answer |
 * |---|---|
 * | `GET /state` | → `PageState` |
 * | `GET /messages?channel=C…[&thread_ts=…]` | → `{ messages: PageMessage[] }`, oldest first; without `thread_ts` the channel's top level |
 * | `GET /files/<id>` | → a file's bytes; whatever is no PNG, JPEG or GIF only to be saved |
 * | `GET /gallery` | → `{ entries: PageGalleryEntry[] }`; none where the workspace has no gallery |
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
 * | `POST /home` | `{ as, tab }` → `PageOutcome`; opens the app's `home` or `messages` |
 * | `POST /views/submit` | `{ as, view_id, values }` → `ViewOutcome` |
 * | `POST /views/close` | `{ as, view_id }` → `PageOutcome` |
 * | `POST /uploads` | `{ as, channel, text, thread_ts?, files: { name, content }[] }` → `PageOutcome`; `content` in base64 |
 * | `POST /streams/stop` | `{ as, channel, ts }` → `PageOutcome`; the person stops a message that still grows |
 * | `GET /assistant?as=U…` | → `{ threads: PageAssistantThread[] }`: that person's conversations with the app, the newest first |
 * | `POST /assistant` | `{ as, channel? }` → `AssistantOutcome`; opens a new thread of the pane, `channel` being where the person is looking |
 * | `POST /assistant/context` | `{ as, thread_ts, channel }` → `PageOutcome`; the person looks elsewhere while the thread is open |
 *
 * `values` is what the person has put in, `{ [block_id]: { [action_id]: state } }`, with each element's `state` as in
 * Slack's payloads: `{ type: 'plain_text_input', value }`, `{ type: 'static_select', selected_option }`,
 * `{ type: 'checkboxes', selected_options }` and so on.
 */
export interface PageState {
  team: { id: string; name: string };
  users: PageUser[];
  channels: PageChannel[];
  /** The slash commands of `manifest.yml`. */
  commands: { command: string; description: string; usage_hint?: string }[];
  /** The shortcuts of `manifest.yml`: of a message's menu, or global. */
  shortcuts: { name: string; type: 'message' | 'global'; callback_id: string; description: string }[];
  /** The app itself. `online` while a Socket Mode connection is open (or deliveries go over HTTP). */
  bot: { user_id: string; name: string; online: boolean; has_home: boolean };
  /** Whether the manifest has `assistant_view`: whether there is a pane. */
  assistant: boolean;
}

export interface PageUser {
  id: string;
  name: string;
  real_name: string;
  is_bot: boolean;
  /** Shown as a letter on a coloured square. */
  color: string;
  /** What sets a person apart; members have none. */
  role?: 'admin' | 'guest' | 'external';
}

export interface PageChannel {
  id: string;
  name: string;
  topic: string;
  is_im: boolean;
  is_private: boolean;
  /** On a private channel only: the people who see it. */
  members?: string[];
  /** Whether the app is a member. */
  bot_is_member: boolean;
}

/** A Slack message as `conversations.history` gives it, with what the page needs besides. */
export interface PageMessage {
  type: 'message';
  channel: string;
  ts: string;
  thread_ts?: string;
  subtype?: string;
  user?: string;
  username?: string;
  bot_id?: string;
  icons?: { emoji?: string };
  text: string;
  blocks?: unknown[];
  attachments?: unknown[];
  files?: PageFile[];
  edited?: { user: string; ts: string };
  reactions?: { name: string; count: number; users: string[] }[];
  /** On a thread's root only. */
  reply_count?: number;
  latest_reply?: string;
  /** Set on an ephemeral message: the one person who sees it. */
  ephemeral_to?: string;
  /** While a stream is open: the message still grows. */
  streaming?: true;
  /** On a stream in a channel, while it is open: the one person who sees it grow. */
  streaming_to?: string;
  /** With `streaming_to`: what everybody else sees instead, Markdown; it may be empty. */
  began?: string;
}

/** A file in a message; its bytes are at `GET /page-api/files/<id>`. */
export interface PageFile {
  id: string;
  /** Of a deleted one nothing else is known. */
  state: 'ready' | 'deleted';
  name: string;
  title: string;
  /** For people: `PNG`, `JSON`, `Plain Text`. */
  kind: string;
  /** Bytes. */
  size: number;
  /** What a picture shows, in words. */
  alt?: string;
  /** Of a picture that a browser may draw. */
  image?: { width: number; height: number };
  /** The first lines of a text, and how many follow them. */
  preview?: string;
  lines_more?: number;
}

/** What the gallery shows of one kind: messages as the app renders them, that stand in no channel. */
export interface PageGalleryEntry {
  name: string;
  messages: { text: string; blocks: unknown[] }[];
}

export type PageEvent =
  | { type: 'message' | 'message_changed'; channel: string; message: PageMessage }
  | { type: 'message_deleted'; channel: string; ts: string; thread_ts?: string }
  | { type: 'bot'; online: boolean }
  /** A modal was opened, or has changed (`views.update`, `response_action: update`). */
  | { type: 'view'; view: PageView }
  | { type: 'view_closed'; user: string; id: string }
  /** A Home was published. */
  | { type: 'home'; home: PageHome }
  /** A thread of the pane was opened, or its title, status or prompts have changed. */
  | { type: 'assistant'; thread: PageAssistantThread }
  /** Something of the panel's has changed. */
  | { type: 'stage'; stage: PageStage };

/** A person's conversation with the app in the pane; or any thread with the app that bears a status. */
export interface PageAssistantThread {
  /** Whose it is. */
  user: string;
  /** Their conversation with the app. */
  channel: string;
  thread_ts: string;
  /** It was begun in the pane, and is listed there. */
  is_pane: boolean;
  title: string | null;
  /** What the app is doing, e.g. `is thinking…`: shown after its name. */
  status: string | null;
  prompts_title: string | null;
  /** A click on one sends its message. */
  prompts: { title: string; message: string }[];
}

/** A modal on somebody's screen. A pushed one lies on top of the one below it. */
export interface PageView {
  id: string;
  /** Whose screen it is on. */
  user: string;
  /** Changes with each update; block ids are set, as in Slack's payloads. */
  hash: string;
  /** As the app sent it: title, submit, close, blocks. */
  title: unknown;
  submit?: unknown;
  close?: unknown;
  blocks: unknown[];
}

/** The app's Home, as one person sees it. */
export interface PageHome {
  id: string;
  user: string;
  hash: string;
  blocks: unknown[];
}

/** `error` is a sentence for the person, e.g. that the app did not answer within 3 seconds. */
export type PageOutcome = { ok: true } | { ok: false; error: string };

/** Where the pane's new thread is. */
export type AssistantOutcome =
  | { ok: true; channel: string; thread_ts: string }
  | { ok: false; error: string };

/** An option as the app offers it. */
export interface PageOption {
  text: { type: string; text: string };
  value: string;
}

/** What the app offers for what is typed: options, or groups of them. */
export type SuggestOutcome =
  | {
      ok: true;
      options: PageOption[];
      option_groups: { label: { type: string; text: string }; options: PageOption[] }[];
    }
  | { ok: false; error: string };

/** `errors` by `block_id`, shown at their fields; the modal stays open. */
export type ViewOutcome = PageOutcome | { ok: false; error: string; errors: Record<string, string> };
