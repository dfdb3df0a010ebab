import { z } from 'zod';
import type { Sketch } from '../causal-graph/layout.ts';

/** What the studio's process is asked for. */
export type Job = { kind: 'layout'; sketch: Sketch } | { kind: 'png'; svg: string; zoom: number };

/** What it answers: the job's result, or why there is none. */
export const Outcome = z.union([
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({ ok: z.literal(false), problem: z.string() }),
]);
export type Outcome = z.infer<typeof Outcome>;
