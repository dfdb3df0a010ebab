import type { PageChannel, PageState } from '../../src/page-api.ts';

/** What the page shows: a channel, and the thread beside it. */
export interface Place {
  channel: string;
  thread: string | null;
}

/**
 * Where a permalink of the workspace leads (`/archives/C…/p1700000000000100?thread_ts=…`): the message's
 * thread, with the message as its root if it is not a reply; or a channel's (`/archives/C…`). `null` for any other address.
 */
export function placeOf(address: string): Place | null {
  const url = URL.parse(address);
  const match = /^\/archives\/(\w+)(?:\/p(\d+)(\d{6}))?$/.exec(url?.pathname ?? '');
  if (!url || !match?.[1]) return null;
  const [, channel, seconds, micros] = match;
  const message = seconds === undefined ? null : `${seconds}.${micros}`;
  return { channel, thread: url.searchParams.get('thread_ts') ?? message };
}

/** Whether it is a person's conversation with the app, rather than a channel or a conversation with Slackbot. */
export function isWithApp({ is_im, bot_is_member }: PageChannel): boolean {
  return is_im && bot_is_member;
}

/**
 * The conversations that a person sees: of the private channels only those they are in, of the direct messages only
 * their own with the app and with Slackbot. The server names the app's after the person; they see it under the app's name.
 */
export function channelsFor(workspace: PageState, as: string): PageChannel[] {
  const me = workspace.users.find((user) => user.id === as);
  return workspace.channels
    .filter((channel) => !isWithApp(channel) || channel.name === me?.name)
    .filter(({ members }) => members === undefined || members.includes(as))
    .map((channel) => (isWithApp(channel) ? { ...channel, name: workspace.bot.name } : channel));
}
