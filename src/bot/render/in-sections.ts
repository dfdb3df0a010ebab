import type { SectionBlock } from '@slack/types';
import { limits } from './limits.ts';
import { section } from './rendered.ts';

/** Lines of safe mrkdwn as few sections as they fit into. */
export function inSections(lines: readonly string[]): SectionBlock[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= limits.sectionText) {
      texts[texts.length - 1] = `${last}\n${line}`;
    } else texts.push(line);
  }
  return texts.map(section);
}
