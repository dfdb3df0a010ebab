import { expect, it } from 'vitest';
import { createPollSchedule } from '../../../src/bot/watching/poll.ts';
import { createLogger } from '../../../src/lib/log.ts';
import { until } from '../../support/until.ts';

/** Keeps the event loop from running, as a heavy computation would. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it('polls on schedule, and a skipped run is a line of the log like any other', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
  let polls = 0;
  const poll = async () => {
    polls += 1;
  };
  const schedule = createPollSchedule('* * * * * *', poll, log);
  await until('it polled', () => polls > 0);
  // The scheduler forgives a second.
  block(3_000);
  await until('a run was skipped', () => lines.length > 0);
  schedule.stop();
  expect(lines[0]).toMatchObject({
    level: 40,
    msg: 'poll schedule',
    detail: expect.stringMatching(/missed/),
  });
});

it('a poll that fails is logged, and the next one runs', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
  let polls = 0;
  const schedule = createPollSchedule(
    '* * * * * *',
    async () => {
      polls += 1;
      if (polls === 1) throw new Error('disk I/O error');
    },
    log,
  );
  await until('it polled again', () => polls > 1);
  schedule.stop();
  expect(lines[0]).toMatchObject({ level: 50, err: { message: 'disk I/O error' } });
});
