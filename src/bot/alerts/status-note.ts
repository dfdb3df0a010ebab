import { cutAtWord, oneLine } from '../../lib/text.ts';
import { parseAlert } from './parse.ts';
import { readMessage } from './message-content.ts';
import { SlackMessage } from './schema.ts';
import { isPerson } from './sender.ts';
import { bare, plain } from './slack-text.ts';

const MAX_NOTE = 150;

/**
 * What a message that is no alert itself says of its alert: an acknowledgement, a downtime, an update (guide,
 * section 5). One plain line of at most 150 characters; `null` for alerts and recoveries, people's words, messages of
 * no alert, and edits that change no words (an unfurl).
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
/** How Nagios and its relatives shout what was sent. */
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

/** A line that says what was done about the alert, in words for a card; `null` for any other. */
function statusIn(line: string): string | null {
  const [, what, turn] = SHOUTED.exec(line) ?? [];
  if (what !== undefined) return `${NAMES[what] ?? 'Acknowledged'}${TURNS[turn ?? ''] ?? ''}`;
  return STATUS.test(line) ? line.replace(/ ?\[#\d{1,12}\]$/u, '') : null;
}

/** Who did it is said here, unlike in a title. */
const PERSON = /<@[UW]\w*(?:\|([^<>|\n]*))?>/gu;

function linesOf(message: SlackMessage): string[] {
  return readMessage(message)
    .body.split('\n')
    .map((line) => oneLine(bare(plain(line.replace(PERSON, (_whole, name?: string) => name || 'somebody')))))
    .filter((line) => line !== '');
}
