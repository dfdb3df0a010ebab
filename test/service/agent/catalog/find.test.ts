import { expect, it } from 'vitest';
import { indexOf } from '../../../../src/service/agent/catalog/find.ts';

const CATALOG = indexOf([
  {
    name: 'harbor_deliveries_total',
    type: 'counter',
    help: '',
    unit: '',
    labels: { site: ['millbrook', 'portsea', 'north-quay', 'north-quoy'] },
  },
]);

it.each([
  ['milbrook', 'millbrook'],
  ['portsea', 'portsea'],
  // What is a word here, is too short, or may be either of two stays.
  ['deliveries', 'deliveries'],
  ['qaay', 'qaay'],
  ['somewhere', 'somewhere'],
])('a slip in a label’s value is that value: %s', (word, spelled) => {
  expect(CATALOG.spelled(word)).toBe(spelled);
});
