import type { Checkpoint } from '../../../lib/clock.ts';
import type { Rendered } from '../../render/rendered.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { Sessions } from '../sessions.ts';
import type { Slack } from './calls.ts';

/**
 * This process's knowledge of Slack's streams, kept in memory only: a stream that an earlier process opened is ended,
 * because nobody knows which words are in it.
 */
interface Streams {
  /** By the key of the intent. */
  open: Map<string, OpenStream>;
  /** Slack rejects streams until then, so they are not tried before. Milliseconds. */
  refusedUntil: number;
  /** Slack accepts no button in a stream. */
  withoutButton: boolean;
}

interface OpenStream {
  /** The text streamed so far, as the agent wrote it. */
  streamed: string;
  openedAt: number;
}

export function createStreams(): Streams {
  return {
    open: new Map(),
    refusedUntil: 0,
    withoutButton: false,
  };
}

/** What an intent renders to when it is sent. */
export type Content =
  | {
      kind: 'messages';
      parts: Rendered[];
      channel: string;
      threadTs: string | null;
      /** The first message is shown in the channel as well as in its thread. */
      broadcast?: boolean;
      /** An edit adds more once it is posted, since edits do not notify the people mentioned. */
      editFollows?: boolean;
      /** It grows, in a direct message: as a Slack stream if possible, otherwise by edits of `parts`. */
      stream?: Growing;
    }
  | {
      kind: 'file';
      channel: string;
      threadTs: string | null;
      name: string;
      /** On one line. */
      title: string;
      bytes: Uint8Array;
    }
  /** Takes the place of the one that was there. */
  | { kind: 'reaction'; ts: string; name: string }
  /** The message it belongs under has not been posted yet, or what it shows is not ready, for so many milliseconds. */
  | { kind: 'later'; ms?: number }
  /** There is nothing left to say. */
  | { kind: 'nothing' };

/** An answer that grows. */
export interface Growing {
  /** Safe Markdown before the first words; may be empty. */
  opening: string;
  /** The answer so far, as the agent wrote it; untrusted. Each state begins with the one before. */
  text: string;
}

/** Renders one kind of intent from the store's current state. */
export type ContentOf = (row: OutboxRow) => Promise<Content>;

/** Called once the first message of an intent is in Slack, in the transaction that records it. */
export interface Placed {
  row: OutboxRow;
  channel: string;
  ts: string;
}

export interface DeliverOptions {
  slack: Slack;
  store: Store;
  contentOf: ContentOf;
  /** Records where a message is, in the transaction that records the message. */
  onPlaced: (tx: Parameters<Parameters<Store['transaction']>[0]>[0], placed: Placed) => Promise<void>;
  /** Slack rejects a message, with this error code: true if it is being sent elsewhere. */
  onRefused: (row: OutboxRow, error: string) => Promise<boolean>;
  /** Slack rejects a message until something is fixed: true if it has been put aside until then. */
  onParked: (row: OutboxRow, error: unknown) => Promise<boolean>;
  onPosted: (channel: string) => Promise<void>;
  /** Slack refuses it for good, or somebody has deleted the message or its thread: gives it up. */
  onGone: (row: OutboxRow, error: string) => Promise<void>;
  /** Somebody stopped an answer's stream in Slack: nobody wants more of it. */
  onStopped: (questionId: string) => Promise<unknown>;
  streams: Streams;
  sessions: Sessions;
  random: () => number;
  checkpoint: Checkpoint;
}
