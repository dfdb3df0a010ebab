import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { projectRoot } from '../support/files.ts';
import { filesToRetry, isGreen, Report, withSecondRun } from './report.ts';

// `npm run test:deep`: the second tier. A file that failed only because the machine was slow is run once more, alone, and
// listed as flaky if it passes then. The words of the command go to Vitest; `TIER_REPORT` names a file for the report.

const folder = mkdtempSync(join(tmpdir(), 'gumshoe-deep-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let report = await run(process.argv.slice(2));
const flaky: string[] = [];
for (const file of filesToRetry(report)) {
  const path = relative(projectRoot, file);
  console.log(`\nOnce more, alone: ${path}`);
  const second = await run([path, '--maxWorkers=1']);
  report = withSecondRun(report, second);
  if (isGreen(second)) flaky.push(path);
}
for (const path of flaky) console.log(`flaky: ${path}`);
if (process.env.TIER_REPORT !== undefined) writeFileSync(process.env.TIER_REPORT, JSON.stringify(report));
process.exitCode = isGreen(report) ? 0 : 1;

async function run(words: readonly string[]): Promise<Report> {
  const file = join(folder, 'report.json');
  rmSync(file, { force: true });
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '-c', 'test/tiers/deep.config.ts'];
  const reporters = ['--reporter=default', '--reporter=./test/tiers/report.ts'];
  const child = spawn(process.execPath, [...vitest, ...reporters, ...words], {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...process.env, TIER_REPORT: file },
  });
  const stop = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  await once(child, 'close');
  process.off('SIGINT', stop).off('SIGTERM', stop);
  if (!existsSync(file)) {
    console.error('The tests ended without a report: see above.');
    process.exit(1);
  }
  return Report.parse(JSON.parse(readFileSync(file, 'utf8')));
}
