import type { Organization } from '../../contract/client/client.ts';
import type { Origin } from '../../contract/client/transport.ts';
import type { Aggregates } from '../store/open.ts';

/** Whether content of one channel may be shown in another: a private channel's is shown nowhere else. */
export async function mayBeShownIn(
  { channels }: Pick<Aggregates, 'channels'>,
  from: string,
  channel: string,
): Promise<boolean> {
  return from === channel || !(await channels.get(from)).isPrivate;
}

/** Where an issue or a question comes from, as it is sent to the service: whether it is private, and which model its channel agreed to. */
export type OriginOf = (of: { channel: string; organization: Organization | null }) => Promise<Origin>;

/** Whether an issue or a conversation is not known to be public: the service shows it to no language model then. */
export async function isFromPrivateChannel(
  { channel, organization }: { channel: string; organization: Organization | null },
  { channels }: Pick<Aggregates, 'channels'>,
): Promise<boolean> {
  return organization === 'private' || (await channels.get(channel)).isPrivate;
}

/**
 * The organization in which an issue is filed, decided once, based on its channel at that moment. A channel counts as
 * private until Slack says that it is public. Direct messages use the default organization, because questions asked
 * there go to it.
 */
export async function organizationFor(
  { channels, hasPrivateOrganization }: Pick<Aggregates, 'channels' | 'hasPrivateOrganization'>,
  channel: string,
): Promise<Organization> {
  if (!hasPrivateOrganization || channel.startsWith('D')) return 'default';
  return (await channels.get(channel)).isPrivate ? 'private' : 'default';
}
