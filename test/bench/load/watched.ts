import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../../src/bot/store/open.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { cpuSeconds, grid, peakMegabytes } from '../measure.ts';
import { around, startProgram } from './program.ts';
import { startBenchService, uuidOf } from './service.ts';

const WATCHED = 10_000;
/** Of those, so many are under investigation. */
const INVESTIGATING = 1_000;
const ROTATED_WITHIN_MS = 5 * 60_000;
const POLL_SECONDS = 5;
const ADDED_AT_ONCE = 2_000;

/** What 10,000 watched issues cost. */
export interface Watched {
  startMs: number;
  /** The largest memory of the whole process so far, in megabytes. */
  megabytes: number;
  polls: number;
  /** Requests to the service in that time: pages of the list, and issues one by one. */
  pages: number;
  fetches: number;
  seconds: number;
  /** Processor time of the whole program in that time, in seconds. */
  cpuSeconds: number;
}

/** The whole program with a database of 10,000 watched issues, over a multiple of 5 seconds; it polls every 5. */
export async function benchWatched(seconds: number): Promise<Watched> {
  const issues = Array.from({ length: WATCHED }, (_, n) => ({
    uuid: uuidOf(n + 1),
    number: n + 1,
    status: n < INVESTIGATING ? 'investigating' : 'ready_to_fix',
  }));
  const between = await around(() => startBenchService(issues, 'investigating'));
  try {
    await fill(between.database, issues);
    const running = await startProgram(between, 'http', { POLL_CRON: `*/${POLL_SECONDS} * * * * *` });
    const calls = (of: string) => between.service.calls.get(of) ?? 0;
    // The first poll asks for less: it covers the time since the start alone.
    while (calls('get') === 0) await sleep(100);
    await sleep(POLL_SECONDS * 500);
    const before = { pages: calls('page'), fetches: calls('get'), cpu: cpuSeconds(running.pid) };
    await sleep(seconds * 1000);
    const measured = {
      startMs: running.startMs,
      megabytes: peakMegabytes(running.pid),
      polls: seconds / POLL_SECONDS,
      pages: calls('page') - before.pages,
      fetches: calls('get') - before.fetches,
      seconds,
      cpuSeconds: cpuSeconds(running.pid) - before.cpu,
    };
    await running.stop();
    return measured;
  } finally {
    await between.close();
  }
}

/** Looked at one after another over the last five minutes, as they are while the program runs. */
async function fill(
  file: string,
  issues: readonly { uuid: string; number: number; status: string }[],
): Promise<void> {
  const store = await openStore({ file, clock: systemClock });
  const now = Date.now();
  for (let from = 0; from < issues.length; from += ADDED_AT_ONCE) {
    await store.transaction(async (tx) => {
      for (const { uuid, number, status } of issues.slice(from, from + ADDED_AT_ONCE)) {
        const id = `issue-${number}`;
        const title = `High error ratio on service-${number}`;
        const description = `${title}\n\n${'One request in twenty fails with 502. '.repeat(20)}\ngumshoe-${id}`;
        await tx.issues.add({
          id,
          identity: `ratio-${number}@production`,
          isOpen: true,
          state: 'pending',
          request: JSON.stringify({ title, description, environment: 'production' }),
          status,
          statusSince: now,
          title,
          severity: 'medium',
          environment: 'production',
          service: `service-${number}`,
          source: 'Alertmanager',
          alertUrl: null,
          channel: 'C0ALERTS',
          threadTs: `${number}.0`,
          requestedBy: null,
          investigatingSince: now,
          createdAt: now - 3_600_000,
        });
        await tx.issues.rewrite(id, {
          state: 'created',
          uuid,
          number,
          endedVersion: status === 'investigating' ? 0 : 1,
          checkedAt: Math.round(now - (ROTATED_WITHIN_MS * number) / WATCHED),
        });
      }
    });
  }
  await store.close();
}

/** The table as text. */
export function watchedTable(measured: Watched): string {
  const { polls, pages, fetches, seconds } = measured;
  const perSecond = fetches / seconds;
  return grid([
    [
      `${WATCHED.toLocaleString('en-GB')} watched issues, ${INVESTIGATING.toLocaleString('en-GB')} of them investigating`,
      'measured',
      'asked',
    ],
    ['start-up to the first delivery taken, ms', measured.startMs.toFixed(0), '< 2,000'],
    ['peak memory of the process, MB', measured.megabytes.toFixed(0), '< 200'],
    ['pages of the list, each poll', (pages / polls).toFixed(1), `${INVESTIGATING / 100}`],
    ['issues fetched, each second', perSecond.toFixed(1), ''],
    ['all polled within, s', (WATCHED / perSecond).toFixed(0), '≤ 300'],
    [
      `processor, share of one core (polls every ${POLL_SECONDS} s)`,
      `${((measured.cpuSeconds / seconds) * 100).toFixed(0)}%`,
      '',
    ],
  ]);
}
