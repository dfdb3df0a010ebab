import { z } from 'zod';
import { act } from '../interact/action.ts';
import { runCommand } from '../interact/command.ts';
import { openHome } from '../interact/home/open.ts';
import { actInView } from '../interact/modal/act.ts';
import { closeView } from '../interact/modal/close.ts';
import { submitView } from '../interact/modal/submit.ts';
import { glanceFromPage, openFromPage } from '../interact/pane.ts';
import { react } from '../interact/react.ts';
import { say } from '../interact/say.ts';
import { runShortcut } from '../interact/shortcut.ts';
import { stopAsPerson } from '../interact/stop-stream.ts';
import { suggest } from '../interact/suggest.ts';
import { uploadFromPage } from '../interact/upload.ts';
import type { AssistantOutcome, SuggestOutcome, ViewOutcome } from '../page-api.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

const Message = z.object({
  as: z.string(),
  channel: z.string(),
  text: z.string(),
  thread_ts: z.string().optional(),
});

const Command = z.object({ as: z.string(), channel: z.string(), command: z.string(), text: z.string() });

const picked = z.string().nullable().optional();

const Action = z.object({
  as: z.string(),
  channel: z.string(),
  message_ts: z.string(),
  block_id: z.string(),
  action_id: z.string(),
  value: z.string().optional(),
  selected_option: z.object({ value: z.string().optional() }).optional(),
  selected_options: z.array(z.object({ value: z.string().optional() })).optional(),
  selected_date: picked,
  selected_time: picked,
  selected_date_time: z.number().nullable().optional(),
  selected_user: picked,
  selected_channel: picked,
  selected_conversation: picked,
});

const Suggestion = z.object({
  as: z.string(),
  view_id: z.string().optional(),
  channel: z.string().optional(),
  message_ts: z.string().optional(),
  block_id: z.string(),
  action_id: z.string(),
  value: z.string(),
});

const Shortcut = z.object({
  as: z.string(),
  callback_id: z.string(),
  channel: z.string().optional(),
  message_ts: z.string().optional(),
});

const Reaction = z.object({
  as: z.string(),
  channel: z.string(),
  message_ts: z.string(),
  name: z.string(),
  on: z.boolean(),
});

const Values = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown())));

const ViewAction = z.object({
  as: z.string(),
  view_id: z.string(),
  block_id: z.string(),
  action_id: z.string(),
  state: z.record(z.string(), z.unknown()),
  values: Values,
});

const Opening = z.object({ as: z.string(), tab: z.enum(['home', 'messages']) });

const Submission = z.object({ as: z.string(), view_id: z.string(), values: Values });

const Closing = z.object({ as: z.string(), view_id: z.string() });

const Upload = Message.extend({
  files: z.array(z.object({ name: z.string().min(1), content: z.base64() })).min(1),
});

const Stop = z.object({ as: z.string(), channel: z.string(), ts: z.string() });

const Pane = z.object({ as: z.string(), channel: z.string().optional() });

const Glance = z.object({ as: z.string(), thread_ts: z.string(), channel: z.string() });

type Post = (
  world: WorkspaceContext,
  body: unknown,
) => Promise<ViewOutcome | AssistantOutcome | SuggestOutcome>;

/** What the page may send, by the end of its path. */
export const POSTS: Readonly<Record<string, Post>> = {
  messages: (world, body) => say(world, Message.parse(body)),
  commands: (world, body) => runCommand(world, Command.parse(body)),
  actions: (world, body) => act(world, Action.parse(body)),
  suggestions: (world, body) => suggest(world, Suggestion.parse(body)),
  shortcuts: (world, body) => runShortcut(world, Shortcut.parse(body)),
  reactions: (world, body) => react(world, Reaction.parse(body)),
  home: (world, body) => openHome(world, Opening.parse(body)),
  'views/action': (world, body) => actInView(world, ViewAction.parse(body)),
  'views/submit': (world, body) => submitView(world, Submission.parse(body)),
  uploads: (world, body) => uploadFromPage(world, Upload.parse(body)),
  'streams/stop': (world, body) => stopAsPerson(world, Stop.parse(body)),
  assistant: (world, body) => openFromPage(world, Pane.parse(body)),
  'assistant/context': (world, body) => glanceFromPage(world, Glance.parse(body)),
  'views/close': (world, body) => closeView(world, Closing.parse(body)),
};
