import { z } from 'zod';

/** The bodies of the page's `POST`s; the table of calls is in `page-api.ts`. `as` is the person who acts. */
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

/** Opens the flexpane of a Work Object on a message; `ref` is its `external_ref.id`. */
export const EntityRequest = z.object({
  ...person,
  channel: z.string(),
  message_ts: z.string(),
  ref: z.string(),
});
export type EntityRequest = z.infer<typeof EntityRequest>;

/** Presses a button of a Work Object. */
export const EntityActionRequest = EntityRequest.extend({
  where: z.enum(['card', 'flexpane']),
  action_id: z.string(),
});
export type EntityActionRequest = z.infer<typeof EntityActionRequest>;

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

/** Opens a new thread in the pane; `channel` is the one that the person is viewing. */
export const PaneRequest = z.object({ ...person, channel: z.string().optional() });
export type PaneRequest = z.infer<typeof PaneRequest>;

/** The person switches to another channel with a thread of the pane open. */
export const ContextRequest = z.object({ ...person, thread_ts: z.string(), channel: z.string() });
export type ContextRequest = z.infer<typeof ContextRequest>;

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
