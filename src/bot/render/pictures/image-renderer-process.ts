import { setImmediate } from 'node:timers/promises';
import { Artifact } from '../../../contract/answers.ts';
import type { Job, Reply } from './image-renderer.ts';
import { pngOf } from './svg.ts';

// Runs as a process of its own, started by image-renderer.ts. Anything that reaches it was written by this program.
// What lays out graphs and what draws charts is heavy: it is loaded where it is needed.

async function resultOf(job: Job): Promise<unknown> {
  switch (job.kind) {
    case 'graph': {
      const { graphPicture } = await import('./graph-picture.ts');
      return graphPicture(job.results);
    }
    case 'chart': {
      const { chartPicture } = await import('./chart.ts');
      return chartPicture(Artifact.parse(JSON.parse(job.artifact)), job.triggeredAt, job.changes);
    }
    case 'png':
      return pngOf(job.picture);
  }
}

async function answer(job: Job): Promise<void> {
  let reply: Reply;
  try {
    reply = { ok: true, result: await resultOf(job) };
  } catch (error) {
    reply = { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
  process.send?.(reply);
  // resvg's pixels are freed by the garbage collector alone, and only after a turn of the event loop.
  await setImmediate();
  globalThis.gc?.();
}

process.on('message', (job: Job) => void answer(job));
process.on('disconnect', () => process.exit());
