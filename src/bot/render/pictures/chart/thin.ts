import type { Point } from './types.ts';

/**
 * At most `max` (three or more) of the points, chosen so that the curve looks the same: the first, the last, and of each
 * stretch between them the one that spans the largest triangle with its neighbours (Steinarsson's LTTB).
 */
export function thin<P extends Point>(points: readonly P[], max: number): P[] {
  const first = points[0];
  const last = points.at(-1);
  if (points.length <= max || !first || !last) return [...points];
  const size = (points.length - 2) / (max - 2);
  const stretch = (index: number) =>
    points.slice(
      Math.floor(index * size) + 1,
      Math.min(Math.floor((index + 1) * size) + 1, points.length - 1),
    );
  const chosen: P[] = [first];
  let previous = first;
  for (let index = 0; index < max - 2; index++) {
    const next = index === max - 3 ? last : middle(stretch(index + 1));
    let largest = -1;
    let best: P | undefined;
    for (const point of stretch(index)) {
      const area = Math.abs(
        (previous.at - next.at) * (point.value - previous.value) -
          (previous.at - point.at) * (next.value - previous.value),
      );
      if (area > largest) {
        largest = area;
        best = point;
      }
    }
    if (best === undefined) continue;
    chosen.push(best);
    previous = best;
  }
  return [...chosen, last];
}

function middle(points: readonly Point[]): Point {
  let at = 0;
  let value = 0;
  for (const point of points) {
    at += point.at / points.length;
    value += point.value / points.length;
  }
  return { at, value };
}
