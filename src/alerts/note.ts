import { cutAtWord, oneLine } from '../lib/text.ts';
import { parseAlert } from './parse.ts';
import { readMessage } from './reading.ts';
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
  const line = linesOf(now).find((words) => !known.has(words));
  return line === undefined ? null : cutAtWord(line, MAX_NOTE);
}

function linesOf(message: SlackMessage): string[] {
  return readMessage(message)
    .body.split('\n')
    .map((line) => oneLine(bare(plain(line))))
    .filter((line) => line !== '');
}
