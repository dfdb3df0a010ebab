import { uploadAs } from '../files/upload-as.ts';
import { postMessage } from '../messages/post.ts';
import { setReaction } from '../messages/react.ts';
import type { PageOutcome } from '../page-api.ts';
import type { MessageRequest, ReactionRequest, StopRequest, UploadRequest } from '../page-requests.ts';
import { stopForPerson } from '../streams/stream.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { outcomeOf, personIn } from './person.ts';
import { PersonError } from './person-error.ts';

export function say(
  context: WorkspaceContext,
  { as, channel: id, text, thread_ts }: MessageRequest,
): Promise<PageOutcome> {
  return outcomeOf(() => {
    const { user, channel } = personIn(context, as, id);
    postMessage(context, { channel, author: { kind: 'person', user }, text, thread_ts });
  });
}

/** Posts for the page, with files. */
export function uploadFromPage(context: WorkspaceContext, input: UploadRequest): Promise<PageOutcome> {
  return outcomeOf(async () => {
    const { user, channel } = personIn(context, input.as, input.channel);
    await uploadAs(context, {
      channel: channel.id,
      user: user.id,
      text: input.text,
      ...(input.thread_ts !== undefined && { thread_ts: input.thread_ts }),
      files: input.files.map(({ name, content }) => ({ name, content: Buffer.from(content, 'base64') })),
    });
  });
}

export function react(
  context: WorkspaceContext,
  { as, channel: id, message_ts, name, on }: ReactionRequest,
): Promise<PageOutcome> {
  return outcomeOf(() => {
    const { user, channel } = personIn(context, as, id);
    const message = context.store.messages.get(channel.id, message_ts);
    if (!message) throw new PersonError('That message no longer exists.');
    setReaction(context, channel, message, { user: user.id, name, on });
  });
}

/** Slack's own way to stop a stream; the app's next call fails. */
export function stopAsPerson(
  context: WorkspaceContext,
  { as, channel: id, ts }: StopRequest,
): Promise<PageOutcome> {
  return outcomeOf(() => {
    const { user, channel } = personIn(context, as, id);
    const recipient = context.store.streams.get(channel.id, ts)?.recipient ?? user.id;
    if (recipient !== user.id) throw new PersonError('Only the person it answers can stop it.');
    if (!stopForPerson(context, channel, ts)) throw new PersonError('That message is no longer streaming.');
  });
}
