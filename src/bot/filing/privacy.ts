import type { Organization } from '../../lib/issue-number.ts';
import type { Aggregates } from '../store/open.ts';

/** Whether content of one channel may be shown in another: a private channel's is shown nowhere else. */
export async function mayBeShownIn(
  { channels }: Pick<Aggregates, 'channels'>,
  from: string,
  channel: string,
): Promise<boolean> {
  return from === channel || !(await channels.get(from)).isPrivate;
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
