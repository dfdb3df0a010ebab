import { setImmediate } from 'node:timers/promises';
import { Resvg } from '@resvg/resvg-js';
import { FONT_FAMILY, FONT_FILES } from '../font.ts';
import type { Job, Outcome } from './jobs.ts';

// Runs as a process of its own, started by worker.ts. Anything that reaches it was written by this program.

async function resultOf(job: Job): Promise<unknown> {
  if (job.kind === 'png') return pngOf(job.svg, job.zoom);
  // The layout engine is heavy: it is loaded where a graph is drawn.
  const { layeredLayout } = await import('../causal-graph/elk.ts');
  return await layeredLayout(job.sketch);
}

function pngOf(svg: string, zoom: number): Uint8Array {
  const drawn = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: zoom },
    font: { loadSystemFonts: false, fontFiles: [...FONT_FILES], defaultFontFamily: FONT_FAMILY },
  });
  return new Uint8Array(drawn.render().asPng());
}

async function answer(job: Job): Promise<void> {
  let outcome: Outcome;
  try {
    outcome = { ok: true, result: await resultOf(job) };
  } catch (error) {
    outcome = { ok: false, problem: String(error) };
  }
  process.send?.(outcome);
  // resvg's pixels are freed by the garbage collector alone, and only after a turn of the event loop.
  await setImmediate();
  globalThis.gc?.();
}

process.on('message', (job: Job) => void answer(job));
process.on('disconnect', () => process.exit());
