import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import type { Largest } from './stretch.ts';

/** Of one message's text, of an attachment's field, of a section's text, of one of its fields. */
const MAX = { text: 40_000, attachment: 700, section: 3_000, field: 2_000 };

/** What messages are full of: each costs another part of reading most. */
const WORDS: Readonly<Record<string, string>> = {
  prose: 'disk is full on host=db-1 for *Severity:* high ',
  'lines of labels': '*Severity:* high\nhost: db-1.example.com\n',
  links: '<https://a.example/x|label> &amp; ',
  brackets: '<<<<[(',
  'blank lines': 'a\n\n',
  'stack trace': 'java.lang.Error: x at a.b(c.java:1)\n',
  times: '12:34:56 2026-01-01T00:00:00Z ',
};

/** Messages of a tool as large as Slack takes them. */
export function largestMessages(): Largest[] {
  return Object.entries(WORDS).flatMap(([kind, words]) => [
    parsing(`text of 40,000 characters, ${kind}`, { text: firing(fill(words, MAX.text)) }),
    parsing(`100 attachments of 50 fields, ${kind}`, {
      text: firing(''),
      attachments: Array.from({ length: 100 }, (_, i) => attachment(i, fill(words, MAX.attachment))),
    }),
    parsing(`50 sections of 10 fields, ${kind}`, {
      text: firing(''),
      blocks: Array.from({ length: 50 }, (_, i) => section(i, words)),
    }),
    parsing(`nested lists of rich text, ${kind}`, {
      text: firing(''),
      blocks: Array.from({ length: 50 }, () => ({ type: 'rich_text', elements: [list(fill(words, 50), 3)] })),
    }),
  ]);
}

/** A text repeated up to a length. */
export function fill(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

function parsing(name: string, message: object): Largest {
  const body = JSON.stringify({ type: 'message', bot_id: 'B1', ...message });
  const parsed: unknown = JSON.parse(body);
  return { name: `alert: ${name}`, work: () => parseAlert(parsed) };
}

function firing(words: string): string {
  return `[FIRING:1] Disk full\n${words}`;
}

function attachment(i: number, words: string) {
  const fields = Array.from({ length: 50 }, (_, j) => ({ title: `f${j}`, value: `${i}.${j} ${words}` }));
  return { color: 'danger', title: `T${i}`, text: `${i} ${words}`, fallback: words, footer: words, fields };
}

function section(i: number, words: string) {
  const fields = Array.from({ length: 10 }, (_, j) => ({
    type: 'mrkdwn',
    text: `*f${j}:*\n${i} ${fill(words, MAX.field - 20)}`,
  }));
  return { type: 'section', text: { type: 'mrkdwn', text: fill(`${i} ${words}`, MAX.section) }, fields };
}

function list(words: string, depth: number): object {
  if (depth === 0) {
    const elements = Array.from({ length: 40 }, () => ({ type: 'text', text: words }));
    return { type: 'rich_text_section', elements };
  }
  return { type: 'rich_text_list', elements: Array.from({ length: 4 }, () => list(words, depth - 1)) };
}
