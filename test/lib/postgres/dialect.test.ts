import { Kysely } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/lib/clock.ts';
import { createPostgresDialect, runSerializable } from '../../../src/lib/postgres/dialect.ts';
import { isUnavailable } from '../../../src/lib/postgres/errors.ts';
import { createPool } from '../../../src/lib/postgres/pool.ts';

const stack: AsyncDisposableStack[] = [];

afterEach(async () => {
  for (const one of stack.splice(0)) await one.disposeAsync();
});

/** A transaction on a server that is not there, and how long it was tried by a clock that only sleeps. */
async function tryInVain(signal?: AbortSignal) {
  let waited = 0;
  const clock: Clock = {
    now: () => waited,
    sleep: async (ms) => {
      waited += ms;
    },
  };
  const pool = createPool({
    url: 'postgres://nobody@127.0.0.1:1/nothing',
    applicationName: 'test',
    max: 1,
    onError: () => undefined,
  });
  const retrying = { clock, random: () => 1, ...(signal ? { signal } : {}) };
  const db = new Kysely<unknown>({ dialect: createPostgresDialect({ pool, ...retrying }) });
  const closing = new AsyncDisposableStack();
  closing.defer(() => db.destroy());
  stack.push(closing);
  const failure = await runSerializable(db, async () => 'done', retrying).catch((error) => error);
  return { failure, waited };
}

describe('a transaction on a server that is away', () => {
  it('waits a minute for it, and no longer', async () => {
    const { failure, waited } = await tryInVain();
    expect(isUnavailable(failure)).toBe(true);
    expect(waited).toBeGreaterThanOrEqual(60_000);
    expect(waited).toBeLessThan(65_000);
  });

  it('fails at once where the program is stopping', async () => {
    const { failure, waited } = await tryInVain(AbortSignal.abort());
    expect(isUnavailable(failure)).toBe(true);
    expect(waited).toBe(0);
  });
});
