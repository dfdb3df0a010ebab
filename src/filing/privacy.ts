import type { Aggregates } from '../store/open.ts';

/** Whether what one channel said may be shown in another: nothing of a private channel is shown elsewhere. */
export async function mayBeShownIn(
  { channels }: Pick<Aggregates, 'channels'>,
  from: string,
  channel: string,
): Promise<boolean> {
  return from === channel || !(await channels.get(from)).isPrivate;
}
