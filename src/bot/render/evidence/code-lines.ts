import type { SectionBlock } from '@slack/types';
import { cutAtWord } from '../../../lib/text.ts';
import { clean, escapeControls } from '../escape.ts';
import { limits } from '../limits.ts';
import { section } from '../rendered.ts';

const FENCE = '```';
const ROOM = limits.sectionText - 2 * FENCE.length - 2;
const MAX_LINE = 500;

/** Untrusted lines in a fixed-width font, in as few sections as they fit into; a long line is cut at a word. */
export function codeLines(lines: readonly string[]): SectionBlock[] {
  const texts: string[] = [];
  for (const line of lines) {
    // A fence within would end the code, and what follows it would be read as mrkdwn.
    const safe = escapeControls(cutAtWord(clean(line).replace(/`{3,}/gu, "'''"), MAX_LINE));
    const last = texts.at(-1);
    if (last !== undefined && last.length + 1 + safe.length <= ROOM)
      texts[texts.length - 1] = `${last}\n${safe}`;
    else texts.push(safe);
  }
  return texts.filter((text) => text.trim() !== '').map((text) => section(`${FENCE}\n${text}\n${FENCE}`));
}
