import { openIm } from '../conversations.ts';
import type { User } from '../entities.ts';
import { PersonError } from '../errors.ts';
import { announceHome } from '../events/announce.ts';
import { subscribed } from '../events/kinds.ts';
import { outcomeOf, personIn, personOf } from '../interact/payload.ts';
import { LIMITS } from '../limits.ts';
import { channelOf } from '../messages/post.ts';
import type { PageOutcome } from '../page-api.ts';
import type { RenameSessionRequest, StopSessionRequest, ViewingRequest } from '../page-requests.ts';
import type { Session } from '../store/people.ts';
import { stopForPerson } from '../streams.ts';
import type { ViewingInput } from '../workspace.ts';
import type { Viewed, WorkspaceContext } from '../workspace-context.ts';
import { announceContext, announceStopped, announceTitle, keepSession } from './sessions.ts';

function agentUser(context: WorkspaceContext, id: string): User {
  const user = personOf(context, id);
  if (!context.manifest.agent) throw new PersonError('This app is no agent.');
  return user;
}

/** Notes what a person is viewing; returns whether that has changed. */
function note(context: WorkspaceContext, user: User, { channel: ref, message_ts }: ViewingInput): boolean {
  const { places } = context.viewing;
  const before = places.get(user.id);
  if (ref === undefined) return places.delete(user.id);
  const { channel } = personIn(context, user.id, channelOf(context, ref).id);
  const now: Viewed = { channel: channel.id, message_ts };
  places.set(user.id, now);
  return before?.channel !== now.channel || before.message_ts !== now.message_ts;
}

/**
 * Opens the Messages tab; the app is told each time, with what the person is viewing.
 *
 * @throws PersonError, SlackError `channel_not_found`.
 */
export function openMessagesTab(context: WorkspaceContext, input: ViewingInput): { channel: string } {
  const user = agentUser(context, input.user);
  if (input.channel !== undefined) note(context, user, input);
  context.viewing.tabs.add(user.id);
  const im = openIm(context, user.id);
  announceHome(context, user.id, im, 'messages');
  return { channel: im.id };
}

/** Closes the Messages tab. */
export function closeMessagesTab(context: WorkspaceContext, user: string): void {
  context.viewing.tabs.delete(agentUser(context, user).id);
}

/**
 * A person looks at something; the app hears of a change while the Messages tab is open.
 *
 * @throws PersonError, SlackError `channel_not_found`.
 */
export function lookAt(context: WorkspaceContext, input: ViewingInput): void {
  const user = agentUser(context, input.user);
  if (note(context, user, input) && context.viewing.tabs.has(user.id)) announceContext(context, user.id);
}

/** Says for the page what the person looks at now. */
export function viewFromPage(
  context: WorkspaceContext,
  { as: user, ...at }: ViewingRequest,
): Promise<PageOutcome> {
  return outcomeOf(() => lookAt(context, { user, ...at }));
}

function sessionFor(
  context: WorkspaceContext,
  { as, channel, thread_ts }: StopSessionRequest,
): { session: Session; user: User } {
  const { user } = personIn(context, as, channel);
  const session = context.store.sessions.get(channel, thread_ts);
  if (!session) throw new PersonError('This thread has no session of the app.');
  return { session, user };
}

/** Slack's stop button: ends the app's streams in the thread and tells the app, which sets the status itself. */
export function stopSession(context: WorkspaceContext, request: StopSessionRequest): Promise<PageOutcome> {
  return outcomeOf(() => {
    const { session, user } = sessionFor(context, request);
    if (session.status !== 'processing' || !subscribed(context, 'agent_session_stopped')) {
      throw new PersonError('There is nothing to stop in this thread.');
    }
    const { streams, messages, channels } = context.store;
    const channel = channels.get(session.channel);
    const stopped = streams
      .open()
      .filter((stream) => stream.channel === session.channel)
      .filter(({ ts }) => messages.get(session.channel, ts)?.thread_ts === session.thread_ts)
      .filter(({ ts }) => channel && stopForPerson(context, channel, ts))
      .map(({ ts }) => ts);
    announceStopped(context, session, user.id, stopped);
  });
}

/** A person renames a session; the app is told. */
export function renameSession(
  context: WorkspaceContext,
  { title, ...request }: RenameSessionRequest,
): Promise<PageOutcome> {
  return outcomeOf(() => {
    const { session, user } = sessionFor(context, request);
    const name = title.trim();
    if (name === '' || name.length > LIMITS.sessionTitle) {
      throw new PersonError(`A title has 1 to ${LIMITS.sessionTitle} characters.`);
    }
    if (name === session.title) return;
    const renamed = { ...session, title: name };
    keepSession(context, renamed);
    announceTitle(context, renamed, user.id, session.title);
  });
}
