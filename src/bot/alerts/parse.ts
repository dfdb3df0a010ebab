import { cutAtWord, oneLine } from '../../lib/text.ts';
import { readMessage } from './formats/index.ts';
import { contentOf, isAuthored, isPerson, SlackMessage } from './message.ts';
import { plainText, withoutMarkup } from './slack-text.ts';
import { isRecoverySummary } from './state.ts';
import { type Alert, emptyAlert } from './types.ts';
import { NOTED_LOUD } from './vocabulary.ts';

/**
 * Parses a Slack message event. Never throws: anything that is not a message, and Slack's own notices, are
 * `not_an_alert`. An edit counts only if a tool changed the state of its alert with it; any other edit, and a deletion,
 * keep title and fingerprint, so that the issue can be found.
 */
export function parseAlert(event: unknown): Alert {
  const parsed = SlackMessage.safeParse(event);
  if (!parsed.success) return emptyAlert('generic');
  const message = parsed.data;
  if (message.subtype === 'message_changed') return edited(message);
  if (message.subtype === 'message_deleted')
    return identityOnly(parseAuthored(message.previous_message, message) ?? emptyAlert('generic'));
  return isAuthored(message) ? parseMessage(message) : emptyAlert('generic');
}

function edited(event: SlackMessage): Alert {
  const now = parseAuthored(event.message, event);
  if (now === null) return emptyAlert('generic');
  const before = parseAuthored(event.previous_message, event);
  const author = SlackMessage.safeParse(event.message);
  if (author.success && isPerson(author.data)) return identityOnly(now);
  const same =
    before !== null &&
    before.kind === now.kind &&
    before.severity === now.severity &&
    before.fingerprint === now.fingerprint;
  return same ? identityOnly(now) : now;
}

function parseAuthored(value: unknown, { channel }: SlackMessage): Alert | null {
  const parsed = SlackMessage.safeParse(value);
  return parsed.success && isAuthored(parsed.data) ? parseMessage({ ...parsed.data, channel }) : null;
}

function parseMessage(message: SlackMessage): Alert {
  return withoutPastError(readMessage(message));
}

/** A recovery's summary of the past problem is not an error message. */
function withoutPastError(alert: Alert): Alert {
  const past = alert.kind === 'resolved' && isRecoverySummary(alert.errorMessage ?? '');
  return past ? { ...alert, errorMessage: null } : alert;
}

/** For a message that is not an alert: which alert it is about. */
function identityOnly({ format, title, fingerprint }: Alert): Alert {
  return { ...emptyAlert(format), title, fingerprint };
}

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
  const [, what, turn] = NOTED_LOUD.exec(line) ?? [];
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
