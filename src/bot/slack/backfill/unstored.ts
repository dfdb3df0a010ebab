import type { Inbox } from '../receivers/inbox.ts';

/** Where deliveries may be missing. */
interface Gap {
  /** Writes down where it begins. */
  begins(): Promise<void>;
  ended(): void;
}

/**
 * The inbox, which remembers that something could not be stored: Slack sends it again for some minutes only, and a disk may
 * be full for longer. Before anything newer is stored, it is written down that something is missing, and then read.
 */
export function rememberUnstored(inbox: Inbox, gap: Gap): Inbox {
  let isMissing = false;
  return {
    ...inbox,
    accept: async (incoming) => {
      if (isMissing) {
        await gap.begins();
        isMissing = false;
        gap.ended();
      }
      try {
        await inbox.accept(incoming);
      } catch (error) {
        isMissing = true;
        throw error;
      }
    },
  };
}
