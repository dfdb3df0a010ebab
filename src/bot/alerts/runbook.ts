import { isJsonObject } from '../../lib/json.ts';
import type { WebhookReading } from './format.ts';
import type { MessageContent } from './message.ts';
import { webUrl } from './payload.ts';
import { linksOf, unescaped } from './slack-text.ts';
import type { Alert } from './types.ts';

const NAME = String.raw`(?<![\p{L}\d])(?:run|play)[ _-]?book(?:[ _-]?(?:url|uri|link))?(?![\p{L}\d])`;
const NAMED = new RegExp(NAME, 'iu');
/** `Runbook: <https://…>`, `runbook_url = https://…`, and whatever else a template puts between the two. */
const BESIDE = new RegExp(String.raw`${NAME}[^\p{L}\d\n<]{0,12}<?(?<url>https?:\/\/[^\s<>|]+)`, 'giu');

/** The alert with the address of its runbook, where the message calls one so. */
export function withRunbookOf(alert: Alert, { body, buttons }: MessageContent): Alert {
  const links = [...linksOf(body), ...buttons];
  return withRunbook(alert, [
    ...links.filter(({ label }) => NAMED.test(label ?? '')).map(({ url }) => url),
    ...Array.from(body.matchAll(BESIDE), ({ groups }) => unescaped(groups?.url ?? '')),
  ]);
}

const MAX_DEPTH = 8;
const MOST_VALUES = 5_000;

/** The same of a payload: each alert's own link, or what the payload of a single alert has under such a key. */
export function withRunbooksOf(reading: WebhookReading, payload: unknown): WebhookReading {
  if (reading.kind !== 'alerts') return reading;
  const isAlone = reading.alerts.length === 1;
  return {
    ...reading,
    alerts: reading.alerts.map((received) => {
      const { alert, links, labels } = received;
      const own = [
        ...links.filter(({ text }) => NAMED.test(text)).map(({ url }) => url),
        ...valuesNamed(labels),
      ];
      const found = own.length > 0 || !isAlone ? own : valuesNamed(payload);
      return { ...received, alert: withRunbook(alert, found) };
    }),
  };
}

/** Several different ones are of several alerts: none of them is the alert's. */
function withRunbook(alert: Alert, found: readonly unknown[]): Alert {
  if (alert.kind === 'not_an_alert') return alert;
  const [first, ...others] = new Set(found.flatMap((url) => webUrl.parse(url) ?? []));
  return first === undefined || others.length > 0 ? alert : { ...alert, runbookUrl: first };
}

function valuesNamed(payload: unknown): unknown[] {
  const found: unknown[] = [];
  let left = MOST_VALUES;
  const walk = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      left -= 1;
      if (left < 0) return;
      if (isJsonObject(value) && NAMED.test(wordsApart(key))) found.push(inner);
      walk(inner, depth + 1);
    }
  };
  walk(payload, 0);
  return found;
}

/** `runbookUrl` is `runbook Url`. */
function wordsApart(key: string): string {
  return key.slice(0, 100).replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
}
