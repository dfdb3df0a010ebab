import { describe, expect, test } from 'vitest';
import { SlackError } from '../../../src/sandbox/workspace/slack-error.ts';
import { checkBlocks } from '../../../src/sandbox/workspace/validate/check.ts';

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
