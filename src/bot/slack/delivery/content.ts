import type { Rendered } from '../../render/rendered.ts';
import type { OutboxRow } from '../../store/outbox.ts';

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
