import { existsSync, readFileSync } from 'node:fs';
import { isGreen, Report } from './report.ts';

// The last line of `.ci/run`, from the reports of the tiers.

let passed = 0;
let failed = 0;
for (const file of process.argv.slice(2)) {
  if (!existsSync(file)) {
    console.error(`A tier ended without its report, ${file}: see above.`);
    failed += 1;
    continue;
  }
  const report = Report.parse(JSON.parse(readFileSync(file, 'utf8')));
  for (const error of report.unhandled) console.error(`Outside of any test: ${error}`);
  for (const { path, failures } of report.files.filter(({ failed }) => failed > 0))
    for (const failure of failures) console.error(`${path}: ${failure.split('\n')[0]}`);
  const failures = report.files.reduce((sum, one) => sum + one.failed, 0);
  passed += report.files.reduce((sum, one) => sum + one.passed, 0);
  failed += isGreen(report) ? 0 : Math.max(1, failures);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
