import { looksLikeAddress, safeUrl } from '../links.ts';

const BREAK = '\u200b';
// Only this plain form of a link passes: a label without brackets, an http or https address, a title or none.
const LINK =
  /(?<!\\)!?\[((?:\\[^\n]|[^[\]\\\n]){0,300})\]\((https?:\/\/[^\s()<>[\]\\`"']{1,2000})(?:[ \t]+"[^"\n]*")?\)|\](?=\()/giu;
// `[label]: address` defines what `[any label]` leads to, out of sight; the label may begin a line above.
const DEFINITION = /^([^[]*|[\s>*+\-.\d)]*\[(?:\\.|[^[\]\\])*)\](?=:)/u;

/**
 * Untrusted Markdown whose links lead where they say: a label that passes for another address shows the
 * real one, pictures become links, every other form of a link is broken by an invisible space. Not
 * escaped yet.
 */
export function honestLinks(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => line.replace(DEFINITION, `$1]${BREAK}`).replace(LINK, rewrite))
    .join('\n');
}

function rewrite(match: string, label: string | undefined, address: string | undefined): string {
  if (label === undefined || address === undefined) return `]${BREAK}`;
  const href = safeUrl(address);
  const hasOpenCode = (label.match(/`/gu)?.length ?? 0) % 2 === 1;
  if (href === null || /[()]/u.test(href) || hasOpenCode) return match.replaceAll('](', `]${BREAK}(`);
  return `[${honestLabel(label, href)}](${href})`;
}

function honestLabel(label: string, href: string): string {
  if (label.trim() === '' || /:\/\/|www\./iu.test(label)) return href;
  const host = new URL(href).host;
  return looksLikeAddress(label) && !label.includes(host) ? `${label} (${host})` : label;
}
