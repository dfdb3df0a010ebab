import type { SectionBlock } from '@slack/types';
import { bold, literal } from '../escape.ts';
import { section } from '../rendered.ts';
import type { CauseGraph, CauseNode } from './graph.ts';
import { itemsOf, pages } from './pages.ts';
import { tags } from './phrases.ts';

const PAGE = 2500;
const DEEPEST = 10;
/** Slack folds ordinary spaces at the start of a line. */
const INDENT = '\u2003';

/** The causal graph as text, each cause above its effects; empty without nodes. */
export function chainBlocks(graph: CauseGraph): SectionBlock[] {
  if (graph.nodes.size === 0) return [];
  const lines = ['*Causal chain* (cause → symptom)', ...chainLines(graph)];
  return pages(lines, PAGE, 1).map((page) => section(page));
}

/**
 * One line per node, below its cause; a node with several causes is named again where it is reached
 * again. Where causes fork, each level is indented; a plain chain stays straight.
 */
function chainLines(graph: CauseGraph): string[] {
  const lines: { node: CauseNode; depth: number; isStart: boolean; again: boolean }[] = [];
  const seen = new Set<string>();
  const step = [...graph.effects.values()].some((effects) => effects.length > 1) ? 1 : 0;
  // Nodes that only a cycle reaches have no start of their own: the first of them is one.
  for (const start of [...graph.causes, ...graph.nodes.keys()]) {
    if (seen.has(start)) continue;
    const stack = [{ id: start, depth: 0, isStart: true }];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { id, depth, isStart } = next;
      const node = graph.nodes.get(id);
      if (!node) continue;
      const again = seen.has(id);
      seen.add(id);
      lines.push({ node, depth, isStart, again });
      const effects = again ? [] : (graph.effects.get(id) ?? []);
      for (const effect of effects.toReversed())
        stack.push({ id: effect, depth: depth + step, isStart: false });
    }
  }
  const render = ({ node, depth, isStart, again }: (typeof lines)[number]) =>
    chainLine(node, depth, isStart, again);
  return itemsOf(lines, render, () => true);
}

function chainLine(node: CauseNode, depth: number, isStart: boolean, again: boolean): string {
  if (isStart) return `${bold(node.title)}${tags(...node.marks, node.confidence)}`;
  const indent = INDENT.repeat(Math.min(depth, DEEPEST));
  const stated = again ? ' (see above)' : tags(...node.marks, node.confidence);
  return `${indent}→ ${literal(node.title)}${stated}`;
}
