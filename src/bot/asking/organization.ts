import type { Organization } from '../../lib/issue-number.ts';
import type { Conversation } from '../store/conversations.ts';
import type { AnswererOptions } from './options.ts';

const NOT_PRIVATE =
  'This conversation started in a private channel and cannot continue here. Start a new thread to ask.';
const NOT_KNOWN =
  'I could not find out whether this channel is private, so I did not ask the question. Try again in a minute.';

/** A question that may go to no organisation; the message is a sentence for a person. */
export class NotAskedError extends Error {
  override readonly name = 'NotAskedError';
}

/** A conversation whose organisation is decided. */
export type Asking = Conversation & { organization: Organization };

/**
 * The organisation whose agent a conversation's questions go to: that of private channels where it takes place in one
 * now, and the default one from anywhere else. Kept before the first of them is sent, and never changed.
 *
 * @throws NotAskedError if the question may go to neither.
 */
export async function organizationOf(
  { id, channel, organization }: Conversation,
  { store, services, isPrivateChannel }: Pick<AnswererOptions, 'store' | 'services' | 'isPrivateChannel'>,
): Promise<Organization> {
  if (organization === 'default') return organization;
  const isPrivate = async () => {
    // Nobody but the person reads a direct message, and they may be in no private channel.
    if (channel.startsWith('D')) return false;
    return isPrivateChannel(channel).catch((error: unknown) => {
      throw new NotAskedError(NOT_KNOWN, { cause: error });
    });
  };
  if (organization === 'private') {
    if (!(await isPrivate())) throw new NotAskedError(NOT_PRIVATE);
    return organization;
  }
  const decided = services.has('private') && (await isPrivate()) ? 'private' : 'default';
  await store.conversations.belongTo(id, decided);
  return decided;
}
