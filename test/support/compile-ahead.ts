import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { projectRoot } from './files.ts';

/** With fewer files, workers load too little for this to pay off. */
const MANY_FILES = 100;
/** Both projects wait for the same one. */
let compiled: Promise<unknown> | null = null;

/**
 * Before many test files run, one process compiles the program into Node's compile cache. Otherwise, on a fresh clone, every
 * worker would: they start together, and Node writes the cache only when a process ends.
 */
export default async function setup({ vitest, config }: TestProject): Promise<void> {
  if (vitest.state.getPaths().length < MANY_FILES) return;
  // Node keeps a separate cache for each set of V8 options.
  compiled ??= promisify(execFile)(process.execPath, [
    ...config.execArgv,
    join(projectRoot, 'test/support/compiled-ahead.ts'),
  ]);
  await compiled;
}
