import type { Clock } from '../../../lib/clock.ts';
import type { Rendered } from '../../render/rendered.ts';

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

/** The app's Home, one view per person. */
export interface Home {
  /** Somebody opened their Home: keeps it up to date for an hour. */
  opened(userId: string): Promise<void>;
  /** Updates somebody's Home at once, to another page or with a note about what they just did. */
  show(userId: string, change?: { page?: number; note?: Rendered }): Promise<void>;
}

/** Whether a key is seen for the first time, as far as the last few thousand keys tell; a restart forgets them all. */
export function createOnce(most = 5_000): (key: string) => boolean {
  const known = new Set<string>();
  return (key) => {
    if (known.has(key)) return false;
    const [oldest] = known;
    if (known.size >= most && oldest !== undefined) known.delete(oldest);
    known.add(key);
    return true;
  };
}
