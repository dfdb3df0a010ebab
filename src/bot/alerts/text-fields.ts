import { cutAtWord, oneLine } from '../../lib/text.ts';
import { toMarkdown } from './slack-text.ts';

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
