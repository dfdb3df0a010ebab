import { describe, expect, test } from 'vitest';
import { SlackError } from '../../../src/sandbox/slack/slack-error.ts';
import { checkBlocks } from '../../../src/sandbox/slack/validate/check.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const x = (length: number) => 'x'.repeat(length);
const cell = (text: string) => ({ type: 'raw_text', text });
const number = (value: number, text: string) => ({ type: 'raw_number', value, text });
const rich = { type: 'rich_text', elements: [] };
const card = { type: 'card', title: mrkdwn('x') };
const task = { type: 'task_card', task_id: 't', title: 'x', status: 'pending' };
const rows = (count: number) => [
  [cell('Call'), cell('p95')],
  ...Array(count).fill([cell('a'), number(1, '1 ms')]),
];
const points = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ label: `${index}`, value: 1 }));
const chart = (more: object, series: unknown = [{ name: 'p95', data: points(20) }]) => ({
  type: 'data_visualization',
  title: x(50),
  chart: { type: 'line', series, axis_config: { categories: points(20).map(({ label }) => label) }, ...more },
});
const pie = (segments: object[]) => ({ ...chart({}), chart: { type: 'pie', segments } });
const table = { type: 'data_table', caption: 'Calls', rows: rows(1) };

function faults(block: object): unknown {
  try {
    checkBlocks([block]);
    return [];
  } catch (cause) {
    if (cause instanceof SlackError) return cause.extra.errors;
    throw cause;
  }
}

const FINE: [string, object][] = [
  ['an alert', { type: 'alert', level: 'warning', text: plain('x') }],
  [
    'a card of 150, 150 and 200',
    { ...card, title: mrkdwn(x(150)), subtitle: mrkdwn(x(150)), body: mrkdwn(x(200)) },
  ],
  ['a carousel of ten', { type: 'carousel', elements: Array(10).fill(card) }],
  [
    'a container of ten',
    { type: 'container', title: plain('x'), child_blocks: Array(10).fill({ type: 'divider' }) },
  ],
  ['a data table of a head and a hundred rows', { ...table, rows: rows(100), page_size: 100 }],
  ['a number in a table', { type: 'table', rows: [[number(1, '1 ms')]] }],
  [
    'a task with its sources',
    { ...task, details: rich, sources: [{ type: 'url', url: 'https://a.example', text: 'a' }] },
  ],
  [
    'a chart of twelve series with twenty points',
    chart(
      {},
      Array.from({ length: 12 }, (_, index) => ({ name: `${index}`, data: points(20) })),
    ),
  ],
  ['a pie of twelve', pie(points(12))],
  ['a plan', { type: 'plan', title: 'x', tasks: [task] }],
];

