import { oneLine } from '../../lib/text.ts';
import { clean, escapeControls, literal } from './escape.ts';

const MAX_URL = 2000;
/** Longer ones are shown by their host. */
const MAX_SHOWN = 120;
const CODE_OR_URL = /```[\s\S]+?```|`[^`\n]+`|https?:\/\/[^\s<>|"'`]+/giu;

/** The address as it may be in a link, or `null` if it is not plain http or https. */
export function safeUrl(url: string): string | null {
  const address = clean(url).trim();
  const parsed = URL.parse(address);
  if (!parsed || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return null;
  // `https://bank.example@other.example/` looks like one and leads to the other.
  if (parsed.username !== '' || parsed.password !== '') return null;
  if (!isPlain(address) || !isPlain(parsed.href)) return null;
  const href = parsed.href.replaceAll('|', '%7C').replaceAll('<', '%3C').replaceAll('>', '%3E');
  return href.length > MAX_URL ? null : href;
}

/**
 * Whether an address stays a link however often somebody decodes it: no control character, and nothing that could begin or
 * end Slack's markup. A comparison in a query is not that (`?expr=up+%3E+0`), and most links of alerts to Prometheus have one.
 */
function isPlain(address: string): boolean {
  let text = address;
  for (let times = 0; times <= 3; times += 1) {
    const at = text.search(/[?#]/u);
    const [path, query] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
    if (/\p{Cc}/u.test(text) || /[<>|]/u.test(path) || /<[!@#/\p{L}]|\|[^|]*>/u.test(query)) return false;
    text = text.replace(/%([0-9a-f]{2})/giu, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  return true;
}

/**
 * A link in mrkdwn. The label cannot end the link, nor pass for another address: one that looks like an
 * address gives way to the real one. Without a safe address only the label is left.
 */
export function link(url: string, label: string): string {
  // Slack shows no code in a link.
  const words = oneLine(clean(label).replace(/[|<>`]/gu, ' '));
  const href = safeUrl(url);
  if (href === null) return literal(words);
  if (words === '' || looksLikeAddress(words)) return `<${escapeControls(href)}>`;
  return `<${escapeControls(href)}|${literal(words)}>`;
}

/**
 * Untrusted text of several lines as mrkdwn: code in backticks stays code, bare http and https addresses
 * become links, and everything else is literal.
 */
export function body(text: string): string {
  const source = clean(text).trim();
  let out = '';
  let from = 0;
  for (const match of source.matchAll(CODE_OR_URL)) {
    out += between(source.slice(from, match.index), from) + token(match[0]);
    from = match.index + match[0].length;
  }
  return out + between(source.slice(from), from);
}

/** Untrusted text as a block of code, which Slack copies with one click; empty for empty text. */
export function codeBlock(text: string): string {
  const source = clean(text).trim();
  if (source === '') return '';
  // Text that could end the code early is not made code.
  if (source.includes('```')) return body(source);
  const ends = /[\n`]/u.test(source) ? '\n' : '';
  return `\`\`\`${ends}${escapeControls(source)}${ends}\`\`\``;
}

/** Untrusted text as code, so that it can be copied as it is; empty for empty text. */
export function code(text: string): string {
  const source = clean(text).trim();
  if (source === '') return '';
  return /[\n`]/u.test(source) ? codeBlock(source) : `\`${escapeControls(source)}\``;
}

/** Whether a text looks like an address: a scheme, `www.`, or a name with a dot and letters after it. */
export function looksLikeAddress(text: string): boolean {
  return /:\/\/|www\.|[\p{L}\p{N}-]\.[\p{L}]{2,}/iu.test(text);
}

// A `>` after an address or code is not at the start of a line, so it is not a quote.
function between(text: string, from: number): string {
  return from === 0 ? literal(text) : literal(`)${text}`).slice(1);
}

function token(text: string): string {
  if (text.startsWith('`')) return escapeControls(text);
  const trailing = /[.,;:!?)\]}*_~]+$/u.exec(text)?.[0] ?? '';
  const address = text.slice(0, text.length - trailing.length);
  const href = safeUrl(address);
  if (href === null) return literal(text);
  // A query as an address fills a phone.
  const label = href.length > MAX_SHOWN ? `|${literal(`${new URL(href).host}/…`)}` : '';
  return `<${escapeControls(href)}${label}>${literal(trailing)}`;
}
