import type { KnownBlock } from '@slack/types';
import { inSections } from '../in-sections.ts';
import { context } from '../rendered.ts';
import { codeLines } from './code-lines.ts';
import { factLines } from './facts.ts';
import { textAt, without } from './fields.ts';

const LEAD = ['title', 'message', 'kind', 'service', 'repository', 'version', 'at', 'author', 'url'];
const DIFFS = ['diff', 'patch', 'code', 'snippet'];
const MOST = 60;

/** A deploy, a configuration change or code: what, where, when, by whom; and the change itself where it is there. */
export function changeBlocks(data: Record<string, unknown>): KnownBlock[] {
  const lines = textAt(data, DIFFS).slice(0, 40_000).split('\n');
  const more = lines.length - MOST;
  return [
    ...inSections(
      factLines(
        without(
          data,
          DIFFS.filter((name) => typeof data[name] === 'string'),
        ),
        LEAD,
      ),
    ),
    ...codeLines(lines.slice(0, MOST)),
    ...(more > 0 ? [context(`… shortened: ${more} more lines`)] : []),
  ];
}
