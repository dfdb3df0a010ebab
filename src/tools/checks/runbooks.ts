import type { Config } from '../../bot/config.ts';
import { count } from '../../bot/render/words.ts';
import { sourceOf } from '../../bot/runbooks/index.ts';
import { readPage } from '../../bot/runbooks/page.ts';
import { isLoopback } from '../../bot/shared/loopback.ts';
import { type CheckResult, failed, passed } from '../../bot/slack/checks.ts';
import { TrackerError } from '../../bot/tickets/tracker.ts';
import { systemClock } from '../../lib/clock.ts';

const PATIENCE_MS = 5_000;

/** Whether runbooks can be read and are understood, and whether each host answers that they may be fetched from. */
export async function checkRunbooks({
  runbookSource,
  runbookHosts,
}: Pick<Config, 'runbookSource' | 'runbookHosts'>): Promise<CheckResult[]> {
  return Promise.all([
    ...(runbookSource === null ? [] : [checkPages(runbookSource)]),
    ...runbookHosts.map(checkHost),
  ]);
}

async function checkPages(settings: NonNullable<Config['runbookSource']>): Promise<CheckResult> {
  const source = sourceOf(settings, { clock: systemClock });
  const name = `runbooks (${source.name})`;
  try {
    const { pages, problems: left } = await source.read();
    const read = pages.map(({ text, ...place }) => readPage(text, place));
    const problems = [...left, ...read.flatMap((page) => page.problems)];
    if (problems.length > 0)
      return { ...failed(name, count(problems.length, 'problem'), 'correct them'), notes: problems };
    if (pages.length === 0)
      return failed(name, 'there is no Markdown file', 'add a page for each alert, or check RUNBOOKS');
    const without = read.filter(({ runbook }) => runbook.steps.length === 0);
    const notes = without.map(({ runbook }) => `${runbook.path} has no steps: a numbered list`);
    return {
      ...passed(name, count(pages.length, 'page')),
      ...(notes.length > 0 ? { notes } : {}),
    };
  } catch (error) {
    if (!(error instanceof TrackerError)) throw error;
    return failed(name, error.what, error.fix ?? 'check the network and HTTPS_PROXY');
  }
}

async function checkHost(host: string): Promise<CheckResult> {
  const name = `runbooks at ${host}`;
  try {
    const scheme = isLoopback(new URL(`https://${host}`).hostname) ? 'http' : 'https';
    const { status } = await globalThis.fetch(`${scheme}://${host}/`, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return passed(name, `it answers (${status})`);
  } catch {
    return failed(name, 'it does not answer', 'correct RUNBOOK_HOSTS, or check the network');
  }
}
