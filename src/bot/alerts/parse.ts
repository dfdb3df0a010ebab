import { blank } from './empty-alert.ts';
import { formats } from './formats/index.ts';
import { tellsOfThePast } from './recovery-summary.ts';
import { readMessage } from './message-content.ts';
import { SlackMessage } from './schema.ts';
import { isPerson, isWritten } from './sender.ts';
import type { Alert } from './types.ts';

/**
 * What a Slack message event says. Never throws; what is no message, or nobody's words, is `not_an_alert`. An edit
 * counts only where a tool changed the state of its alert by it (guide, section 0); an edit or a deletion that
 * changes nothing keeps title and fingerprint, so that the issue can be found.
 */
export function parseAlert(event: unknown): Alert {
  const parsed = SlackMessage.safeParse(event);
  if (!parsed.success) return blank('generic');
  const message = parsed.data;
  if (message.subtype === 'message_changed') return edited(message);
  if (message.subtype === 'message_deleted')
    return trace(written(message.previous_message) ?? blank('generic'));
  return isWritten(message) ? read(message) : blank('generic');
}

function edited(event: SlackMessage): Alert {
  const now = written(event.message);
  if (now === null) return blank('generic');
  const before = written(event.previous_message);
  const author = SlackMessage.safeParse(event.message);
  if (author.success && isPerson(author.data)) return trace(now);
  const same =
    before !== null &&
    before.kind === now.kind &&
    before.severity === now.severity &&
    before.fingerprint === now.fingerprint;
  return same ? trace(now) : now;
}

function written(value: unknown): Alert | null {
  const parsed = SlackMessage.safeParse(value);
  return parsed.success && isWritten(parsed.data) ? read(parsed.data) : null;
}

function read(message: SlackMessage): Alert {
  const reading = readMessage(message);
  for (const format of formats) {
    const alert = format.extract(reading);
    if (alert) return present(alert);
  }
  return blank('generic');
}

/** A recovery that tells how it was has no error's message. */
function present(alert: Alert): Alert {
  const past = alert.kind === 'resolved' && tellsOfThePast(alert.errorMessage ?? '');
  return past ? { ...alert, errorMessage: null } : alert;
}

/** Of what is no alert itself: which alert it is about. */
function trace({ format, title, fingerprint }: Alert): Alert {
  return { ...blank(format), title, fingerprint };
}
