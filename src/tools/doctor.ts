import { loadEnvFile } from '../lib/env-file.ts';
import { diagnose } from './checks/diagnose.ts';

/**
 * `npm run doctor`: one line for each check, with the fix if something is wrong; exit code 1 then. With `-- --blocks`
 * Slack also checks every message and view of the gallery.
 */
loadEnvFile();
const results = await diagnose(process.env, { blocks: process.argv.includes('--blocks') });
for (const { name, ok, detail, fix, notes = [] } of results) {
  console.log(`${ok ? '✓' : '✗'} ${name}: ${detail}${fix === null ? '' : ` → ${fix}`}`);
  for (const note of notes) console.log(`  - ${note}`);
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
