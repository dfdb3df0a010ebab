import { expect, it } from 'vitest';
import { startChild } from '../../support/child.ts';

it('answers out of all proportion, four at once, cost a process of 512 MB nothing but an error each', async () => {
  const child = startChild('test/support/huge-answers.ts', { NODE_OPTIONS: '--max-old-space-size=512' });
  expect(await child.ended, child.output()).toBe(0);
  const said = child.output().match(/^\w+: .*$/gmu) ?? [];
  const problems = said.map((line) => line.replace(/; check that .*$/u, '').replace('issues.page: ', ''));
  expect([...new Set(problems)]).toEqual([
    "bad: the answer's data.1000: more than 1000 parts of it are unusable",
    'long: the answer has more than 400000 values',
    "wide: the answer's data.1000: more than 1000 parts of it are unusable",
    'longer: the answer is longer than 8388608 bytes',
    'deep: the answer is nested more than 100 levels deep',
    'nested: the answer is nested more than 100 levels deep',
  ]);
  expect(said).toHaveLength(24);
});
