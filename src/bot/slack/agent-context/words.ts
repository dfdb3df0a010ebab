import { unescaped } from '../../alerts/slack-text.ts';
import { isoTimestamp } from '../../alerts/timestamps.ts';
import type { Naming } from './naming.ts';

const ANGLED = /<([^<>\n]*)>/gu;
const SCHEME = /^[a-z][a-z\d+.-]{1,20}:\S+$/iu;
/** Every control character but tab and newline. */
const CONTROL = /[^\P{Cc}\n\t]/gu;

/** The ids of the people whom a text mentions, each once. */
export function mentionedIn(text: string): string[] {
  return [...new Set([...text.matchAll(/<@([UW]\w+)/gu)].map(([, id = '']) => id))];
}

/**
 * A message's mrkdwn as plain words: mentions are named, a link is `label (url)` or its url, a channel `#name` where
 * Slack says which.
 */
export function plainWords(mrkdwn: string, naming: Naming): string {
  return inWords(mrkdwn, naming, (text) => naming.scrub(unescaped(text)));
}

/** The same of a text that is unescaped already, in which a person may have written `<` for themselves. */
export function plainQuestion(text: string, naming: Naming): string {
  return inWords(text, naming, naming.scrub);
}

function inWords(text: string, naming: Naming, plain: (words: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(ANGLED)) {
    const meaning = meaningOf(match[1] ?? '', naming, plain);
    if (meaning === null) continue;
    parts.push(plain(text.slice(from, match.index)), meaning);
    from = match.index + match[0].length;
  }
  return [...parts, plain(text.slice(from))].join('').replace(CONTROL, '').toWellFormed().trim();
}

/** What stands between `<` and `>`, in words; `null` if Slack means nothing by it. */
function meaningOf(inside: string, naming: Naming, plain: (words: string) => string): string | null {
  const bar = inside.indexOf('|');
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? '' : plain(inside.slice(bar + 1));
  const person = /^@([UW]\w+)$/u.exec(target)?.[1];
  if (person !== undefined) return naming.of(person);
  if (/^#[CG]\w*$/u.test(target)) return label === '' ? 'a channel' : `#${label}`;
  if (/^!(?:here|channel|everyone)$/u.test(target)) return `@${target.slice(1)}`;
  if (target.startsWith('!subteam^')) return label || '@a group';
  if (target.startsWith('!date^')) return isoTimestamp(Number(target.split('^')[1]) * 1000) ?? label;
  if (/^!\w/u.test(target)) return label;
  if (!SCHEME.test(target)) return null;
  if (/^(?:mailto|tel):/iu.test(target)) return naming.nameless ? reduced(target) : label || target;
  const url = plain(target);
  return label === '' || url.endsWith(label) ? url : `${label} (${url})`;
}

function reduced(target: string): string {
  return /^mailto:/iu.test(target) ? 'an email address' : 'a telephone number';
}
