import type { Checkpoint } from '../../../lib/checkpoint.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { Slack } from './calls.ts';
import type { ContentOf, Placed } from './content.ts';
import type { Streams } from './streams.ts';

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
