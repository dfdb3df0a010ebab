import type { ContainerBlock, ContextBlockElement, KnownBlock } from '@slack/types';
import { plainFeedback } from './asking/feedback.ts';
import { cutEscapedBytes } from './cut.ts';
import { escapeControls, literal } from './escape.ts';
import { fitBlock } from './fit.ts';
import { limits } from './limits.ts';
import {
  type DataVisualizationBlock,
  isNewerBlock,
  type MessageBlock,
  NEWER_BLOCKS,
  type NewerBlock,
  withoutCharts,
} from './newer-blocks.ts';
import { context, type Rendered } from './rendered.ts';

/**
 * The same message in blocks that every workspace takes, for the case that Slack refuses the others; `null` if it
 * has only such.
 */
export function asPlainBlocks({ blocks, plainer }: Rendered): KnownBlock[] | null {
  const plain = plainBlocks(plainer ?? blocks);
  const isSame = plain.length === blocks.length && plain.every((block, index) => block === blocks[index]);
  return plainer || !isSame ? plain : null;
}

function plainBlocks(blocks: readonly MessageBlock[]): KnownBlock[] {
  return withoutCharts(withoutTypes(blocks, new Set(NEWER_BLOCKS))).flatMap(plainBlock);
}

/** The same blocks with these types in the form that messages had before Slack had them. */
export function withoutTypes(
  blocks: readonly MessageBlock[],
  types: ReadonlySet<NewerBlock>,
): MessageBlock[] {
  return blocks.flatMap((block) =>
    isNewerBlock(block.type) && types.has(block.type) ? inOlderBlocks(block) : [block],
  );
}

function inOlderBlocks(block: MessageBlock): MessageBlock[] {
  switch (block.type) {
    case 'container':
      return unfolded(block).flatMap(fitBlock);
    case 'data_visualization':
      return [context(escapeControls(chartInWords(block)))];
    // The card says beside it that the issue is under investigation.
    case 'plan':
      return [];
    default:
      return [block];
  }
}

/** A container's children, below its title. */
function unfolded({ title, child_blocks: children }: ContainerBlock): KnownBlock[] {
  const heading = `*${literal(title?.text ?? '')}*`;
  const [first, ...others] = children;
  if (first?.type !== 'section' || !first.text) return [context(heading), ...children];
  return [{ ...first, text: { ...first.text, text: `${heading}\n${first.text.text}` } }, ...others];
}

/** What a chart shows, for when it cannot be drawn. */
function chartInWords({ title, chart }: DataVisualizationBlock): string {
  const ranges = chart.series.map(({ name, data }) => {
    const values = data.map(({ value }) => value);
    return `${name}: from ${Math.min(...values)} to ${Math.max(...values)}, last ${values.at(-1) ?? 'unknown'}`;
  });
  const unit = chart.axis_config.y_label;
  return `${title}${unit === undefined ? '' : `, ${unit}`} (${ranges.join('; ')})`;
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
  const lines = plainBlocks(rendered.plainer ?? rendered.blocks)
    .flatMap(textsOf)
    .filter((line) => line.trim() !== '');
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
