import type {
  ActionsBlock,
  Block,
  Button,
  ContainerBlock,
  ContextBlock,
  KnownBlock,
  MrkdwnElement,
  Overflow,
  PlainTextElement,
  RichTextBlock,
  SectionBlock,
  StaticSelect,
} from '@slack/types';
import { cutAtWord } from '../../lib/text.ts';
import { bold, clean, label, label as labelled } from './escape.ts';
import { limits } from './limits.ts';

/** A message as Slack takes it: `text` is the notification and what clients without blocks show. */
export interface Rendered {
  text: string;
  blocks: MessageBlock[];
  /** The same message without what Slack may refuse, such as a table or a chart. */
  plainer?: MessageBlock[];
}

/** A section of safe mrkdwn. */
export function section(text: string): SectionBlock {
  return { type: 'section', text: mrkdwn(text) };
}

/** A section with two columns, filled row by row. */
export function columns(texts: readonly string[]): SectionBlock {
  return { type: 'section', fields: texts.map(mrkdwn) };
}

export function context(...texts: string[]): ContextBlock {
  return { type: 'context', elements: texts.map(mrkdwn) };
}

/** A button without a link; `actionId` is one of `actionIds`. */
export function button(label: string, actionId: string, value: string, style?: 'primary' | 'danger'): Button {
  return {
    type: 'button',
    text: { type: 'plain_text', text: labelled(label), emoji: true },
    action_id: actionId,
    value,
    ...(style ? { style } : {}),
  };
}

export function actions(buttons: (Button | Overflow | StaticSelect)[]): ActionsBlock {
  return { type: 'actions', elements: buttons };
}

// Verbatim: without it Slack reads bare names in untrusted text, such as `#general`, as references.
function mrkdwn(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

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

/** The blocks of a message: Slack's types are behind its platform. */
export type MessageBlock = KnownBlock | DataVisualizationBlock;

/** A native chart (`data_visualization`, 2026-06): one value per series and category. */
export interface DataVisualizationBlock extends Block {
  type: 'data_visualization';
  title: string;
  chart: {
    type: 'line';
    axis_config: { categories: string[]; x_label?: string; y_label?: string };
    series: { name: string; data: { label: string; value: number }[] }[];
  };
}

/** The blocks that a view may hold too. */
export function withoutCharts(blocks: readonly MessageBlock[]): KnownBlock[] {
  return blocks.filter((block) => block.type !== 'data_visualization');
}

/** Untrusted text exactly as it is, for what people copy (a pattern): Slack reads nothing in plain text. */
export function verbatimSection(text: string): SectionBlock {
  return { type: 'section', text: verbatim(text) };
}

/** The same in small print. */
export function verbatimContext(text: string): ContextBlock {
  return { type: 'context', elements: [verbatim(text)] };
}

function verbatim(text: string): PlainTextElement {
  return { type: 'plain_text', text: clean(text), emoji: false };
}

/** Untrusted text as a block of code, exactly as it is, whatever is in it: Slack reads nothing there. */
export function preformatted(text: string): RichTextBlock {
  return {
    type: 'rich_text',
    elements: [
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: clean(text) }], border: 0 },
    ],
  };
}

const NEWER: ReadonlySet<string> = new Set(['container', 'data_visualization', 'data_table']);

type Child = ContainerBlock['child_blocks'][number];

/**
 * What people open when they want to read it: a title, and the blocks below it. At most ten fit.
 *
 * @param title untrusted
 */
export function folded(title: string, children: readonly Child[], isOpen = false): ContainerBlock[] {
  if (children.length === 0) return [];
  return [
    {
      type: 'container',
      title: { type: 'plain_text', text: cutAtWord(label(title), limits.containerTitle), emoji: true },
      child_blocks: children.slice(0, limits.containerBlocks),
      width: 'full',
      is_collapsible: true,
      default_collapsed: !isOpen,
    },
  ];
}

/**
 * The same for a workspace that lacks some of Slack's newer blocks: steps are not folded, so that they can be marked
 * as done, and everything else that is folded is behind the buttons. `null` if it has none of those blocks.
 */
export function withoutNewerBlocks(blocks: readonly MessageBlock[]): MessageBlock[] | null {
  if (!blocks.some(({ type }) => NEWER.has(type))) return null;
  return blocks.flatMap((block): MessageBlock[] => {
    if (block.type === 'data_visualization' || block.type === 'data_table') return [];
    if (block.type !== 'container') return [block];
    const isForPressing = block.child_blocks.some(
      (child) => 'accessory' in child || child.type === 'actions',
    );
    return isForPressing ? [section(bold(block.title?.text ?? '')), ...block.child_blocks] : [];
  });
}
