import type { ContextBlockElement } from '@slack/types';
import { cutEscapedBytes, escapeControls, literal } from './escape.ts';
import { limits } from './limits.ts';
import type { DataVisualizationBlock, MessageBlock, Rendered } from './rendered.ts';

/**
 * The same message without blocks, for the case that Slack refuses them: all its texts, one below the
 * other, escaped, at most 3,900 bytes. Buttons are lost.
 */
export function asPlainText(rendered: Rendered): { text: string } {
  const lines = (rendered.plainer ?? rendered.blocks).flatMap(textsOf).filter((line) => line.trim() !== '');
  const text = lines.length > 0 ? lines.join('\n') : rendered.text;
  return { text: cutEscapedBytes(text, limits.textBytes) };
}

/** What can be sent instead where Slack refuses a message's blocks, one after the other. */
export function simplerForms(rendered: Rendered): Pick<Rendered, 'text' | 'blocks'>[] {
  const { text, plainer } = rendered;
  return [...(plainer ? [{ text, blocks: plainer }] : []), { ...asPlainText(rendered), blocks: [] }];
}

function textsOf(block: MessageBlock): string[] {
  switch (block.type) {
    case 'section':
      return [...(block.text ? [block.text] : []), ...(block.fields ?? [])].flatMap(textOf);
    case 'context':
      return block.elements.flatMap(textOf);
    case 'header':
      return textOf(block.text);
    case 'container':
      return [`*${literal(block.title?.text ?? '')}*`, ...block.child_blocks.flatMap(textsOf)];
    case 'rich_text':
      return block.elements.flatMap(({ elements }) =>
        elements.flatMap((one) => ('text' in one && one.text ? [escapeControls(one.text)] : [])),
      );
    case 'data_visualization':
      return [escapeControls(chartInWords(block))];
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

function chartInWords({ title, chart }: DataVisualizationBlock): string {
  const ranges = chart.series.map(({ name, data }) => {
    const values = data.map(({ value }) => value);
    return `${name}: from ${Math.min(...values)} to ${Math.max(...values)}, last ${values.at(-1) ?? 'unknown'}`;
  });
  const unit = chart.axis_config.y_label;
  return `${title}${unit === undefined ? '' : `, ${unit}`} (${ranges.join('; ')})`;
}
