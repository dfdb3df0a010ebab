/**
 * What this process knows of Slack's streams. Nothing of it outlives the process: a stream that an earlier one opened
 * is ended, since nobody knows any more which words are in it.
 */
export interface Streams {
  /** By the key of the intent. */
  open: Map<string, OpenStream>;
  /** What Slack shows in a thread while the agent thinks, by the key of the intent. */
  statuses: Map<string, string>;
  /** Slack refuses them until then: it is not asked before. Milliseconds. */
  refusedUntil: { streams: number; statuses: number };
  /** Slack takes no button in a stream. */
  withoutButton: boolean;
}

interface OpenStream {
  /** What has gone into it, as it was written. */
  said: string;
  openedAt: number;
}

export function createStreams(): Streams {
  return {
    open: new Map(),
    statuses: new Map(),
    refusedUntil: { streams: 0, statuses: 0 },
    withoutButton: false,
  };
}
