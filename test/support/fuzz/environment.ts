import type { Clock } from '../../../src/lib/clock.ts';
import { alertmanagerAlert } from '../alerts.ts';
import { clockFrom } from '../paced-clock.ts';
import { type Surroundings, startSurroundings, UNHURRIED_MS } from '../program.ts';
import { until } from '../until.ts';
import { watch } from './corpus.ts';
import { type Program, startProgram } from './program.ts';

/** So many times as fast as the machine, since Slack's pacing would fill the time otherwise. */
const TIMES = 10;
const INVESTIGATION_MS = 3_000;
const MINUTE_MS = 60_000;
const ALICE = 'U0ALICE001';

/** The neighbors of a program, which it shares a clock with. */
export interface Environment {
  around: Surroundings;
  clock: Clock;
  /** Starts the program between them; Slack delivers to it. */
  start(env?: Record<string, string>): Promise<Program>;
  close(): Promise<void>;
}

export async function startEnvironment(): Promise<Environment> {
  const began = Date.now();
  const clock = clockFrom(began, TIMES);
  const ackTimeoutMs = UNHURRIED_MS * TIMES;
  const around = await startSurroundings('http', {
    investigationMs: INVESTIGATION_MS,
    clock,
    ackTimeoutMs,
  });
  return {
    around,
    clock,
    start: async (env = {}) => {
      const program = await startProgram({
        ...around.env,
        ADMIN_USERS: ALICE,
        CLOCK_START: String(began),
        CLOCK_TIMES: String(TIMES),
        LOG_LEVEL: process.env.TEST_LOG ?? 'warn',
        ...env,
      });
      around.workspace.setDelivery(`${program.url}/slack/events`);
      return program;
    },
    close: () => around.close(),
  };
}

/** Whether the program lives, says that it is well, and does its work: an alert in a channel of its own gets its card. */
export async function faultsOf(program: Program, { around, clock }: Environment): Promise<string[]> {
  if (program.ended() !== null)
    return [`the program ended with ${program.ended()}: ${program.output().slice(-3_000)}`];
  const health = await fetch(`${program.url}/healthz`);
  const faults = health.ok ? [] : [`/healthz answers ${health.status}`];
  const { workspace } = around;
  const { incidents } = workspace.channels;
  // One person may do only so much in a minute.
  await clock.sleep(MINUTE_MS);
  await watch(workspace, incidents);
  const { ts } = await workspace.post({ ...alertmanagerAlert('StillWorks', 'cart'), channel: incidents });
  await until('the next alert has its card, with the number of its issue', () =>
    workspace.messages(incidents, ts).some(({ text }) => /#\d/u.test(text)),
  ).catch(async (error) => {
    const ready = await fetch(`${program.url}/readyz`).then((answer) => answer.text(), String);
    faults.push(`${error}; /readyz says ${ready}; the program said last: ${program.output().slice(-3_000)}`);
  });
  return faults;
}
