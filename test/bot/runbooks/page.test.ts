import { expect, it } from 'vitest';
import { readPage } from '../../../src/bot/runbooks/page.ts';

const page = (text: string) => readPage(text, { path: 'payments/pool.md', url: null });
const stepsOf = (text: string) => page(text).runbook.steps;

it('front matter says what a page is about; its numbered items are the steps, each with what is below it', () => {
  expect(
    page(
      [
        '---',
        'title: Payments cannot get a connection',
        'service: [payments, payments-*]',
        'cause: connection-pool exhaustion',
        'alerts: HighErrorRate',
        'owner: { team: payments }',
        '---',
        '# Connections',
        'Words before the steps.',
        '## Diagnose',
        '1. Check **the pool** in [the dashboard](https://grafana.example/d/1).',
        '2) Look for `PoolTimeout`:',
        '',
        '   ```sh',
        '   # 1. not a heading, and not a step',
        '   kubectl logs deploy/payments',
        '   ```',
        '',
        'Not of the step.',
        '## Mitigate',
        '3. Restart it.',
      ].join('\n'),
    ),
  ).toEqual({
    problems: [],
    runbook: {
      path: 'payments/pool.md',
      url: null,
      title: 'Payments cannot get a connection',
      about: {
        alerts: ['HighErrorRate'],
        services: ['payments', 'payments-*'],
        causes: ['connection-pool exhaustion'],
      },
      steps: [
        {
          heading: 'Diagnose',
          number: '1',
          text: 'Check the pool in the dashboard (https://grafana.example/d/1).',
        },
        {
          heading: 'Diagnose',
          number: '2',
          text: 'Look for `PoolTimeout`:\n```\n# 1. not a heading, and not a step\nkubectl logs deploy/payments\n```',
        },
        { heading: 'Mitigate', number: '3', text: 'Restart it.' },
      ],
    },
  });
});

it('a step goes on over lines that are not indented, lists within it and code below it, as people write them', () => {
  const text = [
    '1. Check the pool, and',
    'whether it is full:',
    '   1. of payments',
    '- of orders',
    '',
    '```',
    '2. not a step',
    '```',
    '2. Restart.',
    '',
    'Not of the step.',
  ];
  expect(stepsOf(text.join('\n')).map(({ number, text: said }) => [number, said])).toEqual([
    [
      '1',
      'Check the pool, and\nwhether it is full:\n   1. of payments\n- of orders\n```\n2. not a step\n```',
    ],
    ['2', 'Restart.'],
  ]);
});

it('without numbered items, numbered headings are the steps, or else the items of lists', () => {
  expect(stepsOf('# Disk\n## Step 1: Look\nAt `df`.\n## 2. Delete\nOld logs.')).toEqual([
    { heading: '', number: '1', text: 'Look\nAt `df`.' },
    { heading: '', number: '2', text: 'Delete\nOld logs.' },
  ]);
  expect(stepsOf('- [ ] Look\n- [x] Delete')).toEqual([
    { heading: '', number: '1', text: 'Look' },
    { heading: '', number: '2', text: 'Delete' },
  ]);
  expect(stepsOf('Call somebody.')).toEqual([]);
});

it.each([
  ['---\nalert: [a\nservice: b\n---\n', 'payments/pool.md, line 3: '],
  [
    '---\r\ntitle: t\r\nservice: 7\r\n---\r\n',
    'payments/pool.md, line 3: service is neither a text nor a list',
  ],
  ['---\n- a\n---\n', 'payments/pool.md, line 2: the front matter has no keys'],
])(
  'front matter that cannot be read is named with its line, and the steps are read all the same',
  (front, problem) => {
    const { runbook, problems } = page(`${front}1. Look`);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(runbook.steps).toHaveLength(1);
  },
);

it('front matter that would grow without end is not followed', () => {
  const aliases = Array.from(
    { length: 12 },
    (_, n) => `a${n}: &a${n} [${Array(10).fill(n === 0 ? 'x' : `*a${n - 1}`)}]`,
  );
  expect(page(`---\n${aliases.join('\n')}\n---\n1. Look`).problems).toEqual([
    'payments/pool.md, line 2: the front matter has no keys',
  ]);
  expect(page(`---\n${'[ '.repeat(50_000)}\n---\n1. Look`).problems).toEqual([
    'payments/pool.md, line 2: the front matter is longer than 10000 characters',
  ]);
});

it('a page of any length has a bounded number of bounded steps', () => {
  const long = Array.from({ length: 500 }, (_, n) => `${n + 1}. ${'x'.repeat(3_000)}`).join('\n');
  const steps = stepsOf(long);
  expect(steps).toHaveLength(40);
  expect(Math.max(...steps.map(({ text }) => text.length))).toBe(2_000);
});
