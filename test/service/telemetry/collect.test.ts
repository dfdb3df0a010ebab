import { expect, it } from 'vitest';
import { distinctBy } from '../../../src/service/telemetry/collect.ts';

it('keeps one item for each key: the last, where the first stood', () => {
  const items = [
    { name: 'a', seen: 1 },
    { name: 'b', seen: 2 },
    { name: 'a', seen: 3 },
  ];
  expect(distinctBy(items, ({ name }) => name)).toEqual([
    { name: 'a', seen: 3 },
    { name: 'b', seen: 2 },
  ]);
});
