import { cutAtWord, oneLine } from '../../lib/text.ts';
import { contentOf } from './message-content.ts';
import { parseAlert } from './parse.ts';
import { SlackMessage } from './schema.ts';
import { isPerson } from './sender.ts';
import { plainText, withoutMarkup } from './slack-text.ts';

const MAX_NOTE = 150;

/**
 * The status change that a message reports about an existing alert: an acknowledgement, a downtime, an update. One line
 * of plain text, at most 150 characters; `null` for alerts and recoveries, people's messages, messages about no alert,
 * and edits that change no text (an unfurl).
 */
export function statusNote(event: unknown): string | null {
  const alert = parseAlert(event);
  if (alert.kind !== 'not_an_alert' || alert.fingerprint === null) return null;
  const parsed = SlackMessage.safeParse(event);
  if (!parsed.success || parsed.data.subtype === 'message_deleted') return null;
  const edit = parsed.data.subtype === 'message_changed';
  const now = edit ? SlackMessage.safeParse(parsed.data.message).data : parsed.data;
  if (now === undefined || isPerson(now)) return null;
  const before = edit ? SlackMessage.safeParse(parsed.data.previous_message).data : undefined;
  const known = new Set(before === undefined ? [] : linesOf(before));
  const fresh = linesOf(now).filter((line) => !known.has(line));
  const status = fresh.map(statusIn).find((words) => words !== null);
  const [first] = fresh;
  if (first === undefined) return null;
  return cutAtWord(status ?? (edit ? `Updated: ${first}` : first), MAX_NOTE);
}

const STATUS =
  /\b(?:acknowledged?|acked|snoozed|silenced|suppressed|muted|merged|(?:re)?assigned|archived|escalated|updated|delegated|status changed|insufficient[ _]data|note added|commented)\b/iu;
/** The notification types of Nagios and its relatives. */
const SHOUTED = /\b(ACKNOWLEDGE?MENT|DOWNTIME|FLAPPING|CUSTOM)(START|END|STOP|CANCELLED|DISABLED)?\b/u;
const NAMES: Readonly<Record<string, string>> = {
  DOWNTIME: 'Downtime',
  FLAPPING: 'Flapping',
  CUSTOM: 'Custom notification',
};
const TURNS: Readonly<Record<string, string>> = {
  START: ' started',
  END: ' ended',
  STOP: ' stopped',
  CANCELLED: ' cancelled',
  DISABLED: ' disabled',
};

/** What was done about the alert, worded for a card; `null` for a line that does not say. */
function statusIn(line: string): string | null {
  const [, what, turn] = SHOUTED.exec(line) ?? [];
  if (what !== undefined) return `${NAMES[what] ?? 'Acknowledged'}${TURNS[turn ?? ''] ?? ''}`;
  return STATUS.test(line) ? line.replace(/ ?\[#\d{1,12}\]$/u, '') : null;
}

/** A status note names who did it; a title does not. */
const PERSON = /<@[UW]\w*(?:\|([^<>|\n]*))?>/gu;

function linesOf(message: SlackMessage): string[] {
  return contentOf(message)
    .body.split('\n')
    .map((line) =>
      oneLine(withoutMarkup(plainText(line.replace(PERSON, (_whole, name?: string) => name || 'somebody')))),
    )
    .filter((line) => line !== '');
}
