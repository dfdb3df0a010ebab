import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PageMessage, PostInput } from 'local-slack';
import type { Surroundings } from './program.ts';

/** A message of the corpus as its tool posts it, into #alerts. */
export function corpusMessage(vendor: string, name: string): PostInput {
  const file = new URL(`../bot/alerts/formats/fixtures/${vendor}/${name}.json`, import.meta.url);
  const { message } = JSON.parse(readFileSync(fileURLToPath(file), 'utf8'));
  return {
    channel: 'alerts',
    text: message.text,
    attachments: message.attachments,
    ...(message.bot_profile
      ? { app: { app_id: message.app_id, name: message.bot_profile.name } }
      : { username: message.username }),
  };
}

/** An Alertmanager alert of its default template. */
export function alertmanagerAlert(name: string, service = 'checkout-api'): PostInput {
  const title = `[FIRING:1] ${name} ${service} (prod shop eu-west-1 critical)`;
  const link = 'http://alertmanager.example:9093/#/alerts?receiver=slack';
  return {
    channel: 'alerts',
    username: 'Alertmanager',
    attachments: [{ color: 'danger', fallback: `${title} | ${link}`, title, title_link: link }],
  };
}

/** What stands in the thread of a message, without the message itself. */
export function repliesTo(around: Surroundings, ts: string): PageMessage[] {
  return around.workspace.messages(around.workspace.channels.alerts, ts).slice(1);
}

/** The words of a message as a person reads them: its notification text and every text in its blocks. */
export function wordsOf(message: PageMessage): string {
  return [message.text, ...textsIn(message.blocks ?? [])].join('\n');
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner),
  );
}
