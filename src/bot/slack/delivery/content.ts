import type { Checkpoint } from '../../../lib/checkpoint.ts';
import type { Rendered } from '../../render/rendered.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { Slack } from './calls.ts';
import type { Streams } from './streams.ts';

/** What an intent comes to, at the moment it is sent. */
export type Content =
  | {
      kind: 'messages';
      parts: Rendered[];
      channel: string;
      threadTs: string | null;
      /** The first message is shown in the channel too, beside its thread. */
      broadcast?: boolean;
      /** It grows, in a direct message: into a Slack stream while one can be had, else by edits of `parts`. */
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
  | { kind: 'reaction'; ts: string; name: string }
  /** The message it belongs under is not there yet. */
  | { kind: 'later' }
  /** There is nothing to say any more. */
  | { kind: 'nothing' };

/** An answer that grows. */
export interface Growing {
  /** Safe Markdown before its first words; empty for none. */
  opening: string;
  /** What has arrived of it, as the agent wrote it; untrusted. Each state begins with the one before. */
  text: string;
  /** What Slack shows while no word has arrived, after the app's name, e.g. `is thinking…`. */
  status: string;
}

/** Renders one kind of intent from the store's present state. */
export type ContentOf = (row: OutboxRow) => Promise<Content>;

/** Called once the first message of an intent stands in Slack, in the same transaction as its record. */
export interface Placed {
  row: OutboxRow;
  channel: string;
  ts: string;
}

/** What bringing intents to Slack needs. */
export interface DeliverOptions {
  slack: Slack;
  store: Store;
  contentOf: ContentOf;
  /** Keeps the place of a message, in the transaction that records it. */
  onPlaced: (tx: Parameters<Parameters<Store['transaction']>[0]>[0], placed: Placed) => Promise<void>;
  /** What Slack will not take, by name: true when it was arranged elsewhere. */
  onRefused: (row: OutboxRow, error: string) => Promise<boolean>;
  /** What Slack refuses until something is mended: true when the message has been put aside until then. */
  onWaits: (row: OutboxRow, error: unknown) => Promise<boolean>;
  /** Slack took a post in a channel. */
  onPosted: (channel: string) => Promise<void>;
  /** Somebody has deleted the message, or the thread it was to stand in: it is given up. */
  onGone: (row: OutboxRow, error: string) => Promise<void>;
  /** Somebody ended the stream of an answer in Slack: nobody wants more of it. */
  onStopped: (questionId: string) => Promise<unknown>;
  streams: Streams;
  random: () => number;
  checkpoint: Checkpoint;
}
