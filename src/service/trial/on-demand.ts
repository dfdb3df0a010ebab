import PQueue from 'p-queue';
import type { TrialAnswer } from '../../contract/schema.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ServiceLog } from '../log.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import { pageOf } from './page.ts';
import { linesOf, reportOn, unseenIn } from './report.ts';
import type { Row } from './row.ts';
import { investigatePast, readPast } from './trial.ts';

/** A page is worth asking for again, and kept, for so long. */
const KEPT_MS = 60 * 60_000;
const MOST = 200;

interface Options {
  telemetry: TelemetrySource;
  /** Of one investigation. */
  limits: { requests: number; ms: number };
  clock: Clock;
  log: ServiceLog;
  program: string;
  /** Aborted when the service closes. */
  closing: AbortSignal;
}

interface Run {
  answer: TrialAnswer;
  endedAt: number | null;
}

/**
 * Trials that somebody asks for and comes back to: the first to ask begins it, and whoever asks again is told how far it
 * is, then gets the page. One runs at a time.
 */
export function createTrials(options: Options): (days: number) => TrialAnswer {
  const { clock, log, closing } = options;
  const runs = new Map<number, Run>();
  const queue = new PQueue({ concurrency: 1 });

  function begin(days: number): Run {
    const run: Run = { answer: { state: 'running', done: 0, of: null, leftSeconds: null }, endedAt: null };
    queue
      .add(() => investigateAll(days, options, (answer) => Object.assign(run, { answer })))
      .catch((error: unknown) => {
        if (closing.aborted) return;
        log.error({ err: error, days }, 'a trial failed');
        run.answer = { state: 'failed', reason: 'The trial failed; the log says why.' };
      })
      .finally(() => {
        run.endedAt = clock.now();
      });
    return run;
  }

  return (days) => {
    const known = runs.get(days);
    const isCurrent =
      known !== undefined && (known.endedAt === null || clock.now() - known.endedAt < KEPT_MS);
    const run = isCurrent ? known : begin(days);
    for (const [other, { endedAt }] of runs)
      if (endedAt !== null && clock.now() - endedAt >= KEPT_MS) runs.delete(other);
    runs.set(days, run);
    return run.answer;
  };
}

async function investigateAll(
  days: number,
  { telemetry, limits, clock, program, closing }: Options,
  tell: (answer: TrialAnswer) => void,
): Promise<void> {
  const past = await readPast(telemetry, { days, limit: MOST, clock });
  if (past.problems.length === 0) {
    const reason =
      past.problem ?? `No alert fired in the last ${days} days, as far as Prometheus or Grafana kept them.`;
    return tell({ state: 'failed', reason });
  }
  const rows: Row[] = [];
  for await (const { row, done, of, leftSeconds } of investigatePast(telemetry, past.problems, {
    limits,
    clock,
    stop: closing,
  })) {
    rows.push(row);
    tell({ state: 'running', done, of, leftSeconds });
  }
  if (closing.aborted) return;
  const report = reportOn(past, rows, await unseenIn(telemetry, { to: past.to, rows, clock }));
  tell({ state: 'done', page: pageOf(report, { program }), lines: linesOf(report) });
}
