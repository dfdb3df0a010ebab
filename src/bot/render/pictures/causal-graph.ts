import type { InvestigationResults } from '../../../contract/answers.ts';
import { altOf } from './causal-graph/alt.ts';
import { type Arrangement, arrange, MARGIN } from './causal-graph/arrange.ts';
import { drawArrow, drawArrowLabel } from './causal-graph/draw-arrow.ts';
import { drawBox } from './causal-graph/draw-box.ts';
import { mostImportant } from './causal-graph/important.ts';
import type { Layout } from './causal-graph/layout.ts';
import { graphOf } from './causal-graph/model.ts';
import type { Graph } from './causal-graph/types.ts';
import { MISSING } from './drawable.ts';
import { FAINT } from './palette.ts';
import { PAGE_WIDTH, type Picture } from './picture.ts';
import { element, page, text } from './svg.ts';
import { wrap } from './wrap.ts';

const TITLE = 'Causal graph';
const HEAD = { size: 20, height: 28 } as const;
// More than these are not legible on one page; fewer, where they would make it too long.
const MOST_NODES: readonly number[] = [60, 30, 14];
const MAX_HEIGHT = 3200;
const NOTE = { size: 14, height: 20 } as const;

/**
 * The causal graph of `causalTreeV2`, else of `causalTree` (contract, 2.7): from cause to symptom, the likeliest way
 * emphasised; of more than 60 nodes the most important. `null` if there is no node, or no layout.
 *
 * @param layout places boxes and arrows: `studio.layout`
 */
export async function causalGraphSvg(results: InvestigationResults, layout: Layout): Promise<Picture | null> {
  const whole = graphOf(results);
  if (whole.nodes.length === 0) return null;
  for (const max of MOST_NODES) {
    const graph = mostImportant(whole, max);
    const arranged = await arrange(graph, layout);
    if (arranged === null) continue;
    if (arranged.height <= MAX_HEIGHT || max === MOST_NODES.at(-1)) return draw(graph, arranged);
  }
  return null;
}

function draw(graph: Graph, arranged: Arrangement): Picture {
  const width = Math.ceil(Math.max(PAGE_WIDTH, arranged.width + 2 * MARGIN));
  const key = notes(keyOf(graph), width);
  const above = MARGIN + HEAD.height + key.length * NOTE.height + 16;
  const after = notes(remarks(graph), width);
  const below = after.length === 0 ? MARGIN : after.length * NOTE.height + MARGIN + 12;
  const height = Math.ceil(above + arranged.height + below);
  const left = (width - arranged.width) / 2;
  const svg = page(
    width,
    height,
    TITLE,
    text(TITLE, { x: MARGIN, y: MARGIN + HEAD.size - 2, size: HEAD.size, weight: 600 }),
    ...noteLines(key, MARGIN + HEAD.height),
    drawing(arranged, graph, { left, top: above }),
    ...noteLines(after, above + arranged.height + 12),
  );
  return { svg, width, height, alt: altOf(graph), title: TITLE };
}

function drawing(
  { boxes, arrows }: Arrangement,
  { path }: Graph,
  { left, top }: { left: number; top: number },
): string {
  const onPath = new Set(path);
  // What is emphasised is drawn last, so that nothing crosses it.
  const ordered = [...arrows].sort((a, b) => Number(a.edge.onPath) - Number(b.edge.onPath));
  return element(
    'g',
    { transform: `translate(${Math.round(left)} ${top})` },
    ...ordered.map((arrow) => `\n${drawArrow(arrow)}`),
    ...ordered.map(drawArrowLabel),
    ...boxes.map((box) => `\n${drawBox(box, onPath.has(box.node.id))}`),
    '\n',
  );
}

function keyOf({ edges, path }: Graph): string {
  if (path.length === 0) return 'No causal links were found.';
  const says = [
    edges.some(({ onPath }) => !onPath) ? 'thick line: most likely path' : '',
    edges.some(({ confidence }) => confidence !== undefined) ? '%: confidence in a link' : '',
  ].filter((part) => part !== '');
  return ['Cause → effect', ...says].join(' · ');
}

function remarks({ nodes, edges, leftOut, edgesLeftOut }: Graph): string {
  const missing = nodes.some(({ title, detail }) => `${title}${detail}`.includes(MISSING));
  const said = [
    leftOut > 0 ? `${leftOut} of ${nodes.length + leftOut} nodes not shown (the least important).` : '',
    edgesLeftOut > 0
      ? `${edgesLeftOut} of ${edges.length + edgesLeftOut} links not shown (the least certain).`
      : '',
    missing ? `${MISSING} marks characters that cannot be drawn; they are in the text.` : '',
  ];
  return said.filter((part) => part !== '').join(' ');
}

function notes(content: string, width: number): string[] {
  return wrap(content, { size: NOTE.size, weight: 400, width: width - 2 * MARGIN, maxLines: 3 });
}

function noteLines(lines: readonly string[], top: number): string[] {
  return lines.map((line, index) =>
    text(line, { x: MARGIN, y: top + index * NOTE.height + NOTE.size, size: NOTE.size, fill: FAINT }),
  );
}
