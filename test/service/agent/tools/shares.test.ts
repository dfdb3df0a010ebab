import { expect, it } from 'vitest';
import { indexOf } from '../../../../src/service/agent/catalog/find.ts';
import { labelsIn } from '../../../../src/service/agent/catalog/labels.ts';
import { type Asked, sharesOf } from '../../../../src/service/agent/tools/shares.ts';
import { sharesInWords } from '../../../../src/service/agent/words/shares.ts';
import { known, type Reading, type Series, unknown } from '../../../../src/service/telemetry/model.ts';
import { readSeries } from '../../../support/read-series.ts';

const LABELS = {
  job: ['oven', 'till'],
  flavour: ['rye', 'wheat'],
  tenant: ['north', 'south'],
  status_code: ['200', '503'],
  shop: ['one'],
};

it.each([
  ['is it one flavour or all of them?', ['flavour']],
  ['which flavours are hit?', ['flavour']],
  ['only one customer or everyone', ['tenant']],
  ['by status code', ['status_code']],
  ['is it only rye', ['flavour']],
  ['is it only oven', []],
  ['which shop fails?', []],
])(
  'a question asks for a label by its name, by what people call it, or by a value: %s',
  (question, labels) => {
    expect(labelsIn(question, LABELS)).toEqual(labels);
  },
);

const NOW = Date.UTC(2026, 4, 12, 15);
const ONSET = NOW - 3_600_000;
const CATALOG = indexOf([
  {
    name: 'bakes_total',
    type: 'counter',
    help: '',
    unit: '',
    labels: { job: ['oven'], flavour: ['rye', 'wheat'], result: ['ok', 'failed'] },
  },
  {
    name: 'bake_seconds',
    type: 'histogram',
    help: '',
    unit: 's',
    labels: { job: ['oven'], flavour: ['rye', 'wheat'] },
  },
]);

/** What an expression gives of each flavour: now, before the onset. */
function factsOf(
  title: string,
  of: (expression: string) => Record<string, readonly [number, number]>,
): Asked {
  return {
    catalog: CATALOG,
    now: NOW,
    thread: { onset: ONSET, issue: { title } },
    evidenceStore: { metric: () => null },
    evaluate: async (expression, { to }) =>
      known(
        Object.entries(of(expression)).map(([flavour, [now, before]]) => ({
          ...readSeries({ flavour, result: flavour }, to, to < ONSET ? before : now),
          query: expression,
        })),
      ),
  };
}

const isBad = (expression: string) => expression.includes('result="failed"');

it('one that fails far more than the others is named, with each one’s share', async () => {
  const facts = factsOf('Bakes fail', (expression) =>
    isBad(expression) ? { rye: [3, 0], wheat: [0.04, 0] } : { rye: [5, 5], wheat: [4, 4] },
  );
  const shares = await sharesOf('is it one flavour or all?', ['oven'], facts);
  expect(shares && sharesInWords(shares).split('\n').slice(0, 4)).toEqual([
    '**Mostly `rye`**: no other flavour fails nearly as much.',
    '',
    '- `rye`: 60% fail, 5/s (5/s before)',
    '- `wheat`: 1% fail, 4/s (4/s before)',
  ]);
});

it('where all fail alike, that of which there is more than before is named', async () => {
  const facts = factsOf('Bakes fail', (expression) =>
    isBad(expression) ? { rye: [2, 0], wheat: [0.4, 0] } : { rye: [20, 5], wheat: [4, 4] },
  );
  const shares = await sharesOf('one flavour or all?', ['oven'], facts);
  expect(shares && sharesInWords(shares).split('\n')[0]).toBe(
    '**All alike: no flavour fails far more than the others.** What differs is the volume of `rye`.',
  );
});

