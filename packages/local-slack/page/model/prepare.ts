import { withShortcodes } from '../../src/page-emoji.ts';
import { slackFileAddress } from './files.ts';

// The library decodes `&lt;` before it looks for `<@…>`, `<!…>` and `<http…|…>`, and looks for them in plain text
// too. A joiner (of no width) after the bracket keeps escaped text what it is: text.
const OPENING = '<\u2060';

// Slack has one level of quotes. The library nests them, and takes minutes for a line of a thousand signs.
const NESTED_QUOTE = /^(?:[ \t]*(?:>|&gt;)){2,}/gm;

// Slack takes code literally. The library takes a star in it for the end of bold text around it, and
// leaves `&amp;` there as it is.
const CODE = /```[\s\S]+?```|`[^`\n]+`/g;
const LITERAL = /(```[\s\S]+?```|`[^`\n]+`)/;
const STAR_IN_CODE = '\u2217';

// The library reads markup in plain text as well, and Markdown's links in Slack's markup. What is written as an entity
// is just a character. An emoji's shortcode keeps its underscores.
const SIGNS = /:[a-z0-9_+'-]+:|[*_~`[]|^>/gm;
// The library takes some characters in an address for markup, so they are escaped; a label has them as entities.
const BARE_LINK = /<(https?:[^|>\s]+)>/g;
const LINK_OPENING = /\[(?=[^\]\n]*\]\()/g;

// A screen reader's outline: whatever an answer begins with stands under its page's first two levels. Slack, too, shows
// all of them in one size.
const MARKDOWN_HEADING = /^#{1,6}(?=[ \t])/gm;
const FENCED = /(```[\s\S]*?(?:```|$))/;

/**
 * Blocks as `slack-blocks-to-jsx` should get them: escaped brackets stay text, and emoji become the
 * shortcodes that the page draws. Anything but a text object is passed on unchanged, malformed or not.
 */
export function prepared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prepared);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, field]) => [key, prepared(field)]);
  const copy: Record<string, unknown> = Object.fromEntries(fields);
  const { type, text } = copy;
  const address = type === 'image' ? slackFileAddress(copy.slack_file) : null;
  if (address !== null) return { ...copy, image_url: address };
  if (typeof text !== 'string') return copy;
  // For Slack, `verbatim` only turns off automatic links; for the library, all markup.
  if (type === 'mrkdwn') return { ...copy, verbatim: false, text: preparedMrkdwn(text) };
  if (type === 'plain_text') return { ...copy, text: literal(withShortcodes(text)) };
  if (type === 'markdown') {
    const words = withShortcodes(text).replaceAll(NESTED_QUOTE, '> ').replaceAll(CODE, unescaped);
    return { ...copy, text: outside(FENCED, words, (part) => part.replaceAll(MARKDOWN_HEADING, '###')) };
  }
  return copy;
}

/** Slack shows escaped brackets as what they stand for in Markdown's code, too; Markdown itself does not. */
function unescaped(code: string): string {
  return code.replaceAll('&lt;', OPENING).replaceAll('&gt;', '>');
}

function labelled(_link: string, address: string): string {
  return `<${address.replaceAll('*', '%2A')}|${withEntities(address)}>`;
}

function literal(text: string): string {
  return withEntities(text.replaceAll('<', OPENING));
}

function withEntities(text: string): string {
  return text.replaceAll(SIGNS, (sign) => (sign.length > 1 ? sign : `&#${sign.charCodeAt(0)};`));
}

/** `kept` has one group, around everything that it matches. */
function outside(kept: RegExp, text: string, change: (part: string) => string): string {
  return text
    .split(kept)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('');
}

function preparedMrkdwn(text: string): string {
  return outside(LITERAL, withShortcodes(text), (part) =>
    part.replaceAll(LINK_OPENING, '&#91;').replaceAll(BARE_LINK, labelled),
  )
    .replaceAll(CODE, (code) => code.replaceAll('*', STAR_IN_CODE))
    .replaceAll(NESTED_QUOTE, '&gt; ')
    .replaceAll('&lt;', OPENING)
    .replaceAll(/(?<!^)&gt;/gm, '>')
    .replaceAll(CODE, (code) => code.replaceAll('&amp;', '&'));
}
