import type { ActionsBlockElement, ContextBlockElement, KnownBlock, TextObject } from '@slack/types';
import { cutAtWord } from '../../lib/text.ts';
import { cutEscaped, cutEscapedBytes } from './escape.ts';
import { limits } from './limits.ts';
import { blockCost, blockCount, messageCost } from './measure.ts';
import type { MessageBlock } from './rendered.ts';
import { context, type Rendered, section } from './rendered.ts';

const NOTICE_COST = 60;
/** The texts of one block share this, so that no block fills a message on its own. */
const SHARED_TEXT = 9000;

/**
 * Brings a message within every limit of Slack's. Every renderer's output passes through it. Texts too
 * long are cut at a word and say so; blocks too many are left off at the end, and a line says how many.
 * Buttons are kept. Expects escaped text.
 */
export function fitMessage(rendered: Rendered): Rendered {
  return {
    text: cutEscapedBytes(rendered.text.trim() || 'A message from Gumshoe', limits.textBytes),
    blocks: fitTogether(rendered.blocks.flatMap(fitOne)),
  };
}

/** A message of a few sentences of safe mrkdwn, which are its notification too. */
export function notice(text: string): Rendered {
  return fitMessage({ text, blocks: [section(text)] });
}

function fitOne(block: MessageBlock): MessageBlock[] {
  return block.type === 'data_visualization' ? [block] : fitBlock(block);
}

/** One block within its limits; none if nothing of it would be shown. */
export function fitBlock(block: KnownBlock): KnownBlock[] {
  switch (block.type) {
    case 'section': {
      const { text, fields, ...rest } = block;
      const kept = fitTexts(fields ?? [], limits.sectionFields, limits.sectionField);
      const main = text && isShown(text) ? cutText(text, limits.sectionText) : undefined;
      if (!main && kept.length === 0) return [];
      return [{ ...rest, ...(main ? { text: main } : {}), ...(kept.length > 0 ? { fields: kept } : {}) }];
    }
    case 'context': {
      const elements = fitTexts(block.elements, limits.contextElements, limits.sectionText);
      return elements.length > 0 ? [{ ...block, elements }] : [];
    }
    case 'header':
      return [{ ...block, text: { ...block.text, text: cutEscaped(block.text.text, limits.headerText) } }];
    case 'image':
      return [{ ...block, alt_text: cutAtWord(block.alt_text, limits.altText) }];
    case 'markdown':
      return block.text.trim() === ''
        ? []
        : [{ ...block, text: cutEscaped(block.text, limits.markdownChunk) }];
    case 'actions': {
      const elements = block.elements.filter(isWithinLimits).slice(0, limits.actionsElements);
      return elements.length > 0 ? [{ ...block, elements }] : [];
    }
    default:
      return [block];
  }
}

function fitTexts<T extends ContextBlockElement>(texts: readonly T[], count: number, max: number): T[] {
  const shown = texts.filter(isShown).slice(0, count);
  const each = Math.min(max, Math.floor(SHARED_TEXT / Math.max(1, shown.length)));
  return shown.map((text) => cutText(text, each));
}

function cutText<T extends ContextBlockElement>(element: T, max: number): T {
  return element.type === 'image' ? element : { ...element, text: cutEscaped(element.text, max) };
}

function isShown(element: TextObject | ContextBlockElement): boolean {
  return element.type === 'image' || element.text.trim() !== '';
}

// A truncated value could name another issue, so such a button is left off.
function isWithinLimits(element: ActionsBlockElement): boolean {
  if (element.type !== 'button') return true;
  const { text, value } = element;
  return text.text.length <= limits.buttonText && (value?.length ?? 0) <= limits.buttonValue;
}

function fitTogether(blocks: MessageBlock[]): MessageBlock[] {
  if (fits(blocks, 0, 0)) return blocks;
  const buttons = blocks.filter(isForPressing);
  const content = blocks.filter((block) => !isForPressing(block));
  const reservedCost = messageCost(buttons) + NOTICE_COST;
  const kept: MessageBlock[] = [];
  for (const block of content) {
    if (!fits([...kept, block], reservedCost, buttons.length + 1)) break;
    kept.push(block);
  }
  const missing = content.length - kept.length;
  const left = missing > 0 ? [context(`… shortened: ${missing} more parts`)] : [];
  return [...kept, ...left, ...buttons].slice(0, limits.blocksPerMessage);
}

function isForPressing({ type }: MessageBlock): boolean {
  return type === 'actions' || type === 'context_actions';
}

export function fits(blocks: readonly MessageBlock[], reservedCost: number, reservedBlocks: number): boolean {
  const count = blocks.reduce((sum, block) => sum + blockCount(block), reservedBlocks);
  const cost = blocks.reduce((sum, block) => sum + blockCost(block), reservedCost);
  return count <= limits.blocksPerMessage && cost <= limits.messageCost;
}