const FAULTY: [string, object, string[]][] = [
  [
    'an alert of no known level',
    { type: 'alert', level: 'loud', text: plain('x') },
    ['must be a valid enum value [json-pointer:/blocks/0/level]'],
  ],
  [
    'a card’s title of 151',
    { ...card, title: mrkdwn(x(151)) },
    ['must be less than 151 characters [json-pointer:/blocks/0/title/text]'],
  ],
  [
    'a card’s body of 201',
    { ...card, body: mrkdwn(x(201)) },
    ['must be less than 201 characters [json-pointer:/blocks/0/body/text]'],
  ],
  [
    'an empty card',
    { type: 'card' },
    ['missing required field: hero_image, title, actions or body [json-pointer:/blocks/0]'],
  ],
  [
    'eleven cards',
    { type: 'carousel', elements: Array(11).fill(card) },
    ['no more than 10 items allowed [json-pointer:/blocks/0/elements]'],
  ],
  [
    'a container without a title',
    { type: 'container', child_blocks: [] },
    ['missing required field: title or rich_text_title [json-pointer:/blocks/0]'],
  ],
  [
    'a card in a container',
    { type: 'container', title: plain('x'), child_blocks: [card] },
    ['unsupported type: card [json-pointer:/blocks/0/child_blocks/0/type]'],
  ],
  [
    'a data table without rows',
    { ...table, rows: rows(0) },
    ['must have at least 2 items [json-pointer:/blocks/0/rows]'],
  ],
  [
    'a data table of 101 rows',
    { ...table, rows: rows(101) },
    ['no more than 101 items allowed [json-pointer:/blocks/0/rows]'],
  ],
  ['a page of 101', { ...table, page_size: 101 }, ['must be at most 100 [json-pointer:/blocks/0/page_size]']],
  [
    'a data table without a caption',
    { ...table, caption: undefined },
    ['missing required field: caption [json-pointer:/blocks/0]'],
  ],
  [
    'rows of different lengths',
    { ...table, rows: [...rows(1), [cell('a')]] },
    ['all rows must have the same number of cells [json-pointer:/blocks/0/rows]'],
  ],
  [
    'rich text in its head',
    { ...table, rows: [[rich, cell('a')], ...rows(1)] },
    ['header cells must not be rich_text [json-pointer:/blocks/0/rows/0]'],
  ],
  [
    'a chart’s title of 51',
    { ...chart({}), title: x(51) },
    ['must be less than 51 characters [json-pointer:/blocks/0/title]'],
  ],
  [
    'a chart of no known kind',
    chart({ type: 'radar' }),
    ['unsupported type: radar [json-pointer:/blocks/0/chart/type]'],
  ],
  [
    'a pie of thirteen',
    pie(points(13)),
    ['no more than 12 items allowed [json-pointer:/blocks/0/chart/segments]'],
  ],
  [
    'a slice of nothing',
    pie([{ label: 'a', value: 0 }]),
    ['must be more than 0 [json-pointer:/blocks/0/chart/segments/0/value]'],
  ],
  [
    'a point outside of the categories',
    chart({}, [{ name: 'p95', data: [{ label: 'elsewhere', value: 1 }] }]),
    ['labels of data must be among the categories [json-pointer:/blocks/0/chart/series]'],
  ],
  [
    'two series of one name',
    chart({}, Array(2).fill({ name: 'p95', data: points(1) })),
    ['names of series must be unique [json-pointer:/blocks/0/chart/series]'],
  ],
  [
    'a label of 21',
    pie([{ label: x(21), value: 1 }]),
    ['must be less than 21 characters [json-pointer:/blocks/0/chart/segments/0/label]'],
  ],
  [
    'a task of no known status',
    { ...task, status: 'done' },
    ['must be a valid enum value [json-pointer:/blocks/0/status]'],
  ],
];

describe('the newer blocks within their limits pass', () => {
  test.each(FINE)('%s', (_, block) => {
    expect(faults(block)).toEqual([]);
  });
});

describe('the newer blocks beyond them are named with their place', () => {
  test.each(FAULTY)('%s', (_, block, expected) => {
    expect(faults(block)).toEqual(expected);
  });
});

test('a message holds two charts', () => {
  expect(checkBlocks([chart({}), chart({})])).toHaveLength(2);
  expect(() => checkBlocks([chart({}), chart({}), chart({})])).toThrow('invalid_blocks');
});

test('ids are had once in what a block holds, too', () => {
  const button = { type: 'button', action_id: 'go', text: plain('Go') };
  const row = { type: 'actions', block_id: 'row', elements: [button] };
  const container = { type: 'container', title: plain('x'), child_blocks: [row] };
  expect(faults({ ...container, child_blocks: [row, { ...row, block_id: 'other' }] })).toEqual([]);
  expect(faults({ ...container, block_id: 'row' })).toEqual([
    '`block_id` row already exists [json-pointer:/blocks/0/child_blocks/0/block_id]',
  ]);
  expect(faults({ ...card, actions: [button, button] })).toEqual([
    '`action_id` go already exists [json-pointer:/blocks/0/actions/1/action_id]',
  ]);
});
