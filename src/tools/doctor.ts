import { loadEnvFile } from '../lib/env-file.ts';
import { type Environment, type Io, processIo } from '../lib/io.ts';
import { diagnose } from './checks/diagnose.ts';
import { flagsOrUsage } from './flags.ts';

const USAGE = `usage: npm run doctor [-- --blocks]

Checks this installation: one line for each check, with the fix if something is wrong. The exit code is 1 then.

  --blocks    also has Slack check every message and view of the gallery (about four minutes; nothing is posted)`;

/** `npm run doctor`. @returns the exit code */
export async function doctor(words: readonly string[], env: Environment, io: Io): Promise<number> {
  const flags = flagsOrUsage(words, { blocks: { type: 'boolean' } }, USAGE, io);
  if ('code' in flags) return flags.code;
  const results = await diagnose(env, { blocks: flags.values.blocks ?? false });
  for (const { name, ok, detail, fix, notes = [] } of results) {
    io.out(`${ok ? '✓' : '✗'} ${name}: ${detail}${fix === null ? '' : ` → ${fix}`}`);
    for (const note of notes) io.out(`  - ${note}`);
  }
  return results.every(({ ok }) => ok) ? 0 : 1;
}

if (import.meta.main) process.exitCode = await doctor(process.argv.slice(2), loadEnvFile(), processIo);
