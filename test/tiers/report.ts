import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { z } from 'zod';

/** What a run of Vitest came to. */
export const Report = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      passed: z.number(),
      failed: z.number(),
      /** Why, for each failure of a test, or of the file where it could not be loaded. */
      failures: z.array(z.string()),
    }),
  ),
  /** Errors outside of any test. */
  unhandled: z.array(z.string()),
});
export type Report = z.infer<typeof Report>;

/** A reporter for Vitest that writes the report into the file that `TIER_REPORT` names. */
export default class ReportFile implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const report: Report = {
      files: modules.map(summarize),
      unhandled: unhandled.map(({ message }) => message),
    };
    if (process.env.TIER_REPORT !== undefined) writeFileSync(process.env.TIER_REPORT, JSON.stringify(report));
  }
}

function summarize(module: TestModule): Report['files'][number] {
  const results = [...module.children.allTests()].map((test) => test.result());
  const suites = [module, ...module.children.allSuites()];
  const failedTests = results.filter(({ state }) => state === 'failed');
  const errors = [
    ...suites.flatMap((suite) => suite.errors()),
    ...results.flatMap(({ errors }) => errors ?? []),
  ];
  // A file that could not be loaded, or whose hooks failed, counts as a failure, too.
  const failed = module.state() === 'failed' ? Math.max(1, failedTests.length) : failedTests.length;
  return {
    path: module.moduleId,
    passed: results.filter(({ state }) => state === 'passed').length,
    failed,
    failures: errors.map(({ message }) => message),
  };
}

export function isGreen(report: Report): boolean {
  return (
    report.unhandled.length === 0 &&
    report.files.length > 0 &&
    report.files.every(({ failed }) => failed === 0)
  );
}

/** More than these are no accident. */
const MOST_RETRIED = 3;

/**
 * What a slow or busy machine can make of a test. Every other assertion fails at once: "exactly one" that fails once in fifty
 * runs is a race in the product.
 */
const BY_THE_MACHINE = [
  /waited in vain until|didn't resolve in time/u,
  /(?:Test|Hook) timed out in/u,
  /Timeout \d+ms exceeded/u,
  /EADDRINUSE/u,
  /(?:Target|page|context|browser).{0,40} (?:closed|crashed)/iu,
  /could not be started/u,
];

/** The files that failed by the machine alone, if there are few of them and nothing failed otherwise. */
export function filesToRetry({ files, unhandled }: Report): string[] {
  const failed = files.filter(({ failed }) => failed > 0);
  const isByTheMachine = failed.every(
    ({ failures }) =>
      failures.length > 0 && failures.every((text) => BY_THE_MACHINE.some((kind) => kind.test(text))),
  );
  const paths = [...new Set(failed.map(({ path }) => path))];
  return unhandled.length === 0 && isByTheMachine && paths.length <= MOST_RETRIED ? paths : [];
}

/** The report with what the second run of some files came to in place of their first. */
export function withSecondRun(report: Report, second: Report): Report {
  const repeated = new Set(second.files.map(({ path }) => path));
  return {
    files: [...report.files.filter(({ path }) => !repeated.has(path)), ...second.files],
    unhandled: [...report.unhandled, ...second.unhandled],
  };
}
