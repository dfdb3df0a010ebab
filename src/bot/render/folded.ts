import type { ContainerBlock, SectionBlock } from '@slack/types';
import { cutAtWord } from '../../lib/text.ts';
import { label } from './escape.ts';
import { limits } from './limits.ts';

/**
 * What people open when they want to read it: a title, and the sections below it. At most ten fit.
 *
 * @param title untrusted
 */
export function folded(title: string, children: readonly SectionBlock[]): ContainerBlock[] {
  if (children.length === 0) return [];
  return [
    {
      type: 'container',
      title: { type: 'plain_text', text: cutAtWord(label(title), limits.containerTitle), emoji: true },
      child_blocks: children.slice(0, limits.containerBlocks),
      width: 'full',
      is_collapsible: true,
      default_collapsed: true,
    },
  ];
}
