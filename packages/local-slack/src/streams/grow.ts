import type { Block } from '../entities.ts';
import { newId, type Random } from '../ids.ts';
import { normaliseBlocks } from '../messages/normalise.ts';
import { richTextOf } from '../messages/rich-text.ts';
import type { Chunk, TaskUpdate } from './chunks.ts';

/** What a plan is called until the app says it. */
const UNNAMED_PLAN = 'Plan';

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Replaces the first block that is meant, or adds one at the end. */
function replace(blocks: readonly Block[], isMeant: (block: Block) => boolean, next: Block): Block[] {
  const at = blocks.findIndex(isMeant);
  return at < 0 ? [...blocks, next] : blocks.with(at, next);
}

/** Details and output are appended; a task's title and status are replaced. */
function task(random: Random, before: Block | undefined, update: TaskUpdate): Block {
  const grown = (field: 'details' | 'output') => {
    const more = update[field];
    const old = before?.[field];
    if (more === undefined) return old === undefined ? {} : { [field]: old };
    const fresh = richTextOf(more, newId(random, '', 5));
    const elements = typeof old === 'object' && old !== null && 'elements' in old ? list(old.elements) : [];
    return { [field]: { ...fresh, elements: [...elements, ...list(fresh.elements)] } };
  };
  return {
    type: 'task_card',
    block_id: before?.block_id ?? newId(random, '', 5),
    task_id: update.id,
    title: update.title,
    status: update.status,
    ...grown('details'),
    ...grown('output'),
    ...(update.sources
      ? { sources: update.sources }
      : before?.sources !== undefined && { sources: before.sources }),
  };
}

const isTask = (id: string) => (block: Block) => block.type === 'task_card' && block.task_id === id;

function withTask(random: Random, blocks: readonly Block[], update: TaskUpdate): Block[] {
  const before = blocks.find(isTask(update.id));
  return replace(blocks, isTask(update.id), task(random, before, update));
}

function withPlan(random: Random, blocks: readonly Block[], change: (plan: Block) => Block): Block[] {
  const isPlan = (block: Block) => block.type === 'plan';
  const fresh: Block = { type: 'plan', block_id: newId(random, '', 5), title: UNNAMED_PLAN, tasks: [] };
  return replace(blocks, isPlan, change(blocks.find(isPlan) ?? fresh));
}

const isBlock = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function withText(random: Random, blocks: readonly Block[], text: string): Block[] {
  const last = blocks.at(-1);
  if (last?.type === 'markdown' && typeof last.text === 'string') {
    return blocks.with(-1, { ...last, text: last.text + text });
  }
  return text === '' ? [...blocks] : [...blocks, ...normaliseBlocks(random, [{ type: 'markdown', text }])];
}

/**
 * A stream's blocks with one more chunk: text continues the last text, and a task is updated in place.
 *
 * @param display whether tasks stand among the text or together in a plan.
 */
export function grow(
  random: Random,
  blocks: readonly Block[],
  chunk: Chunk,
  display: 'timeline' | 'plan',
): Block[] {
  switch (chunk.type) {
    case 'markdown_text':
      return withText(random, blocks, chunk.text);
    case 'blocks':
      return [...blocks, ...normaliseBlocks(random, chunk.blocks)];
    case 'plan_update':
      return withPlan(random, blocks, (plan) => ({ ...plan, title: chunk.title }));
    case 'task_update':
      if (display === 'timeline') return withTask(random, blocks, chunk);
      return withPlan(random, blocks, (plan) => ({
        ...plan,
        tasks: withTask(random, list(plan.tasks).filter(isBlock), chunk),
      }));
  }
}

/** The text of all chunks. */
export function textOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap(({ type, text }) => (type === 'markdown' && typeof text === 'string' ? text : []))
    .join('\n\n');
}
