import { z } from 'zod';

/**
 * The bodies of the page's `POST`s. `as` is the person who acts. `values` is what the person has put in,
 * `{ [block_id]: { [action_id]: state } }`, with each element's state as in Slack's payloads:
 * `{ type: 'plain_text_input', value }`, `{ type: 'checkboxes', selected_options }` and so on.
 */
const person = { as: z.string() };
const chosen = z.string().nullable().optional();
const option = z.object({ value: z.string().optional() });
const element = { block_id: z.string(), action_id: z.string() };
const values = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown())));

/** `text` as Slack's clients send it, with `<@U…>` for mentions. */
export const MessageRequest = z.object({
  ...person,
  channel: z.string(),
  text: z.string(),
  thread_ts: z.string().optional(),
});
export type MessageRequest = z.infer<typeof MessageRequest>;

/** A message with files, their `content` in base64. */
export const UploadRequest = MessageRequest.extend({
  files: z.array(z.object({ name: z.string().min(1), content: z.base64() })).min(1),
});
export type UploadRequest = z.infer<typeof UploadRequest>;

/** Stops a message that is still streaming. */
export const StopRequest = z.object({ ...person, channel: z.string(), ts: z.string() });
export type StopRequest = z.infer<typeof StopRequest>;

/** A slash command; `command` includes the slash. */
export const CommandRequest = z.object({
  ...person,
  channel: z.string(),
  command: z.string(),
  text: z.string(),
});
export type CommandRequest = z.infer<typeof CommandRequest>;

/** A click on a button, or a choice in an element of a message. */
export const ActionRequest = z.object({
  ...person,
  channel: z.string(),
  message_ts: z.string(),
  ...element,
  /** Which of two feedback buttons; other elements have their own. */
  value: z.string().optional(),
  selected_option: option.optional(),
  /** Everything that is selected now. */
  selected_options: z.array(option).optional(),
  selected_date: chosen,
  selected_time: chosen,
  selected_date_time: z.number().nullable().optional(),
  selected_user: chosen,
  selected_channel: chosen,
  selected_conversation: chosen,
});
export type ActionRequest = z.infer<typeof ActionRequest>;

/** What a person types into an external select, in a view or on a message. */
export const SuggestRequest = z.object({
  ...person,
  view_id: z.string().optional(),
  channel: z.string().optional(),
  message_ts: z.string().optional(),
  ...element,
  value: z.string(),
});
export type SuggestRequest = z.infer<typeof SuggestRequest>;

/** A message shortcut, or, without `channel` and `message_ts`, a global one. */
export const ShortcutRequest = z.object({
  ...person,
  callback_id: z.string(),
  channel: z.string().optional(),
  message_ts: z.string().optional(),
});
export type ShortcutRequest = z.infer<typeof ShortcutRequest>;

/** Adds an emoji, or with `on: false` removes it; `name` with or without colons. */
export const ReactionRequest = z.object({
  ...person,
  channel: z.string(),
  message_ts: z.string(),
  name: z.string(),
  on: z.boolean(),
});
export type ReactionRequest = z.infer<typeof ReactionRequest>;

/** A click or a choice in a modal or on a Home, or an input with `dispatch_action`. */
export const ViewActionRequest = z.object({
  ...person,
  view_id: z.string(),
  ...element,
  /** What the element holds now; nothing for a button. */
  state: z.record(z.string(), z.unknown()).optional(),
  /** What the other elements hold. */
  values: values.optional(),
});
export type ViewActionRequest = z.infer<typeof ViewActionRequest>;

/** Opens the app's Home, or the conversation with it. */
export const HomeRequest = z.object({
  ...person,
  tab: z.enum(['home', 'messages']),
  /** What the person looks at, for the Messages tab of an agent. */
  channel: z.string().optional(),
  message_ts: z.string().optional(),
});
export type HomeRequest = z.infer<typeof HomeRequest>;

/** Submits a modal; `values` need only hold what the person has changed. */
export const SubmitRequest = z.object({ ...person, view_id: z.string(), values });
export type SubmitRequest = z.infer<typeof SubmitRequest>;

/** Closes a modal without submitting it. */
export const CloseRequest = z.object({ ...person, view_id: z.string() });
export type CloseRequest = z.infer<typeof CloseRequest>;

/** What the person looks at now: a channel, or one message in it; without either, nothing. */
export const ViewingRequest = z.object({
  ...person,
  channel: z.string().optional(),
  message_ts: z.string().optional(),
});
export type ViewingRequest = z.infer<typeof ViewingRequest>;

/** Slack's stop button of a thread in which an agent works. */
export const StopSessionRequest = z.object({ ...person, channel: z.string(), thread_ts: z.string() });
export type StopSessionRequest = z.infer<typeof StopSessionRequest>;

/** Gives an agent's session another title. */
export const RenameSessionRequest = StopSessionRequest.extend({ title: z.string() });
export type RenameSessionRequest = z.infer<typeof RenameSessionRequest>;

const CALLS = {
  messages: MessageRequest,
  uploads: UploadRequest,
  commands: CommandRequest,
  actions: ActionRequest,
  /** Answered with a `SuggestOutcome`. */
  suggestions: SuggestRequest,
  shortcuts: ShortcutRequest,
  reactions: ReactionRequest,
  home: HomeRequest,
  'views/action': ViewActionRequest,
  'views/submit': SubmitRequest,
  'views/close': CloseRequest,
  'streams/stop': StopRequest,
  'sessions/stop': StopSessionRequest,
  'sessions/rename': RenameSessionRequest,
  viewing: ViewingRequest,
};

export type PageCalls = { [K in keyof typeof CALLS]: z.infer<(typeof CALLS)[K]> };

/** What the page does with `POST /page-api/<name>`; each is answered with a `PageOutcome`. */
export const PAGE_CALLS: { [K in keyof PageCalls]: z.ZodType<PageCalls[K]> } = CALLS;
