import type { ListenerDeps } from '../listening/deps.ts';

/** Whether a channel is certainly private now: where Slack does not say so, it is not. */
export async function isPrivateNow(
  channel: string,
  { isPrivateChannel, log }: Pick<ListenerDeps, 'isPrivateChannel' | 'log'>,
): Promise<boolean> {
  try {
    return await isPrivateChannel(channel);
  } catch (error) {
    log.warn({ err: error, channel }, 'could not find out from Slack whether a channel is private');
    return false;
  }
}
