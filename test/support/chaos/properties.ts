import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { projectRoot } from '../files.ts';
import { type Import, readTree } from '../imports.ts';

/**
 * Runs every property test of the project once for each of so many seeds, and says what fails.
 * @returns whether nothing did
 */
export async function runProperties(options: {
  count: number;
  seed: number;
  signal: AbortSignal;
}): Promise<boolean> {
  const files = propertyTests();
  let failed = 0;
  for (let done = 0; done < options.count && !options.signal.aborted; done += 1) {
    const seed = options.seed + done;
    const { code, output } = await runTests(files, seed, options.signal);
    if (options.signal.aborted) break;
    console.log(`${done + 1}/${options.count} seeds · ${seed}: ${code === 0 ? 'all hold' : 'some fail'}`);
    if (code === 0) continue;
    failed += 1;
    console.log(`${output}\n  again: npm run chaos -- --properties 1 --seed ${seed}`);
  }
  console.log(`properties of ${files.length} files, from seed ${options.seed}: ${failed} seeds failed`);
  return failed === 0;
}

/** The test files that try properties themselves, or import what does. */
export function propertyTests(): string[] {
  const root = join(projectRoot, 'test');
  const { files, imports } = readTree(root);
  const trying = new Set(
    files.filter((file) => /\bfc\.assert\(/.test(readFileSync(join(root, file), 'utf8'))),
  );
  const reach = ({ from, to }: Import) => trying.has(to) && !trying.has(from);
  for (let next = imports.find(reach); next; next = imports.find(reach)) trying.add(next.from);
  return [...trying].filter((file) => file.endsWith('.test.ts')).map((file) => `test/${file}`);
}

async function runTests(files: readonly string[], seed: number, signal: AbortSignal) {
  const vitest = join(projectRoot, 'node_modules/vitest/vitest.mjs');
  const child = spawn(
    process.execPath,
    [vitest, 'run', '-c', 'test/tiers/long.config.ts', '--project', 'sqlite', '--reporter', 'dot', ...files],
    {
      cwd: projectRoot,
      env: { ...process.env, PROPERTY_SEED: String(seed), PROPERTY_RUNS: 'all' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  signal.removeEventListener('abort', stop);
  return { code: Number(code ?? 1), output: stdout + stderr };
}
