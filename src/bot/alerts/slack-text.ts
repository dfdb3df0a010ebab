import { cutAtWord, oneLine } from '../../lib/text.ts';
import { isoTimestamp } from './timestamps.ts';

/** A link in a message. `label` is `null` for a bare url. */
export interface Link {
  url: string;
  label: string | null;
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Decodes `&amp;`, `&lt;` and `&gt;`, the three entities that Slack escapes, once. */
export function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:amp|lt|gt);/gu, (entity) => ENTITIES[entity] ?? entity);
}

const ANGLED = /<([^<>\n]*)>/gu;

/** The first `max` characters, without a truncated link or entity at the end. */
export function truncateMrkdwn(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max).replace(/&[a-z]{0,3}$/u, '');
  const open = head.lastIndexOf('<');
  return open > head.lastIndexOf('>') ? head.slice(0, open) : head;
}

/** mrkdwn as plain text: a link becomes its label, or its URL; mentions of people, groups and `@here` are dropped. */
export function plainText(mrkdwn: string): string {
  if (!mrkdwn.includes('<')) return unescaped(mrkdwn);
  return unescaped(mrkdwn.replace(ANGLED, (whole, inside: string) => control(whole, inside, labelOrUrl)));
}

const BOLD = /(^|[\s(])\*([^*\s](?:[^*\n]{0,298}[^*\s])?)\*(?=[\s).,:;!?]|$)/gmu;

/** mrkdwn as Markdown: a labeled link is `[label](url)`, bold has two stars; else as {@link plainText}. */
export function toMarkdown(mrkdwn: string): string {
  const linked = mrkdwn.replace(ANGLED, (whole, inside: string) => control(whole, inside, markdownLink));
  return unescaped(linked)
    .replace(BOLD, '$1**$2**')
    .replace(/^ {0,4}[•●▪] /gmu, '- ');
}

/** Text without its links, so that nothing inside a URL is taken for a fact. */
export function withoutUrls(mrkdwn: string): string {
  return plainText(mrkdwn.replace(/<https?:[^<>|\n]*>/gu, ' ')).replace(/https?:\/\/\S+/gu, ' ');
}

const LEADING = /^(?:\s|:[\w+-]{2,60}:|\p{Extended_Pictographic}|\u{FE0F})+/u;

/** A line for quoting: without URLs, bold and leading emoji; backticks and stars inside it stay. */
export function quotableText(mrkdwn: string): string {
  return withoutUrls(mrkdwn)
    .replace(LEADING, '')
    .replace(BOLD, '$1$2')
    .replace(/\( {0,4}\)/gu, ' ')
    .replace(/[ \t]+/gu, ' ')
    .trim();
}

/** Every `<url>` and `<url|label>` of a mrkdwn text, in order. */
export function linksOf(mrkdwn: string): Link[] {
  if (!mrkdwn.includes('<http')) return [];
  return [...mrkdwn.matchAll(ANGLED)].flatMap(([, inside = '']) => {
    if (!/^https?:\/\//u.test(inside)) return [];
    const { url, label } = split(inside);
    return [{ url, label }];
  });
}

const FENCE = '```';

/** The first code block of a text, where tools put the error message; `null` if there is none. */
export function firstCodeBlock(text: string): string | null {
  const open = text.indexOf(FENCE);
  const close = open < 0 ? -1 : closing(text, open);
  return close < 0 ? null : text.slice(open + FENCE.length, close).trim() || null;
}

export function withoutCodeBlocks(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let open = text.indexOf(FENCE); open >= 0; open = text.indexOf(FENCE, from)) {
    const close = closing(text, open);
    if (close < 0) break;
    kept.push(text.slice(from, open));
    from = close + FENCE.length;
  }
  return [...kept, text.slice(from)].join('');
}

/** Where the fence that opens here is closed; the code itself may end in a backtick. */
function closing(text: string, open: number): number {
  let close = text.indexOf(FENCE, open + FENCE.length);
  while (close >= 0 && text[close + FENCE.length] === '`') close += 1;
  return close;
}

/** Removes emoji and mrkdwn markup: `:fire: *Down*` becomes `Down`. */
export function withoutMarkup(text: string): string {
  return withoutEmoji(text)
    .replace(/`([^`\n]*)`|\*/gu, '$1')
    .replace(/(^|\s)_([^_\n]{1,300})_(?=\s|$)/gu, '$1$2')
    .replace(/[ \t]+/gu, ' ')
    .trim();
}

/** Also one glued to the word behind it, where that is capitalized: `:exclamation:ALARM`. */
const SHORTCODE = /:(?<![\w:]:)(?=[\d_+'-]{0,40}[A-Za-z])[\w+'-]{1,60}:(?![a-z\d_])/gu;
const BEYOND_LATIN = /[\u{100}-\u{10ffff}]/u;
const PICTURE = /[\p{Extended_Pictographic}--[\d#*©®™]][\u{FE0F}\u{200D}\u{1F3FB}-\u{1F3FF}]*/gv;

/** Removes `:shortcodes:` and emoji characters. */
function withoutEmoji(text: string): string {
  const words = text.includes(':') ? text.replace(SHORTCODE, '') : text;
  return BEYOND_LATIN.test(words) ? words.replace(PICTURE, '') : words;
}

/** Slack links anything with a scheme: `mailto:`, `slack:`, an app's own. */
const SCHEME = /^[a-z][a-z\d+.-]{1,20}:/iu;

function split(inside: string): Link {
  const bar = inside.indexOf('|');
  if (bar < 0) return { url: unescaped(inside), label: null };
  return { url: unescaped(inside.slice(0, bar)), label: unescaped(inside.slice(bar + 1)) };
}

function control(whole: string, inside: string, link: (inside: string) => string): string {
  const [target = '', label = ''] = inside.split('|', 2);
  if (target.startsWith('!date^')) return isoTimestamp(Number(target.split('^')[1]) * 1000) ?? label;
  if (/^@[UW]\w*$/u.test(target) || /^!(?:here|channel|everyone)\b/u.test(target)) return '';
  if (/^(?:!\w|#[CG])/u.test(target)) return label;
  return SCHEME.test(target) ? link(inside) : whole;
}

// The labels stay escaped here: the caller unescapes the whole text once.
function labelOrUrl(inside: string): string {
  const bar = inside.indexOf('|');
  return bar < 0 ? inside : inside.slice(bar + 1) || inside.slice(0, bar);
}

function markdownLink(inside: string): string {
  const bar = inside.indexOf('|');
  if (bar < 0) return inside;
  const label = inside.slice(bar + 1);
  return label ? `[${label}](${inside.slice(0, bar)})` : inside.slice(0, bar);
}

/** The longest title that the service accepts (contract, section 6). */
const MAX_TITLE = 500;
const MAX_MESSAGE = 2_000;

/** One line, cut to the service's limit; `null` if it is empty. */
export function toTitle(text: string): string | null {
  return cutAtWord(oneLine(text), MAX_TITLE) || null;
}

/** An error message, shortened; `null` if it is empty. */
export function toErrorMessage(text: string | null): string | null {
  return cutAtWord((text ?? '').trim(), MAX_MESSAGE) || null;
}

/** mrkdwn as a description in Markdown, without repeated blank lines; the title if there is nothing else. */
export function toDescription(mrkdwn: string, title: string | null): string | null {
  const lines = toMarkdown(mrkdwn)
    .split('\n')
    .map((line) => line.trimEnd());
  const text = lines
    .filter((line, at) => line !== '' || (lines[at - 1] ?? '') !== '')
    .join('\n')
    .trim();
  return text || title;
}
