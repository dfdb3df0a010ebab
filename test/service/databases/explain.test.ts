import { expect, it } from 'vitest';
import { explained } from '../../../src/service/databases/explain.ts';
import { type DatabaseFact, proofOf } from '../../../src/service/databases/fact.ts';
import { changesBetween, deedOf, type Fingerprint } from '../../../src/service/databases/fingerprint.ts';

const at = (minute: number) => Date.UTC(2026, 10, 29, 10, minute);
const was: Fingerprint = {
  at: at(0),
  parts: {
    index: {
      'reviews_product on reviews': 'CREATE INDEX reviews_product ON public.reviews USING btree (product)',
      'orders_pkey on orders': 'CREATE UNIQUE INDEX orders_pkey ON public.orders USING btree (id)',
    },
    setting: { work_mem: '4096 kB', search_path: 'd41d8cd9' },
  },
  counters: {},
};
const is: Fingerprint = {
  at: at(4),
  parts: {
    index: { 'orders_pkey on orders': 'CREATE UNIQUE INDEX orders_pkey ON public.orders USING btree (id)' },
    setting: { work_mem: '64 kB', search_path: 'd41d8cd9' },
    role: { report: 'connection limit 5' },
  },
  counters: {},
};

const slower: DatabaseFact = {
  database: 'orders',
  system: 'postgres',
  kind: 'statement-slower',
  object: 'reviews',
  sentence: 'It is slow.',
  since: null,
  weight: 0.6,
  steps: [],
  proof: proofOf('pg_stat_statements', [{ statement: 'select' }]),
  tables: ['reviews'],
  statement: 'select count(*) from reviews where product = $1',
};

it('tells what differs between two fingerprints, and nothing of what was not read before', () => {
  expect(changesBetween('orders', was, is).map(deedOf)).toEqual([
    'index `reviews_product on reviews` was dropped',
    'setting `work_mem` went from 4096 kB to 64 kB',
  ]);
});

it('does not take for created what an account that had no rights sees for the first time', () => {
  const blind = { ...was, parts: { table: {}, index: {}, setting: { work_mem: '4096 kB' } } };
  const seeing = { ...is, parts: { ...is.parts, table: { orders: '4 columns' } } };
  expect(changesBetween('orders', blind, seeing).map(deedOf)).toEqual([
    'setting `search_path` was created',
    'setting `work_mem` went from 4096 kB to 64 kB',
  ]);
});

it('joins an index that went with what reads its table whole, with the command that brings it back', () => {
  const scans: DatabaseFact = {
    ...slower,
    kind: 'sequential-scans',
    sentence: 'It is read whole.',
    weight: 0.5,
  };
  const { statement: _, ...withoutStatement } = scans;
  expect(explained([withoutStatement, slower], changesBetween('orders', was, is))).toEqual([
    {
      ...slower,
      object: 'reviews_product',
      since: at(0),
      weight: 0.9,
      sentence:
        'The index `reviews_product on reviews` was dropped between 10:00 UTC and 10:04 UTC, and what used it is slow: It is read whole. It is slow.',
      steps: [
        {
          title: 'Create the index again',
          type: 'command',
          content: 'CREATE INDEX CONCURRENTLY reviews_product ON public.reviews USING btree (product);',
          note: 'Blocks no writes; takes as long as reading the table. Undo with: drop index concurrently reviews_product;',
        },
      ],
    },
  ]);
});

it('leaves a statement on another table, and one whose index is back under another name', () => {
  const other: DatabaseFact = { ...slower, tables: ['orders'] };
  const changes = changesBetween('orders', was, is);
  expect(explained([other], changes)).toEqual([other]);
  const back = {
    ...is,
    at: at(9),
    parts: { index: { 'reviews_product2 on reviews': 'CREATE INDEX reviews_product2 …' } },
  };
  expect(
    explained([slower], [...changes, ...changesBetween('orders', { ...is, parts: { index: {} } }, back)]),
  ).toEqual([slower]);
});
