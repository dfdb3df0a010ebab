import type { Organization } from '../../lib/issue-number.ts';
import type { Aggregates } from '../store/open.ts';

/** Whether what one channel said may be shown in another: nothing of a private channel is shown elsewhere. */
export async function mayBeShownIn(
  { channels }: Pick<Aggregates, 'channels'>,
  from: string,
  channel: string,
): Promise<boolean> {
  return from === channel || !(await channels.get(from)).isPrivate;
}

/**
 * The organisation that an issue is filed in: decided once, by what its channel is at that moment. A channel is private
 * until Slack has said that it is public. A direct message is no channel: its questions go to the default organisation,
 * so the issues that they are about have to be there.
 */
export async function organizationFor(
  { channels, hasPrivateOrganization }: Pick<Aggregates, 'channels' | 'hasPrivateOrganization'>,
  channel: string,
): Promise<Organization> {
  if (!hasPrivateOrganization || channel.startsWith('D')) return 'default';
  return (await channels.get(channel)).isPrivate ? 'private' : 'default';
}
