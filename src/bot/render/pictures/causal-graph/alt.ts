import { cutAtWord } from '../../../../lib/text.ts';
import { MAX_ALT } from '../picture.ts';
import type { Graph, GraphNode } from './types.ts';

/** What is shown, the likeliest way first, in at most 1,000 characters. */
export function altOf(graph: Graph): string {
  const named = new Map(graph.nodes.map((node) => [node.id, node]));
  const path = graph.path.flatMap((id) => named.get(id) ?? []);
  const others = graph.nodes.filter(({ id }) => !graph.path.includes(id));
  const count = graph.nodes.length + graph.leftOut;
  const parts = [
    `Causal graph of ${count} ${count === 1 ? 'node' : 'nodes'}.`,
    path.length > 0 ? `Most likely path: ${path.map(words).join(' → ')}.` : '',
    others.length > 0 ? `${path.length > 0 ? 'Other nodes' : 'Nodes'}: ${others.map(words).join('; ')}.` : '',
    graph.leftOut > 0 ? `${graph.leftOut} not shown.` : '',
  ];
  return cutAtWord(parts.filter((part) => part !== '').join(' '), MAX_ALT);
}

function words({ name, label, role, confidence }: GraphNode): string {
  const marks = [role === 'step' ? '' : label.toLowerCase(), confidence && `${confidence} confidence`];
  const said = marks.filter((mark) => mark !== '').join(', ');
  return said === '' ? name : `${name} (${said})`;
}
