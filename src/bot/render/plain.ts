import type { ContextBlockElement, KnownBlock } from '@slack/types';
import { plainFeedback } from './asking/feedback.ts';
import { cutEscapedBytes } from './cut.ts';
import { escapeControls } from './escape.ts';
import { limits } from './limits.ts';
import { context, type Rendered } from './rendered.ts';

/**
 * The same message in blocks that every workspace takes, for the case that Slack refuses the others; `null` where it
 * has only such.
 */
export function asPlainBlocks({ blocks, plainer }: Rendered): KnownBlock[] | null {
  const plain = (plainer ?? blocks).flatMap(plainBlock);
  return plainer || plain.some((block, index) => block !== blocks[index]) ? plain : null;
}

function plainBlock(block: KnownBlock): KnownBlock[] {
  if (block.type === 'image') return [context(escapeControls(block.alt_text))];
  if (block.type !== 'context_actions') return [block];
  const buttons = plainFeedback(block);
  return buttons ? [buttons] : [];
}

/**
 * The same message without blocks, for the case that Slack refuses them: all its texts, one below the
 * other, escaped, at most 3,900 bytes. Buttons are lost.
 */
export function asPlainText(rendered: Rendered): { text: string } {
  const lines = (rendered.plainer ?? rendered.blocks).flatMap(textsOf).filter((line) => line.trim() !== '');
  const text = lines.length > 0 ? lines.join('\n') : rendered.text;
  return { text: cutEscapedBytes(text, limits.textBytes) };
}

function textsOf(block: KnownBlock): string[] {
  switch (block.type) {
    case 'section':
      return [...(block.text ? [block.text] : []), ...(block.fields ?? [])].flatMap(textOf);
    case 'context':
      return block.elements.flatMap(textOf);
    case 'header':
      return textOf(block.text);
    case 'image':
      return [escapeControls(block.alt_text)];
    case 'markdown':
      // Its `<` and `>` are escaped already.
      return [block.text.replace(/&(?!lt;|gt;)/gu, '&amp;')];
    default:
      return [];
  }
}

function textOf(element: ContextBlockElement): string[] {
  if (element.type === 'mrkdwn') return [element.text];
  return element.type === 'plain_text' ? [escapeControls(element.text)] : [];
}
