import { clean, escapeAngles } from '../escape.ts';
import { honestLinks } from './links.ts';

/** What one link may take, as `links.ts` reads it: its label, and all of it up to the bracket that ends it. */
const LABEL = /\[((?:\\[^\n]|[^[\]\\\n]){0,300})/uy;
const WHOLE_LINK = /\((https?:\/\/[^\s()<>[\]\\`"']{1,2000})(?:[ \t]+"[^"\n]*")?\)/iuy;
const BEGUN_LINK =
  /\((?:h?|ht|htt|https?:?\/?|https?:\/\/[^\s()<>[\]\\`"']{0,2000}|https?:\/\/[^\s()<>[\]\\`"']{1,2000}[ \t]+(?:"[^"\n]*"?)?)$/iuy;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})[^`]*$/u;

/** Untrusted Markdown as it goes into a growing message: links are honest, and nothing in it can mention anybody. */
export function wholeMarkdown(markdown: string): string {
  return escapeAngles(honestLinks(clean(markdown).trimStart()));
}

/**
 * As much of `wholeMarkdown` as is certain while more is to come: whatever follows, the whole begins with it, and it
 * never becomes shorter.
 */
export function settledMarkdown(markdown: string): string {
  return escapeAngles(honestLinks(settled(markdown)));
}

/** The beginning of growing Markdown without what may still turn out to be a link, or to begin code; not made safe. */
export function settled(markdown: string): string {
  // Half a character would be replaced, and its other half is on its way.
  const source = clean(markdown.replace(/[\ud800-\udbff]$/u, '')).trimStart();
  const lastLine = source.lastIndexOf('\n') + 1;
  const line = source.slice(lastLine);
  return source.slice(0, lastLine) + line.slice(0, certainLength(line));
}

/** How much of a line that is still growing is final. */
function certainLength(line: string): number {
  const bracket = line.indexOf('[');
  // Without a bracket before it, each `]` may end the label of a definition.
  const defining = bracket < 0 ? line.indexOf(']') : -1;
  const open = firstOpen(line);
  const trailing = /(?:[`~]+|[!\]])$/u.exec(line)?.index ?? -1;
  const fence = FENCE.test(line) ? line.search(/[`~]/u) : -1;
  return Math.min(...[defining, open, trailing, fence].filter((index) => index >= 0), line.length);
}

/** The position of the first bracket that may still begin a link; -1 if there is none. */
function firstOpen(line: string): number {
  for (let at = line.indexOf('['); at >= 0; at = line.indexOf('[', at + 1)) {
    if (isOpen(line, at)) return line[at - 1] === '!' ? at - 1 : at;
  }
  return -1;
}

function isOpen(line: string, at: number): boolean {
  LABEL.lastIndex = at;
  const label = LABEL.exec(line);
  const end = at + (label?.[0].length ?? 1);
  // A backslash is last only where the line ends within an escape.
  if (end >= line.length || (line[end] === '\\' && end + 1 === line.length)) return true;
  if (line[end] !== ']') return false;
  if (end + 1 === line.length) return true;
  WHOLE_LINK.lastIndex = end + 1;
  if (line[end + 1] !== '(' || WHOLE_LINK.test(line)) return false;
  BEGUN_LINK.lastIndex = end + 1;
  return BEGUN_LINK.test(line);
}
