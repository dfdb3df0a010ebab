import { z } from 'zod';

/** Boxes and arrows to be placed; sizes in pixels, arrows name boxes by their index. */
export interface Sketch {
  direction: 'right' | 'down';
  boxes: { width: number; height: number }[];
  arrows: {
    from: number;
    to: number;
    label: { width: number; height: number } | undefined;
    /** Kept straight, and never against the direction where another can be. */
    isMain: boolean;
  }[];
  /** What is given up for less width: an even height, then straight lines too. */
  density: 'airy' | 'narrow' | 'dense';
}

const Point = z.object({ x: z.number(), y: z.number() });
export type Point = z.infer<typeof Point>;

/** Where everything of a sketch goes, in its order; positions are of upper left corners. */
export const Placement = z.object({
  width: z.number(),
  height: z.number(),
  boxes: z.array(Point),
  arrows: z.array(z.object({ points: z.array(Point), label: Point.optional() })),
});
export type Placement = z.infer<typeof Placement>;

/** Places a sketch; `null` if it cannot be done. */
export type Layout = (sketch: Sketch) => Promise<Placement | null>;
