import { renderAlert } from '../../render/webhooks/alert.ts';
import { payloadOf } from '../../store/intents/payloads.ts';
import { readReading } from '../../webhooks/stored.ts';
import type { ContentSource } from './source.ts';

/** An alert delivered by a webhook. */
export const alert: ContentSource = async (row, { store }) => {
  const received = await store.receivedAlerts.get(payloadOf('alert', row).received);
  const reading = received === null ? null : readReading(received.reading);
  // Its issue was deleted, and the alert's text with it.
  if (received === null || reading === null) return { kind: 'nothing' };
  const { alert: said, labels, links } = reading;
  const rendered = renderAlert({ alert: said, labels, links, tool: received.tool, overAt: received.overAt });
  return { kind: 'messages', parts: [rendered], channel: row.channel, threadTs: null };
};
