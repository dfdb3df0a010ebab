import type { Alert, AlertKind } from '../../../../src/bot/alerts/types.ts';
import { toolMessage } from '../fixtures.ts';
import { blocks, section } from './generic-messages.ts';

/** A message, the kind that a reader would give it, and what it states of some fields. */
export interface Judged {
  message: Record<string, unknown>;
  kind: AlertKind;
  says: Partial<Alert>;
}

/** A tool's message of nothing but a text. */
export function texted(text: string, kind: AlertKind, says: Partial<Alert> = {}): Judged {
  return { message: toolMessage({ text }), kind, says };
}

/** A tool's reply in a thread. */
export function replied(text: string, kind: AlertKind): Judged {
  return { message: toolMessage({ text, thread_ts: '1794990000.000100' }), kind, says: {} };
}

/** A tool's message of one attachment. */
export function attached(
  attachment: Record<string, unknown>,
  kind: AlertKind,
  says: Partial<Alert> = {},
): Judged {
  return { message: toolMessage({ text: '', attachments: [attachment] }), kind, says };
}

/** A tool's message of blocks, each a section of mrkdwn. */
export function blocked(texts: readonly string[], kind: AlertKind, says: Partial<Alert> = {}): Judged {
  return { message: blocks(...texts.map(section)), kind, says };
}
