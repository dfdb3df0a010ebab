import { afterEach, expect, it } from 'vitest';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createPollSchedule } from '../../../src/bot/watching/poll.ts';
import { manualClock } from '../../support/manual-clock.ts';

const START = '2026-03-17T12:00:00.400Z';

const inAMinute = new Date(Date.parse(START) + 60_000);

let started: { stop(): void };
afterEach(() => started.stop());

/** A schedule on a manual clock; `polls` are the times at which it polled. */
function schedule(expression: string, poll: (count: number) => Promise<void> = async () => undefined) {
  const clock = manualClock(Date.parse(START));
  const lines: Record<string, unknown>[] = [];
  const polls: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
  started = createPollSchedule(
    expression,
    () => {
      polls.push(new Date(clock.now()).toISOString().slice(11, -1));
      return poll(polls.length);
    },
    { clock, log },
  );
  return {
    clock,
    lines,
    polls,
    /** Lets so much time pass, in steps of 100 ms. */
    pass: async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 100) await clock.pass(100);
    },
  };
}

it('polls at each time of the expression, and at no other', async () => {
  const { polls, pass, lines } = schedule('*/15 * * * * *');
  await pass(61_000);
  expect(polls).toEqual(['12:00:15.000', '12:00:30.000', '12:00:45.000', '12:01:00.000']);
  expect(lines).toEqual([]);
});

it('finds a time that is more than a minute away', async () => {
  const { polls, pass } = schedule('30 3,8 * * * *');
  await pass(9 * 60_000);
  expect(polls).toEqual(['12:03:30.000', '12:08:30.000']);
});

it('reads the expression in the time zone of the process', async () => {
  const { polls, pass } = schedule(`0 ${inAMinute.getMinutes()} ${inAMinute.getHours()} * * *`);
  await pass(120_000);
  expect(polls).toEqual(['12:01:00.000']);
});

it('polls once, and says so in the log, where the process was busy while several were due', async () => {
  const { polls, clock, lines, pass } = schedule('* * * * * *');
  await clock.pass(3_900);
  expect(polls).toEqual(['12:00:04.300']);
  expect(lines).toMatchObject([{ level: 40, lateMs: 3_300, msg: expect.stringMatching(/missed/) }]);
  await pass(2_000);
  expect(polls.slice(1)).toEqual(['12:00:05.000', '12:00:06.000']);
  expect(lines).toHaveLength(1);
});

it('does not lose a rare poll to a machine that was asleep at its time', async () => {
  const { polls, clock, pass } = schedule(`0 ${inAMinute.getMinutes()} ${inAMinute.getHours()} * * *`);
  await clock.pass(2 * 60 * 60_000);
  await pass(1_000);
  expect(polls).toEqual(['14:00:00.400']);
});

it('polls once where a timer fires a millisecond early', async () => {
  const { polls, clock, pass } = schedule('*/5 * * * * *');
  const { now } = clock;
  clock.now = () => now() - 1;
  await pass(6_000);
  expect(polls).toEqual(['12:00:04.999']);
});

it('logs a poll that fails, and the next one runs', async () => {
  const { polls, pass, lines } = schedule('* * * * * *', async (count) => {
    if (count === 1) throw new Error('disk I/O error');
  });
  await pass(2_000);
  expect(polls).toHaveLength(2);
  expect(lines).toMatchObject([{ level: 50, err: { message: 'disk I/O error' } }]);
});

it('stops at once', async () => {
  const { polls, clock, pass, lines } = schedule('* * * * * *');
  await pass(1_000);
  started.stop();
  await clock.pass(0);
  expect(clock.sleeping()).toBe(0);
  await pass(3_000);
  expect(polls).toEqual(['12:00:01.000']);
  expect(lines).toEqual([]);
});
