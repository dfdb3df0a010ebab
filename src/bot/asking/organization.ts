import type { Organization, Services } from '../../contract/client/client.ts';
import type { Conversation } from '../store/conversations.ts';
import type { Store } from '../store/open.ts';

const NOT_PRIVATE =
  'This conversation started in a private channel and cannot continue here. Start a new thread to ask.';
const OTHERS =
  'The agent for private channels also knows issues of other private channels, whose members have not agreed that these may be named elsewhere; /gumshoe naming in those channels changes that.';
const NOT_ABOUT_THIS = `I did not ask about this issue. ${OTHERS}`;
const WITHOUT_PRIVATE = `This was answered without the issues of private channels. ${OTHERS}`;
const NOT_KNOWN =
  'I could not find out whether this channel is private, so I did not ask the question. Try again in a minute.';

/** A question that may go to no organization; the message is a sentence for a person. */
export class NotAskedError extends Error {
  override readonly name = 'NotAskedError';
}

interface OrganizationOptions {
  store: Store;
  services: Services;
  /** Whether Slack says that a channel is private now. Rejects if Slack does not answer. */
  isPrivateChannel: (channel: string) => Promise<boolean>;
}

export type Asking = Conversation & { organization: Organization };

/**
 * The organization whose agent a conversation's questions go to: that of private channels where it takes place in one
 * now, and the default one from anywhere else. Kept before the first of them is sent, and never changed.
 *
 * That agent knows the issues of every private channel, so it is asked only where all of these may be named: the others'
 * members have agreed, or there are no others.
 *
 * @returns the organization, and what to say below the answer
 * @throws NotAskedError if the question may go to neither.
 */
export async function organizationOf(
  { id, channel, organization, issueId }: Conversation,
  { store, services, isPrivateChannel }: OrganizationOptions,
): Promise<{ organization: Organization; note: string | null }> {
  if (organization === 'default') return { organization, note: null };
  const isPrivate = async () => {
    // Nobody but the person reads a direct message, and they may be in no private channel.
    if (channel.startsWith('D')) return false;
    return isPrivateChannel(channel).catch((error: unknown) => {
      throw new NotAskedError(NOT_KNOWN, { cause: error });
    });
  };
  if (organization === 'private') {
    if (!(await isPrivate())) throw new NotAskedError(NOT_PRIVATE);
    if (!(await mayNameAll(channel, store))) throw new NotAskedError(NOT_ABOUT_THIS);
    return { organization, note: null };
  }
  const inPrivate = services.has('private') && (await isPrivate());
  const mayAsk = inPrivate && (await mayNameAll(channel, store));
  if (inPrivate && !mayAsk && issueId !== null) {
    const issue = await store.issues.get(issueId);
    if (issue?.organization === 'private') throw new NotAskedError(NOT_ABOUT_THIS);
  }
  const decided = mayAsk ? 'private' : 'default';
  await store.conversations.belongTo(id, decided);
  return { organization: decided, note: inPrivate && !mayAsk ? WITHOUT_PRIVATE : null };
}

async function mayNameAll(
  here: string,
  { issues, channels }: OrganizationOptions['store'],
): Promise<boolean> {
  for (const channel of await issues.places('private')) {
    if (channel === here) continue;
    if ((await channels.get(channel)).settings.namedElsewhere === undefined) return false;
  }
  return true;
}
