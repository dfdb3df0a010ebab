import type { ActionsBlockElement, ContextBlockElement, SectionBlockAccessory } from '@slack/types';
import { limits } from './limits.ts';
import type { MessageBlock } from './rendered.ts';

const HEADING = /^ {0,3}(?:#{1,6}(?:\s|$)|=+\s*$|-+\s*$)/gmu;

/** A message's size towards Slack's undocumented cap: its escaped text, plus what headings add. */
export function messageCost(blocks: readonly MessageBlock[]): number {
  return blocks.reduce((sum, block) => sum + blockCost(block), 0);
}

/** One block's size towards `limits.messageCost`. */
export function blockCost(block: MessageBlock): number {
  switch (block.type) {
    case 'section':
      return [block.text, ...(block.fields ?? [])].reduce(
        (sum, text) => sum + (text ? textCost(text) : 0),
        block.accessory ? pressCost(block.accessory) : 0,
      );
    case 'context':
      return block.elements.reduce((sum, element) => sum + textCost(element), 0);
    case 'header':
      return textCost(block.text) + limits.headerCost;
    case 'markdown':
      return escapedLength(block.text) + headings(block.text) * limits.headerCost;
    case 'actions':
      return block.elements.reduce((sum, element) => sum + pressCost(element), 0);
    case 'context_actions':
      return JSON.stringify(block.elements).length;
    case 'container':
      return block.child_blocks.reduce(
        (sum, child) => sum + blockCost(child),
        block.title ? textCost(block.title) : 0,
      );
    case 'rich_text':
      return escapedLength(cellTexts(block.elements).join(''));
    case 'data_table':
      return escapedLength([block.caption, ...cellTexts(block.rows)].join(''));
    case 'plan':
    case 'data_visualization':
      return escapedLength(JSON.stringify(block));
    default:
      return 0;
  }
}

/**
 * How many blocks Slack makes of one, or we do: a `markdown` block is translated into several, and what a container holds
 * stands by itself where Slack has none. An upper estimate.
 */
export function blockCount(block: MessageBlock): number {
  if (block.type === 'container') return 1 + block.child_blocks.length;
  if (block.type !== 'markdown') return 1;
  return block.text.split(/\n\s*\n/u).length + 2 * headings(block.text);
}

const CELL_TEXTS = new Set(['text', 'url', 'fallback']);

/** What cells show, and where their links lead. */
function cellTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(cellTexts);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner !== 'string' ? cellTexts(inner) : CELL_TEXTS.has(key) ? [inner] : [],
  );
}

function headings(text: string): number {
  return text.match(HEADING)?.length ?? 0;
}

/** Includes a menu's options; an upper estimate of the rest. */
function pressCost(element: ActionsBlockElement | SectionBlockAccessory): number {
  if (element.type === 'button') return textCost(element.text) + (element.value?.length ?? 0);
  return escapedLength(JSON.stringify(element));
}

function textCost(element: ContextBlockElement): number {
  if (element.type === 'mrkdwn') return element.text.length;
  return element.type === 'plain_text' ? escapedLength(element.text) : 0;
}

// Slack counts `&`, `<` and `>` as it stores them, whatever the block they are in.
function escapedLength(text: string): number {
  return text.length + 4 * (text.match(/&/gu)?.length ?? 0) + 3 * (text.match(/[<>]/gu)?.length ?? 0);
}
