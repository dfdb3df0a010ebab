import { z } from 'zod';
import { type Alert, emptyAlert } from '../../../alerts/types.ts';
import { type ChannelMessage, readAlert, seenOfRow } from '../../../filing/channel-message.ts';
import { limits } from '../../../render/limits.ts';
import type { Store } from '../../../store/open.ts';
import { CHANNEL_ID } from '../../listening/event-schema.ts';

/** The message that a modal is about, as stored in the modal. */
const Remembered = z.object({
  channel: z.string().regex(CHANNEL_ID),
  ts: z.string(),
  threadTs: z.string().nullable(),
  sender: z.string().nullable(),
  alert: z.unknown(),
});

/** A message as `private_metadata`; the longest parts of an alert are dropped until it fits. */
export function remember({ channel, ts, threadTs, sender, alert }: ChannelMessage): string {
  const { kind, format, fingerprint, environment, severity } = alert;
  const bare: Alert = { ...emptyAlert(format), kind, fingerprint, environment, severity };
  const shorter: Alert[] = [
    alert,
    { ...alert, description: null },
    { ...alert, description: null, errorMessage: null },
    { ...alert, description: null, errorMessage: null, tags: [], alertUrl: null },
    bare,
    { ...bare, environment: null },
  ];
  const texts = shorter.map((one) => JSON.stringify({ channel, ts, threadTs, sender, alert: one }));
  const fitting = texts.find((text) => text.length <= limits.viewMetadata);
  return fitting ?? JSON.stringify({ channel, ts, threadTs, sender: null, alert: emptyAlert(format) });
}

/** The message that a modal is about: from the store if recorded, else from the modal; `null` if neither has it. */
export async function recall(
  metadata: string,
  { store, permalink }: { store: Store; permalink: (channel: string, ts: string) => string },
): Promise<ChannelMessage | null> {
  try {
    const { alert, ...message } = Remembered.parse(JSON.parse(metadata));
    const { channel, ts } = message;
    const link = permalink(channel, ts);
    const row = await store.alerts.find(channel, ts);
    if (row) return seenOfRow(row, link);
    const read = readAlert(JSON.stringify(alert));
    if (read === null) return null;
    return { ...message, permalink: link, alert: read, byPerson: false, edited: false, note: null };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
