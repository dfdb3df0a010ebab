import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { systemClock } from '../../../src/lib/clock.ts';
import { grid } from '../measure.ts';
import { alertDelivery, questionDelivery } from './deliveries.ts';
import { around, startProgram } from './program.ts';
import { overHttp } from './sending.ts';
import { startBenchService } from './service.ts';

const PROGRAM = fileURLToPath(new URL('./day-program.ts', import.meta.url));
const DAY_MS = 24 * 60 * 60_000;
/** Until everything has run once, and what is kept for a while has been. */
const WARM_UP = 4 / 24;
const STEP_MS = 20;
const REST_MS = 2_000;
/** The deadlines of calls to Slack run on the machine's clock, and hold their signals: the last ones are waited for, at its pace. */
const LAST_REST_MS = 22_000;
/** Every so many deliveries another problem begins; every so many of one are a recovery and a question. */
const OF_ONE_PROBLEM = 30;
const RECOVERY_EVERY = 5;
const QUESTION_EVERY = 25;

const Held = z.object({
  heap: z.number(),
  maps: z.number(),
  signals: z.number(),
  timers: z.number(),
  handles: z.number(),
});
type Held = z.infer<typeof Held>;

/** What the program holds after four hours and after twenty-four, and what it did in between. */
export interface Day {
  early: Held;
  late: Held;
  deliveries: number;
  issues: number;
  answers: number;
}

/** 24 hours on a clock that runs so fast that they take so many seconds: alerts, repeats, recoveries and questions. */
export async function benchDay(seconds: number): Promise<Day> {
  const between = await around(() => startBenchService([], 'ready_to_fix'));
  const times = DAY_MS / (seconds * 1000);
  const start = systemClock.now();
  const simulated = () => start + (systemClock.now() - start) * times;
  const running = await startProgram(
    between,
    'http',
    { CLOCK_START: String(start), CLOCK_TIMES: String(times), POLL_CRON: '0 */10 * * * *' },
    PROGRAM,
  );
  const line = overHttp(running.url, 1, simulated);
  let deliveries = 0;
  const measure = async (restMs: number): Promise<Held> => {
    await systemClock.sleep(restMs);
    const answer = once(running.child, 'message');
    running.child.send('measure');
    return Held.parse((await answer)[0]);
  };
  const until = async (share: number) => {
    const end = start + seconds * 1000 * share;
    while (systemClock.now() < end) {
      const seconds = Math.floor(simulated() / 1000);
      const state = deliveries % RECOVERY_EVERY === RECOVERY_EVERY - 1 ? 'RESOLVED' : 'FIRING';
      const payload =
        deliveries % QUESTION_EVERY === 0
          ? questionDelivery(seconds)
          : alertDelivery(state, Math.floor(deliveries / OF_ONE_PROBLEM), seconds);
      // Where the program is late by 100 ms its clock says five minutes, and it refuses: then it comes in the next round.
      const taken = await line.send(payload).then(
        () => true,
        () => false,
      );
      if (taken) deliveries += 1;
      await systemClock.sleep(STEP_MS);
    }
  };
  try {
    await until(WARM_UP);
    const early = await measure(REST_MS);
    await until(1);
    await systemClock.sleep(REST_MS);
    running.child.send('rest');
    const late = await measure(LAST_REST_MS);
    const { calls } = between.service;
    return { early, late, deliveries, issues: calls.get('create') ?? 0, answers: calls.get('ask') ?? 0 };
  } finally {
    await line.close();
    await running.stop();
    await between.close();
  }
}

/** The table as text. */
export function dayTable({ early, late, deliveries, issues, answers }: Day): string {
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  return grid([
    [
      `24 simulated hours: ${deliveries} deliveries, ${issues} issues, ${answers} questions`,
      'after 4 hours',
      'after 24',
    ],
    ['heap in use after a collection, MB', megabytes(early.heap), megabytes(late.heap)],
    ['maps', String(early.maps), String(late.maps)],
    ['abort signals', String(early.signals), String(late.signals)],
    ['timers', String(early.timers), String(late.timers)],
    ['sockets and other handles', String(early.handles), String(late.handles)],
  ]);
}
