import type { PageMessage } from '../../src/page-api.ts';
import { PANE_ROOT } from './assistant.ts';
import { seenBy } from './growing.ts';

const GROUP_MS = 5 * 60_000;

/** One line of a message list. */
export type Row =
  | { kind: 'day'; key: string; at: number }
  /** `follows`: by the author of the message above and soon after, so without name and avatar. */
  | { kind: 'message'; key: string; message: PageMessage; follows: boolean };

/** Milliseconds since the epoch of a Slack `ts`. */
export function millis(ts: string): number {
  return Math.round(Number.parseFloat(ts) * 1000) || 0;
}

/** A list as `reader` sees it: by day and author, without others' ephemeral messages and the roots of the pane. */
export function rowsOf(messages: readonly PageMessage[], reader: string): Row[] {
  const rows: Row[] = [];
  let above: PageMessage | null = null;
  for (const message of messages) {
    if (message.ephemeral_to !== undefined && message.ephemeral_to !== reader) continue;
    if (message.subtype === PANE_ROOT) continue;
    const at = millis(message.ts);
    const isNewDay = above === null || !isSameDay(millis(above.ts), at);
    if (isNewDay) rows.push({ kind: 'day', key: `day-${message.ts}`, at });
    const follows = above !== null && !isNewDay && isSameBreath(above, message);
    rows.push({ kind: 'message', key: message.ts, message: seenBy(message, reader), follows });
    above = message;
  }
  return rows;
}

/** A message in blocks is shown on its own, with its author. */
function isCard(message: PageMessage): boolean {
  return message.bot_id !== undefined && message.blocks !== undefined;
}

function isSameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

function isSameBreath(above: PageMessage, message: PageMessage): boolean {
  return (
    above.user === message.user &&
    above.bot_id === message.bot_id &&
    above.username === message.username &&
    above.ephemeral_to === message.ephemeral_to &&
    above.reply_count === undefined &&
    message.subtype !== 'thread_broadcast' &&
    !isCard(message) &&
    millis(message.ts) - millis(above.ts) < GROUP_MS
  );
}
