import { emptyAlert } from './empty-alert.ts';
import { formats } from './formats/index.ts';
import { contentOf } from './message-content.ts';
import { isRecoverySummary } from './recovery-summary.ts';
import { SlackMessage } from './schema.ts';
import { isAuthored, isPerson } from './sender.ts';
import type { Alert } from './types.ts';

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
    return trace(written(message.previous_message) ?? emptyAlert('generic'));
  return isAuthored(message) ? read(message) : emptyAlert('generic');
}

function edited(event: SlackMessage): Alert {
  const now = written(event.message);
  if (now === null) return emptyAlert('generic');
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
  return parsed.success && isAuthored(parsed.data) ? read(parsed.data) : null;
}

function read(message: SlackMessage): Alert {
  const content = contentOf(message);
  for (const format of formats) {
    const alert = format.extract(content);
    if (alert) return present(alert);
  }
  return emptyAlert('generic');
}

/** A recovery's summary of the past problem is not an error message. */
function present(alert: Alert): Alert {
  const past = alert.kind === 'resolved' && isRecoverySummary(alert.errorMessage ?? '');
  return past ? { ...alert, errorMessage: null } : alert;
}

/** For a message that is not an alert: which alert it is about. */
function trace({ format, title, fingerprint }: Alert): Alert {
  return { ...emptyAlert(format), title, fingerprint };
}
