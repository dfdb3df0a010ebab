import { loadEnvFile } from '../lib/env-file.ts';
import { diagnose } from './checks/diagnose.ts';
import { flagsOrUsage } from './flags.ts';

const USAGE = `usage: npm run doctor [-- --blocks]

Checks this installation: one line for each check, with the fix if something is wrong. The exit code is 1 then.

  --blocks    also has Slack check every message and view of the gallery (about four minutes; nothing is posted)`;

const { blocks = false } = flagsOrUsage({ blocks: { type: 'boolean' } }, USAGE);
loadEnvFile();
const results = await diagnose(process.env, { blocks });
for (const { name, ok, detail, fix, notes = [] } of results) {
  console.log(`${ok ? '✓' : '✗'} ${name}: ${detail}${fix === null ? '' : ` → ${fix}`}`);
  for (const note of notes) console.log(`  - ${note}`);
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
