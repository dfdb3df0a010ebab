import { expect, it } from 'vitest';
import { playDamagedRows, playMutatedService } from '../support/fuzz/neighbours.ts';
import { onPostgres } from '../support/postgres/databases.ts';

it('a service that answers in ways of its own does no harm, and is used again once it is itself', async () => {
  const { problems, mutated } = await playMutatedService(1, 1);
  expect(problems).toEqual([]);
  expect(mutated).toBeGreaterThan(10);
});

// They are written into the file of SQLite.
it.skipIf(onPostgres)(
  'rows of another version do no harm: the program starts on them and works',
  async () => {
    const { problems, mutated } = await playDamagedRows(2);
    expect(problems).toEqual([]);
    expect(mutated).toBeGreaterThan(50);
  },
);
