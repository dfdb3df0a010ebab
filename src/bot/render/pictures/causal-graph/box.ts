import { textWidth, type Weight } from '../font.ts';
import { cutToWidth, wrap } from '../wrap.ts';
import type { GraphNode, Role } from './types.ts';

/** One line in a box; `x` and its base line `y` are counted from the box's upper left corner. */
export interface Line {
  text: string;
  x: number;
  y: number;
  size: number;
  weight: Weight;
  kind: 'label' | 'title' | 'detail' | 'confidence';
}

/** A node with its texts set. */
export interface Box {
  node: GraphNode;
  width: number;
  height: number;
  lines: Line[];
}

/** How much a box says: everything, or its title with what matters beside it. */
export type Fullness = 'full' | 'compact';

/** From a box's side to its text. */
const INSET = 16;

const FORMS = {
  full: {
    title: { size: 16, weight: 600, maxLines: 4, height: 21 },
    detail: { size: 14, weight: 400, maxLines: 5, height: 19 },
  },
  compact: {
    title: { size: 15, weight: 600, maxLines: 3, height: 19 },
    detail: { size: 14, weight: 400, maxLines: 0, height: 19 },
  },
} as const;

const SMALL = { size: 13.5, height: 18 } as const;
const GAP = 7;

/** The box of a node at a given width: as high as its texts, wrapped by the font's own metrics, need. */
export function boxOf(node: GraphNode, width: number, fullness: Fullness): Box {
  const { title, detail } = FORMS[fullness];
  const room = width - 2 * INSET;
  const lines: Line[] = [];
  let y = INSET - 4;
  const add = (
    texts: readonly string[],
    { size, weight, height }: { size: number; weight: Weight; height: number },
    kind: Line['kind'],
  ) => {
    if (texts.length > 0 && lines.length > 0) y += kind === 'title' ? GAP - 4 : GAP;
    for (const text of texts) {
      y += height;
      lines.push({ text, x: INSET, y: y - (height - size * 0.73) / 2, size, weight, kind });
    }
  };
  const one = (text: string, weight: Weight) => wrap(text, { ...SMALL, weight, width: room, maxLines: 1 });
  if (fullness === 'full' || node.role !== 'step')
    add(one(node.label, 600), { ...SMALL, weight: 600 }, 'label');
  add(wrap(node.title, { ...title, width: room }), title, 'title');
  if (detail.maxLines > 0) add(wrap(node.detail, { ...detail, width: room }), detail, 'detail');
  addConfidence(node, lines, room, (stated) => add([stated], { ...SMALL, weight: 400 }, 'confidence'));
  return { node, width, height: Math.ceil(y + INSET - 4), lines };
}

/** What a meter takes before the words. */
export const METER_WIDTH = 30;

/** How many of three bars a stated confidence fills; `undefined` if it is in other words. */
export function levelOf(confidence: string): 1 | 2 | 3 | undefined {
  const said = confidence.toLowerCase();
  if (/^(?:very )?high$|^certain$|^confirmed$/u.test(said)) return 3;
  if (/^medium$|^moderate$/u.test(said)) return 2;
  return /^(?:very )?low$/u.test(said) ? 1 : undefined;
}

/** Whether the shape of a role has an inner line, which takes room. */
export function isDouble(role: Role): boolean {
  return role === 'symptom';
}

/** Beside the label if there is room, else below. */
function addConfidence(
  { confidence }: GraphNode,
  lines: Line[],
  room: number,
  addBelow: (stated: string) => void,
): void {
  if (confidence === '') return;
  const meter = levelOf(confidence) === undefined ? 0 : METER_WIDTH;
  const widthOf = (words: string) => textWidth(words, SMALL.size) + meter;
  const label = lines.find(({ kind }) => kind === 'label');
  const beside = label ? room - textWidth(label.text, SMALL.size, 600) - 2 * GAP : 0;
  for (const words of [`${confidence} confidence`, confidence])
    if (label && widthOf(words) <= beside) {
      const x = INSET + room - widthOf(words);
      lines.push({ ...label, text: words, x, weight: 400, kind: 'confidence' });
      return;
    }
  addBelow(cutToWidth(confidence, room - meter, SMALL.size));
}
