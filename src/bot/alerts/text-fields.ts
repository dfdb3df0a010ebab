import { cutAtWord, oneLine } from '../../lib/text.ts';
import { markdown } from './slack-text.ts';

/** The longest title that the service takes (contract 6). */
const MAX_TITLE = 500;
const MAX_MESSAGE = 2_000;

/** One line, at most as long as the service takes; `null` for nothing. */
export function titleOf(text: string): string | null {
  return cutAtWord(oneLine(text), MAX_TITLE) || null;
}

/** An error's own words, shortened; `null` for nothing. */
export function messageOf(text: string | null): string | null {
  return cutAtWord((text ?? '').trim(), MAX_MESSAGE) || null;
}

/** mrkdwn as a description: Markdown, without lines that are empty twice; the title where there is no more to say. */
export function descriptionOf(mrkdwn: string, title: string | null): string | null {
  const lines = markdown(mrkdwn)
    .split('\n')
    .map((line) => line.trimEnd());
  const text = lines
    .filter((line, at) => line !== '' || (lines[at - 1] ?? '') !== '')
    .join('\n')
    .trim();
  return text || title;
}