it('several that fail far more than the others are named together', async () => {
  const facts = factsOf('Bakes fail', (expression) =>
    isBad(expression)
      ? { rye: [5, 0], oat: [3.9, 0], wheat: [0.04, 0] }
      : { rye: [5, 5], oat: [4, 1], wheat: [4, 4] },
  );
  const shares = await sharesOf('is it one flavour or all?', ['oven'], facts);
  expect(shares && sharesInWords(shares).split('\n')[0]).toBe(
    '**Mostly `rye` and `oat`**: no other flavour fails nearly as much.',
  );
});

it('several of which there is more than before are named together', async () => {
  const facts = factsOf('Bakes are lost', (expression) =>
    isBad(expression) ? {} : { rye: [9, 3], oat: [8, 3], wheat: [4, 4] },
  );
  const shares = await sharesOf('is it one flavour or all?', ['oven'], facts);
  expect(shares && sharesInWords(shares).split('\n')[0]).toBe(
    '**Only `rye` and `oat`** are different from before.',
  );
});

it('where no time before is known, those that are alike now are said to be', async () => {
  const facts = factsOf('Bakes fail', (expression) =>
    isBad(expression) ? { rye: [0, 0] } : { rye: [5, 0], wheat: [4, 0] },
  );
  const shares = await sharesOf('one flavour or all?', ['oven'], { ...facts, thread: null });
  expect(shares && sharesInWords(shares).split('\n')[0]).toBe(
    '**All alike now: no flavour has far more than another.**',
  );
});

it('a job that is named with its namespace is of the service', async () => {
  const { metrics } = CATALOG;
  const catalog = indexOf(
    [...metrics.values()].map((one) => ({ ...one, labels: { ...one.labels, job: ['bakery/oven'] } })),
  );
  const facts = factsOf('Bakes fail', () => ({ rye: [5, 5], wheat: [4, 4] }));
  const shares = await sharesOf('one flavour or all?', ['oven'], { ...facts, catalog });
  expect(shares?.query).toContain('job="bakery/oven"');
});

it('what is slow is compared by how long it takes', async () => {
  const facts = factsOf('Bakes are slow', () => ({ rye: [2, 0.1], wheat: [0.1, 0.1] }));
  const shares = await sharesOf('only rye?', ['oven'], facts);
  expect(shares && sharesInWords(shares).split('\n').slice(0, 3)).toEqual([
    '**Only `rye`** is different from before.',
    '',
    '- `rye`: 2 s (100 ms before)',
  ]);
});

it('where no time is measured by the label, what is slow is told by the counters', async () => {
  const facts = factsOf('Bakes are slow', () => ({ rye: [20, 5], wheat: [4, 4] }));
  const shares = await sharesOf('one result or all?', ['oven'], facts);
  expect(shares?.unit).toBe('/s');
});

it('what could not be read, or was not kept, is neither nothing nor zero', async () => {
  const facts = factsOf('Bakes fail', (expression) =>
    isBad(expression) ? { rye: [3, 0], wheat: [0.04, 0] } : { rye: [20, 5], wheat: [0, 0] },
  );
  const without = (
    isLost: (expression: string, to: number) => boolean,
    instead: Reading<Series[]> = unknown('no answer'),
  ) =>
    sharesOf('one flavour or all?', ['oven'], {
      ...facts,
      evaluate: (expression, window) =>
        isLost(expression, window.to) ? Promise.resolve(instead) : facts.evaluate(expression, window),
    });
  for (const instead of [unknown('no answer'), known([])]) {
    const shares = await without((_, to) => to < ONSET, instead);
    expect(shares).toMatchObject({ moved: [], parts: [{ before: null }, { before: null }] });
  }
  const unread = await without(isBad);
  expect(unread?.parts.map(({ failing }) => failing)).toEqual([null, null]);
  expect(await without((expression, to) => !isBad(expression) && to > ONSET)).toBeNull();
});

it('a counter of another service, or without such a label, says nothing', async () => {
  const facts = factsOf('Bakes fail', () => ({ rye: [5, 5], wheat: [4, 4] }));
  expect(await sharesOf('one flavour or all?', ['till'], facts)).toBeNull();
});
