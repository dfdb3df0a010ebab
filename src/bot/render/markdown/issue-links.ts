import type { Organization } from '../../../contract/client/client.ts';
import { type IssueNumber, issueNumber, parseIssueNumber } from '../../shared/issue-number.ts';
import { safeUrl } from '../links.ts';

// What comes first wins: code, links and addresses are stepped over, so that only a bare number is left to match. None
// of them is longer than its bound, so that the time this takes is linear in the text.
const TOKEN =
  /(?<!`)(`+)(?!`)[^\n]{0,2000}?(?<!`)\1(?!`)|!?\[(?:\\[^\n]|[^[\]\\\n]){0,300}\]\([^\s()]{0,2100}(?:[ \t]+"[^"\n]*")?\)|https?:\/\/\S+|(?<![\p{L}\p{N}_&\\#/@-])#([Pp]?\d{1,9})(?![\p{L}\p{N}_]|[.,]\d)/gu;
/** A fence, in a quotation or a list too. */
const FENCE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/u;
const LIST_ITEM = /^[\s>]*(?:[-*+]|\d{1,9}[.)])[ \t]/u;
/** Links are long; this keeps a text full of numbers from becoming many messages. */
const MOST = 50;
const INDENTED = /^(?: {4}|\t)/u;

/**
 * Issue numbers in Markdown (`#12`) as links to their cards, where `links` has one; code, links, addresses, and what only
 * looks like a number (`api#12`, `#12abc`) stay as they are. For Markdown whose links are honest already.
 *
 * @param links addresses by number
 */
export function linkIssues(markdown: string, links: Readonly<Record<IssueNumber, string>>): string {
  if (Object.keys(links).length === 0) return markdown;
  let linked = 0;
  return replaceNumbers(markdown, (written, number) => {
    const address = Object.hasOwn(links, number) ? links[number] : undefined;
    const href = address === undefined ? null : safeUrl(address);
    if (href === null || linked >= MOST) return written;
    linked += 1;
    return `[${written}](${withoutMarkup(href)})`;
  });
}

/** What an organization's agent wrote, with its issue numbers as people know them: `#12` of the private one is `#P12`. */
export function asPeopleCount(markdown: string, organization: Organization): string {
  if (organization === 'default') return markdown;
  return replaceNumbers(markdown, (written, number) =>
    typeof number === 'number' ? `#${issueNumber({ organization, number })}` : written,
  );
}

/** The issue numbers that `linkIssues` would look for, each once, in the order in which they are named. */
export function issuesNamed(markdown: string): IssueNumber[] {
  const named = new Set<IssueNumber>();
  replaceNumbers(markdown, (written, number) => {
    named.add(number);
    return written;
  });
  return [...named];
}

function replaceNumbers(markdown: string, by: (written: string, number: IssueNumber) => string): string {
  let fence: string | null = null;
  let isInList = false;
  const lines = markdown.split('\n').map((line) => {
    const marker = FENCE.exec(line)?.[1];
    if (marker !== undefined && fence === null) {
      fence = marker;
      return line;
    }
    if (fence !== null) {
      if (marker?.startsWith(fence) && /^[\s>]*(?:`+|~+)\s*$/u.test(line)) fence = null;
      return line;
    }
    if (INDENTED.test(line) && !isInList) return line;
    if (line.trim() !== '' && !INDENTED.test(line)) isInList = LIST_ITEM.test(line);
    return line.replace(TOKEN, (found: string, _ticks: string | undefined, named: string | undefined) => {
      const number = named === undefined ? null : parseIssueNumber(named);
      return number === null ? found : by(found, number);
    });
  });
  return lines.join('\n');
}

/** An address that ends no link in Markdown and formats nothing in it. */
function withoutMarkup(href: string): string {
  return href.replace(
    /[()[\]\\`"'*]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
