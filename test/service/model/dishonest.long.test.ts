import { it } from 'vitest';
import { tryDishonest } from './dishonest.ts';

it('ten thousand times, each night with another seed', { timeout: 30 * 60_000 }, async () => {
  const seed = Number(process.env.PROPERTY_SEED ?? Math.floor(Date.now() / 1_000));
  console.log(`PROPERTY_SEED=${seed}`);
  await tryDishonest(10_000, seed);
});
