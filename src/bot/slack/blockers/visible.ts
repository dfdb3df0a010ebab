import type { RuntimeStatus } from '../status-tracker.ts';
import { channelSentences } from './sentences.ts';

/** What fails, in sentences for one person: channels that they may not see are not among them. */
export async function visibleTroubles(
  { degraded, brokenChannels }: Pick<RuntimeStatus, 'degraded' | 'brokenChannels'>,
  { isAdmin, maySee }: { isAdmin: boolean; maySee: (channel: string) => Promise<boolean> },
): Promise<string[]> {
  const visible = await Promise.all(brokenChannels.map(({ channel }) => isAdmin || maySee(channel)));
  return [...degraded, ...channelSentences(brokenChannels.filter((_, index) => visible[index]))];
}
