import { expect, it } from 'vitest';
import { indexOf } from '../../../src/service/agent/catalog/find.ts';
import { changes } from '../../../src/service/agent/changes.ts';
import { isOfMetric, unansweredIn } from '../../../src/service/agent/coverage.ts';
import { health } from '../../../src/service/agent/health.ts';
import { logs } from '../../../src/service/agent/logs.ts';
import { metric } from '../../../src/service/agent/metric.ts';
import { outlook } from '../../../src/service/agent/outlook.ts';
import { traces } from '../../../src/service/agent/traces.ts';
import { understand } from '../../../src/service/agent/understand.ts';
import { withUnanswered } from '../../../src/service/agent/words/answer.ts';
import { MOST_LABEL_VALUES } from '../../../src/service/telemetry/model.ts';

const directory = [{ name: 'till', instances: [] }];
const catalog = indexOf([
  {
    name: 'till_receipts_total',
    type: 'counter',
    help: '',
    unit: '',
    labels: { tenant: ['northside', 'harbor'], job: ['till'] },
  },
  {
    name: 'mysql_global_status_slow_queries',
    type: 'counter',
    help: '',
    unit: '',
    labels: { instance: ['ledger-db:9104'], job: ['mysql'] },
  },
]);
const turnOf = (question: string) => understand(question, null, directory, 0);

it.each([
  [
    'a thing that occurs nowhere comes before a card',
    'how is the loyalty of till?',
    'I found no metric, object or label here named *loyalty*. What I see:\n\ntill is healthy.',
  ],
  [
    'a value of a label is there',
    'how is harbor at till?',
    'This is not limited to *harbor*.\n\ntill is healthy.',
  ],
  [
    'a word of a metric is there, with a slip of the pen',
    'how are the reciepts of till?',
    'This is not limited to *reciepts*.\n\ntill is healthy.',
  ],
  ['a verb is no name', 'has till caught up or broke it again?', 'till is healthy.'],
])('%s: %s', (_what, question, expected) => {
  const turn = turnOf(question);
  const answer = 'till is healthy.';
  expect(
    withUnanswered(
      { text: answer },
      unansweredIn(turn, [{ tool: health, turn }], { answer }, { catalog, directory }),
    ),
  ).toBe(expected);
});

it.each([
  ['no list of metrics', null, 'till is healthy.'],
  [
    'the labels of none',
    indexOf([{ name: 'till_receipts_total', type: 'counter', help: '', unit: '', labels: {} }]),
    'I found no metric here named *loyalty*. What I see:\n\ntill is healthy.',
  ],
  [
    'some of many values',
    indexOf([
      {
        name: 'till_receipts_total',
        type: 'counter',
        help: '',
        unit: '',
        labels: { tenant: Array.from({ length: MOST_LABEL_VALUES }, (_, i) => `t${i}`) },
      },
    ]),
    'I found no metric here named *loyalty*. What I see:\n\ntill is healthy.',
  ],
])('says no more than was read: %s', (_what, read, expected) => {
  const turn = turnOf('how is the loyalty of till?');
  const answer = 'till is healthy.';
  const unanswered = unansweredIn(turn, [{ tool: health, turn }], { answer }, { catalog: read, directory });
  expect(withUnanswered({ text: answer }, unanswered)).toBe(expected);
});

it.each([
  [
    'did omar test the deploy of till on staging',
    'I can’t tell about *test* and *staging*. What I know:\n\n',
  ],
  ['did omar deploy till', ''],
])('changes are a yes of nothing but changes: %s', (question, head) => {
  const turn = { ...turnOf(question), others: ['omar'] };
  const answer = 'Changes of Omar Haddad, newest first: Deploy till 4.2';
  const unanswered = unansweredIn(turn, [{ tool: changes, turn }], { answer }, { catalog, directory });
  expect(withUnanswered({ text: answer }, unanswered)).toBe(`${head}${answer}`);
});

it('what only a part of a label’s value names is not what an answer is limited to', () => {
  const turn = turnOf('north receipts of till');
  const unanswered = unansweredIn(
    turn,
    [{ tool: metric, turn }],
    { name: 'receipts' },
    { catalog, directory },
  );
  expect(withUnanswered({ text: '3/s' }, unanswered)).toBe('This is not limited to *north*.\n\n3/s');
});

it('a metric that is called as the question says comes before traces, not before how something is, nor before logs', () => {
  const turn = turnOf('slow queries of ledger-db');
  expect([health, traces, logs].map((tool) => isOfMetric({ tool, turn }, turn, catalog))).toEqual([
    false,
    true,
    false,
  ]);
  const other = turnOf('slow requests of till');
  expect(isOfMetric({ tool: traces, turn: other }, other, catalog)).toBe(false);
});

it('a list of what may break is no answer to another question', () => {
  const turn = turnOf('how many copies of the gazette are short');
  const unanswered = unansweredIn(
    turn,
    [{ tool: outlook, turn }],
    { warnings: ['till'] },
    { catalog, directory },
  );
  expect(unanswered).toMatchObject({ isBesides: true, words: ['copies', 'gazette'] });
  const whole = turnOf('what is about to break');
  expect(
    unansweredIn(whole, [{ tool: outlook, turn: whole }], { warnings: ['till'] }, { catalog, directory })
      .words,
  ).toEqual([]);
});
