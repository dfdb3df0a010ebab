import type { Clock } from '../../../../lib/clock.ts';

/** Prompts are refreshed for this long after a person opens the tab. */
const FOLLOWED_MS = 60 * 60_000;
const MOST = 5_000;

/** Who has the Messages tab open, and which prompts it shows, as far as we know. */
export interface MessagesTab {
  opened(user: string, channel: string): void;
  /** The direct message of a person who opened the tab within the last hour, else `null`. */
  channelOf(user: string): string | null;
  /** Whether these prompts are already shown to the person, as far as we know. */
  shows(user: string, prompts: string): boolean;
  shown(user: string, prompts: string): void;
}

export function createMessagesTab(clock: Clock): MessagesTab {
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
