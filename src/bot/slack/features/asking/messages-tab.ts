import type { Clock } from '../../../../lib/clock.ts';

/** Who opened it longer ago has surely left: what they look at elsewhere changes no prompts. */
const FOLLOWED_MS = 60 * 60_000;
const MOST = 5_000;

/** Who has the Messages tab open, as far as we know, and which prompts stand in it. */
export interface MessagesTab {
  opened(user: string, channel: string): void;
  /** The direct message of somebody who opened it within the hour; `null` of anybody else. */
  channelOf(user: string): string | null;
  /** Whether these prompts stand there already, as far as we know. */
  shows(user: string, prompts: string): boolean;
  shown(user: string, prompts: string): void;
}

export function createMessagesTab(clock: Pick<Clock, 'now'>): MessagesTab {
  const readers = new Map<string, { channel: string; openedAt: number; prompts: string | null }>();
  return {
    opened: (user, channel) => {
      if (readers.size >= MOST) readers.clear();
      readers.set(user, { channel, openedAt: clock.now(), prompts: null });
    },
    channelOf: (user) => {
      const reader = readers.get(user);
      return reader !== undefined && clock.now() - reader.openedAt < FOLLOWED_MS ? reader.channel : null;
    },
    shows: (user, prompts) => readers.get(user)?.prompts === prompts,
    shown: (user, prompts) => {
      const reader = readers.get(user);
      if (reader !== undefined) reader.prompts = prompts;
    },
  };
}
