import { describe, expect, test } from 'vitest';
import {
  CancelledError,
  RateLimitedError,
  RejectedError,
  TimedOutError,
  UnreachableError,
  UnreadableAnswerError,
} from '../../../src/contract/client/errors.ts';
import { type Breaker, createBreaker } from '../../../src/contract/client/guard.ts';
import { type InstantClock, instantClock } from '../../support/manual-clock.ts';
import { errorOf } from './harness.ts';

const CALL = { operation: 'issues.get', ambiguous: false };

function rejected(status: number): RejectedError {
  return new RejectedError({ ...CALL, status, reason: null, retryAfterMs: null });
}

const REFUSED = new UnreachableError({ ...CALL, code: 'ECONNREFUSED' });

interface Tried {
  clock: InstantClock;
  breaker: Breaker;
  /** Makes a call that ends so, once for each; answers the names of what the callers see. */
  call(...ends: Array<'ok' | Error>): Promise<string[]>;
}

function tried(): Tried {
  const clock = instantClock();
  const breaker = createBreaker(clock);
  return {
    clock,
    breaker,
    async call(...ends) {
      const seen: string[] = [];
      for (const end of ends) {
        const run = breaker.run('issues.get', async () => {
          if (end !== 'ok') throw end;
          return end;
        });
        seen.push(await run.catch((error: unknown) => Object(error).name));
      }
      return seen;
    },
  };
}

/** A breaker that five failures have opened. */
async function opened(): Promise<Tried> {
  const made = tried();
  await made.call(...Array(5).fill(REFUSED));
  return made;
}

describe('the circuit breaker', () => {
  test.each([
    ['cannot be reached', REFUSED],
    ['breaks the connection', new UnreachableError({ ...CALL, ambiguous: true, code: 'ECONNRESET' })],
    ['does not answer in time', new TimedOutError({ ...CALL, timeoutMs: 30_000 })],
    ['answers 500', rejected(500)],
    ['answers 503', rejected(503)],
  ])('opens after five calls in a row to a service that %s', async (_, failure) => {
    const { call } = tried();
    expect(await call(failure, failure, failure, failure, failure, 'ok')).toEqual([
      ...Array(5).fill(failure.name),
      'CircuitOpenError',
    ]);
  });

  test.each([
    ['a refusal (404)', rejected(404)],
    ['a refusal (408)', rejected(408)],
    ['a rate limit', new RateLimitedError({ ...CALL, retryAfterMs: null })],
    [
      'an answer that cannot be read',
      new UnreadableAnswerError({ ...CALL, problem: 'the answer is not JSON' }),
    ],
    ['a cancelled call', new CancelledError(CALL)],
    ['an error of our own', new TypeError('x')],
  ])('is not opened by %s, however often', async (_, failure) => {
    const { call } = tried();
    expect(await call(...Array(20).fill(failure), 'ok')).toEqual([...Array(20).fill(failure.name), 'ok']);
  });

  test.each([
    ['a success', 'ok'],
    ['a refusal', rejected(404)],
  ] as const)('counts anew after %s, which shows that the service is there', async (_, answer) => {
    const { call } = tried();
    const four = Array<Error>(4).fill(REFUSED);
    expect((await call(...four, answer, ...four, 'ok')).at(-1)).toBe('ok');
  });

  test('does not count anew after a cancelled call, which shows nothing', async () => {
    const { call } = tried();
    const seen = await call(...Array(4).fill(REFUSED), new CancelledError(CALL), REFUSED, 'ok');
    expect(seen.at(-1)).toBe('CircuitOpenError');
  });

  test('sends nothing while it is open, and says when it tries again', async () => {
    const { breaker, clock } = await opened();
    await clock.sleep(4_000);
    let sent = 0;
    const error = await errorOf(breaker.run('issues.create', async () => void sent++));
    expect(error).toMatchObject({
      name: 'CircuitOpenError',
      operation: 'issues.create',
      ambiguous: false,
      status: null,
      retryAfterMs: 6_000,
      message: 'issues.create: not sent, because the service has been failing; see the earlier failures',
    });
    expect(sent).toBe(0);
  });

  test('closes when the trial after the pause succeeds', async () => {
    const { call, clock } = await opened();
    await clock.sleep(9_999);
    expect(await call('ok')).toEqual(['CircuitOpenError']);
    await clock.sleep(1);
    expect(await call('ok', REFUSED, REFUSED, REFUSED, REFUSED, 'ok')).toEqual([
      'ok',
      ...Array(4).fill('UnreachableError'),
      'ok',
    ]);
  });

  test('closes too when the service refuses the trial', async () => {
    const { call, clock } = await opened();
    await clock.sleep(10_000);
    expect(await call(rejected(404), 'ok')).toEqual(['RejectedError', 'ok']);
  });

  test('lets a single call through after the pause, and refuses the others until that has ended', async () => {
    const { breaker, call, clock } = await opened();
    await clock.sleep(10_000);
    const trial = Promise.withResolvers<string>();
    const result = breaker.run('issues.get', () => trial.promise);
    expect(await errorOf(breaker.run('issues.get', async () => 'second'))).toMatchObject({
      name: 'CircuitOpenError',
      retryAfterMs: 0,
    });
    trial.resolve('first');
    expect(await result).toBe('first');
    expect(await call('ok')).toEqual(['ok']);
  });

  test('waits longer after each trial that fails, up to half a minute, and starts over once it has closed', async () => {
    const { breaker, call, clock } = await opened();
    const pauses: unknown[] = [];
    for (let trial = 0; trial < 4; trial++) {
      const open = await errorOf(breaker.run('issues.get', async () => 'ok'));
      const pause = Object(open).retryAfterMs;
      pauses.push(pause);
      await clock.sleep(pause);
      await call(REFUSED);
    }
    await clock.sleep(30_000);
    await call('ok', ...Array(5).fill(REFUSED));
    pauses.push(Object(await errorOf(breaker.run('issues.get', async () => 'ok'))).retryAfterMs);
    expect(pauses).toEqual([10_000, 20_000, 30_000, 30_000, 10_000]);
  });

  test('leaves it to the next call when the trial was cancelled', async () => {
    const { call, clock } = await opened();
    await clock.sleep(10_000);
    expect(await call(new CancelledError(CALL), REFUSED, 'ok')).toEqual([
      'CancelledError',
      'UnreachableError',
      'CircuitOpenError',
    ]);
  });
});
