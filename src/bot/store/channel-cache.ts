/** More channels than are talked in at a time; beyond that, all are forgotten. */
const MOST_CHANNELS = 5_000;

/**
 * The channels as they were last read. Each message asks for its channel several times, and channels hardly ever change.
 * Only for a database that no other process writes to.
 */
export interface ChannelCache<Channel> {
  /** From memory, else with `load`. */
  read(channel: string, load: () => Promise<Channel>): Promise<Channel>;
  /** From memory alone; `null` if it is not there. */
  peek(channel: string): Channel | null;
  /** Writes, and forgets what was read before. */
  write(change: () => Promise<unknown>): Promise<void>;
  /** For a transaction: it sees its own writes, and what it reads is not kept, because it may be rolled back. */
  inTransaction(): ChannelCache<Channel>;
}

export function createChannelCache<Channel extends object>(): ChannelCache<Channel> {
  const known = new Map<string, Channel>();
  let writes = 0;
  const forget = () => {
    writes += 1;
    known.clear();
  };
  const write: ChannelCache<Channel>['write'] = async (change) => {
    forget();
    try {
      await change();
    } finally {
      // What was read in the meantime may be from before the change.
      forget();
    }
  };
  return {
    peek: (channel) => known.get(channel) ?? null,
    read: async (channel, load) => {
      const found = known.get(channel);
      if (found !== undefined) return found;
      const before = writes;
      const loaded = await load();
      if (before !== writes) return loaded;
      if (known.size >= MOST_CHANNELS) known.clear();
      known.set(channel, Object.freeze(loaded));
      return loaded;
    },
    write,
    inTransaction: () => {
      let hasWritten = false;
      const cache: ChannelCache<Channel> = {
        read: async (channel, load) => (hasWritten ? load() : (known.get(channel) ?? load())),
        peek: () => null,
        write: (change) => {
          hasWritten = true;
          return write(change);
        },
        inTransaction: () => cache,
      };
      return cache;
    },
  };
}

/** For a database that other processes write to as well. */
export function noChannelCache<Channel>(): ChannelCache<Channel> {
  const cache: ChannelCache<Channel> = {
    read: (_, load) => load(),
    peek: () => null,
    write: async (change) => void (await change()),
    inTransaction: () => cache,
  };
  return cache;
}
