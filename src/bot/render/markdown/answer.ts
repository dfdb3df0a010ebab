import type { IssueNumber } from '../../shared/issue-number.ts';
import { clean, escapeAngles } from '../escape.ts';
import { linkIssues } from './issue-links.ts';
import { honestLinks } from './links.ts';

const GROWING = '▍';

/** The agent's Markdown as a `markdown` block takes it: no mentions, honest links, issue numbers linked. */
export function answerMarkdown(answer: string, issueLinks: Readonly<Record<IssueNumber, string>>): string {
  return escapeAngles(linkIssues(honestLinks(clean(answer).trim()), issueLinks));
}

/**
 * Markdown with the sign that it goes on: behind its last word, and on a line of its own behind what that would change
 * (the end of code, a table, a line below a heading).
 */
export function withSign(markdown: string): string {
  const last = markdown.slice(markdown.lastIndexOf('\n') + 1);
  const isStructure = /^\s*(?:`{3}|~{3}|\||[-=*_\s]+$)/u.test(last);
  return isStructure ? `${markdown}\n\n${GROWING}` : `${markdown} ${GROWING}`;
}
