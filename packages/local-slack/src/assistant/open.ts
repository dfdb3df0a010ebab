import { openIm } from '../conversations.ts';
import type { Message, User } from '../entities.ts';
import { announceAssistant, announceMessage } from '../events/announce.ts';
import { personIn, personOf } from '../interact/payload.ts';
import { PersonError } from '../interact/person-error.ts';
import { channelOf } from '../messages/post.ts';
import { presentOnPage } from '../messages/present.ts';
import type { AssistantThread } from '../store/assistant.ts';
import type { ContextInput, PaneInput } from '../workspace.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { keepThread, plainThread } from './threads.ts';

function paneUser(context: WorkspaceContext, id: string): User {
  const user = personOf(context, id);
  if (!context.manifest.assistant) throw new PersonError('This app has no assistant pane.');
  return user;
}

function seenBy(context: WorkspaceContext, { id }: User, channel: string): string {
  return personIn(context, id, channelOf(context, channel).id).channel.id;
}

/**
 * Opens a new thread of the pane, as Slack does: with a root by the app that nobody is shown. The app hears of that
 * root, and that the thread has started.
 *
 * @throws PersonError, SlackError `channel_not_found`.
 */
export function openPane(context: WorkspaceContext, { user: id, channel: seen }: PaneInput): AssistantThread {
  const user = paneUser(context, id);
  const lookingAt = seen === undefined ? undefined : seenBy(context, user, seen);
  const { store, app, team, clock } = context;
  const im = openIm(context, user.id);
  const root: Message = {
    type: 'message',
    subtype: 'assistant_app_thread',
    user: app.bot_user_id,
    team: team.id,
    text: 'New Assistant Thread',
    ts: store.messages.nextTs(clock.now()),
  };
  store.messages.insert(im.id, root);
  const thread = { ...plainThread(im, root.ts), pane: true };
  keepThread(context, thread);
  context.page.emit({ type: 'message', channel: im.id, message: presentOnPage(context, im.id, root) });
  announceMessage(context, im, root);
  announceAssistant(context, 'assistant_thread_started', thread, lookingAt);
  return thread;
}

/** @throws PersonError if the person has no such thread, or does not see the channel; SlackError as `openPane`. */
export function lookElsewhere(
  context: WorkspaceContext,
  { user: id, thread_ts, channel }: ContextInput,
): void {
  const user = paneUser(context, id);
  const im = openIm(context, user.id);
  const thread = context.store.assistant.get(im.id, thread_ts);
  if (!thread?.pane) throw new PersonError('The pane has no such thread.');
  announceAssistant(context, 'assistant_thread_context_changed', thread, seenBy(context, user, channel));
}
