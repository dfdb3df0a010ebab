import { expect, it } from 'vitest';
import { context } from '../../../../src/bot/render/rendered.ts';
import { customerBlocks } from '../../../../src/bot/render/results/results.ts';

it('says which customers are hit most, five at most, their names as data', () => {
  const customers = ['<!here> *acme*', 'birch', 'cedar', 'dune', 'elm', 'fir'].map((name, i) => ({
    name,
    failed: 2100 - i,
    requests: 6000,
  }));
  expect(customerBlocks(customers)).toEqual([
    context(
      'Failed requests by customer: *&lt;!here&gt; ∗acme∗* 2,100 of 6,000 · *birch* 2,099 of 6,000 · *cedar* 2,098 of 6,000 · *dune* 2,097 of 6,000 · *elm* 2,096 of 6,000',
    ),
  ]);
});

it('says nothing where no customer is known, or what is said of one has no number', () => {
  expect(customerBlocks()).toEqual([]);
  expect(customerBlocks([{ name: 'acme' }, { name: ' ', failed: 3 }])).toEqual([]);
});
