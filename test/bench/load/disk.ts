import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FLUSHES = 200;
const PAGE = Buffer.alloc(4096);

/**
 * Milliseconds that the disk takes to flush a page, sorted. An acknowledgement of what is stored waits for one flush and a
 * part of the one before it, so senders that wait for their acknowledgement cannot be faster than that.
 */
export async function flushMs(): Promise<number[]> {
  // Where the programs have their databases, too.
  const folder = await mkdtemp(join(tmpdir(), 'gumshoe-disk-'));
  const file = await open(join(folder, 'log'), 'w');
  const times: number[] = [];
  try {
    for (let n = 0; n < FLUSHES; n += 1) {
      await file.write(PAGE);
      const began = performance.now();
      await file.datasync();
      times.push(performance.now() - began);
    }
  } finally {
    await file.close();
    await rm(folder, { recursive: true, force: true });
  }
  return times.sort((a, b) => a - b);
}
