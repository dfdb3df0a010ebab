import { bare, plain } from '../../slack-text.ts';
import { timeIn } from '../../times.ts';

const LAST_TRIGGERED = /was last triggered at ([^.\n]{10,60})/iu;
const QUERY_SENTENCE =
  /\b(?:monitored query|last_\d+\w\)|in the last|over the last|during the last|for the last|not received data|(?:was|were) (?:above|below|not |[<>=]))/iu;

/** When the monitor was last triggered, where the body says so. */
export function lastTriggered(mrkdwn: string): string | null {
  const stated = LAST_TRIGGERED.exec(plain(mrkdwn))?.[1];
  return stated === undefined ? null : timeIn(stated);
}

/** What an operator or Datadog wrote, as mrkdwn: without mentions, rules, footers and rows of links. */
export function wordsOf(mrkdwn: string): string {
  return mrkdwn
    .split('\n')
    .filter((line) => line.trim() === '' || !isFurniture(line))
    .join('\n');
}

/** The same in paragraphs of plain text. */
export function paragraphsOf(mrkdwn: string): string[] {
  const paragraphs = wordsOf(mrkdwn).split(/\n[ \t]*\n/u);
  return paragraphs.map((paragraph) => plain(paragraph).trim()).filter((paragraph) => paragraph !== '');
}

/** The sentence that Datadog writes about the query, else the operator's first paragraph. */
export function sentenceOf(paragraphs: readonly string[]): string | null {
  return paragraphs.findLast((paragraph) => QUERY_SENTENCE.test(paragraph)) ?? paragraphs[0] ?? null;
}

function isFurniture(line: string): boolean {
  const words = plain(line).trim();
  if (/^[-\s·|*%]*$/u.test(words) || LAST_TRIGGERED.test(words)) return true;
  if (words.split(' ').every((word) => word.startsWith('@'))) return true;
  if (/^(?:Notified:|View in )/u.test(words)) return true;
  // What is left of a row of links is marks between them.
  return (
    /^[-\s·|*[\]]*$/u.test(bare(line.replace(/<https?:[^<>]*>/gu, ''))) &&
    line.includes('<http') &&
    !line.includes('|`')
  );
}
