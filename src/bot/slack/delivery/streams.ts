/**
 * This process's knowledge of Slack's streams, kept in memory only: a stream that an earlier process opened is ended,
 * because nobody knows which words are in it.
 */
export interface Streams {
  /** By the key of the intent. */
  open: Map<string, OpenStream>;
  /** Slack rejects streams until then, so they are not tried before. Milliseconds. */
  refusedUntil: number;
  /** Slack accepts no button in a stream. */
  withoutButton: boolean;
}

interface OpenStream {
  /** The text streamed so far, as the agent wrote it. */
  said: string;
  openedAt: number;
}

export function createStreams(): Streams {
  return {
    open: new Map(),
    refusedUntil: 0,
    withoutButton: false,
  };
}
