import { describe, expect, test } from 'vitest';
import { SlackError } from '../../../src/sandbox/slack/slack-error.ts';
import { checkAttachments, checkBlocks } from '../../../src/sandbox/slack/validate/check.ts';
import { clientOf, refusalOf, testWorkspace } from './support.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const section = (text: string) => ({ type: 'section', text: mrkdwn(text) });
const button = (more: object = {}) => ({ type: 'button', text: plain('Go'), ...more });
const actions = (...elements: object[]) => ({ type: 'actions', elements });
const input = (element: object) => ({ type: 'input', label: plain('It'), element });
const cell = (text: string) => ({ type: 'raw_text', text });
const x = (length: number) => 'x'.repeat(length);
const option = (value: string) => ({ text: plain(value), value });

/** The faults that Slack would list, or the error where it lists none, or nothing. */
function faults(blocks: unknown): unknown {
  try {
    checkBlocks(blocks);
    return [];
  } catch (cause) {
    if (!(cause instanceof SlackError)) throw cause;
    return cause.extra.errors ?? cause.code;
  }
}

const FINE: [string, object][] = [
  ['a section of 3,000 characters', section(x(3_000))],
  ['ten fields', { type: 'section', fields: Array(10).fill(mrkdwn(x(900))) }],
  ['a header of 150', { type: 'header', text: plain(x(150)) }],
  ['a context of ten', { type: 'context', elements: Array(10).fill(mrkdwn('x')) }],
  ['a button with a value of 2,000', actions(button({ value: x(2_000), action_id: 'a', style: 'danger' }))],
  ['25 elements', actions(...Array(25).fill(button()))],
  ['an overflow menu', actions({ type: 'overflow', options: [option('a'), option('b')] })],
  ['a select of 100', actions({ type: 'static_select', options: Array(100).fill(option('a')) })],
  ['a markdown block of 12,000', { type: 'markdown', text: x(12_000) }],
  ['an image', { type: 'image', image_url: 'https://example.com/a.png', alt_text: 'a' }],
  [
    'inputs that tell the app of each letter',
    {
      type: 'input',
      label: plain('Pattern'),
      dispatch_action: true,
      element: {
        type: 'plain_text_input',
        dispatch_action_config: { trigger_actions_on: ['on_enter_pressed', 'on_character_entered'] },
      },
    },
  ],
  [
    'a number within bounds',
    input({ type: 'number_input', is_decimal_allowed: false, min_value: '1', max_value: '100' }),
  ],
  ['a link', input({ type: 'url_text_input', initial_value: 'https://example.com' })],
  ['a divider', { type: 'divider', block_id: x(255) }],
  [
    'rich text',
    {
      type: 'rich_text',
      elements: [
        { type: 'rich_text_section', elements: [{ type: 'text', text: 'x', style: { bold: true } }] },
        { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'x' }], language: 'sh' },
        { type: 'rich_text_quote', elements: [{ type: 'user', user_id: 'U1' }] },
        {
          type: 'rich_text_list',
          style: 'ordered',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'link', url: 'https://example.com' }] }],
        },
      ],
    },
  ],
  [
    'a table of 100 rows and 20 cells, plain and rich, with its columns',
    {
      type: 'table',
      rows: [
        ...Array(99).fill([cell('a')]),
        [
          ...Array(19).fill(cell('b')),
          {
            type: 'rich_text',
            elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] }],
          },
        ],
      ],
      column_settings: [null, { align: 'right' }, { is_wrapped: true }],
    },
  ],
  [
    'feedback buttons',
    {
      type: 'context_actions',
      elements: [
        {
          type: 'feedback_buttons',
          action_id: 'f',
          positive_button: { text: plain('Good'), value: 'up' },
          negative_button: { text: plain('Bad'), value: 'down' },
        },
      ],
    },
  ],
];

const FAULTY: [string, object, string[]][] = [
  [
    '3,001 in a section',
    section(x(3_001)),
    ['must be less than 3001 characters [json-pointer:/blocks/0/text/text]'],
  ],
  ['an empty text', section(''), ['must be more than 0 characters [json-pointer:/blocks/0/text/text]']],
  [
    'a section of nothing',
    { type: 'section' },
    ['missing required field: text or fields [json-pointer:/blocks/0]'],
  ],
  ['an unknown block', { type: 'hologram' }, ['unsupported type: hologram [json-pointer:/blocks/0/type]']],
  ['no type', { text: 'x' }, ['missing required field: type [json-pointer:/blocks/0]']],
  [
    'an unknown element',
    actions({ type: 'lever' }),
    ['unsupported type: lever [json-pointer:/blocks/0/elements/0/type]'],
  ],
  [
    'an unknown field',
    { ...section('x'), colour: 'red' },
    ['invalid additional property: colour [json-pointer:/blocks/0]'],
  ],
  [
    'mrkdwn in a header',
    { type: 'header', text: mrkdwn('x') },
    ['must be a valid enum value [json-pointer:/blocks/0/text/type]'],
  ],
  ['a header without text', { type: 'header' }, ['missing required field: text [json-pointer:/blocks/0]']],
  [
    '151 in a header',
    { type: 'header', text: plain(x(151)) },
    ['must be less than 151 characters [json-pointer:/blocks/0/text/text]'],
  ],
  [
    'eleven in a context',
    { type: 'context', elements: Array(11).fill(mrkdwn('x')) },
    ['no more than 10 items allowed [json-pointer:/blocks/0/elements]'],
  ],
  [
    '26 elements',
    actions(...Array(26).fill(button())),
    ['no more than 25 items allowed [json-pointer:/blocks/0/elements]'],
  ],
  ['an empty row', actions(), ['must have at least 1 items [json-pointer:/blocks/0/elements]']],
  [
    '76 on a button',
    actions({ type: 'button', text: plain(x(76)) }),
    ['must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]'],
  ],
  [
    'a value of 2,001',
    actions(button({ value: x(2_001) })),
    ['must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]'],
  ],
  [
    'an unknown style',
    actions(button({ style: 'loud' })),
    ['must be a valid enum value [json-pointer:/blocks/0/elements/0/style]'],
  ],
  [
    'one action twice',
    actions(button({ action_id: 'a' }), button({ action_id: 'a' })),
    ['`action_id` a already exists [json-pointer:/blocks/0/elements/1/action_id]'],
  ],
  [
    'a block_id of 256',
    { type: 'divider', block_id: x(256) },
    ['must be less than 256 characters [json-pointer:/blocks/0/block_id]'],
  ],
  [
    'a select without options',
    actions({ type: 'static_select' }),
    ['missing required field: options [json-pointer:/blocks/0/elements/0]'],
  ],
  [
    'a first choice that is none of the options',
    actions({ type: 'static_select', options: [option('a')], initial_option: option('b') }),
    ['initial options must be among the options [json-pointer:/blocks/0/elements/0]'],
  ],
  [
    'a number that does not say whether it may have parts',
    input({ type: 'number_input' }),
    ['missing required field: is_decimal_allowed [json-pointer:/blocks/0/element]'],
  ],
  [
    'a number’s bound in words',
    input({ type: 'number_input', is_decimal_allowed: true, min_value: 'one' }),
    ['must be a valid enum value [json-pointer:/blocks/0/element/min_value]'],
  ],
  [
    'an unknown moment to dispatch at',
    input({ type: 'plain_text_input', dispatch_action_config: { trigger_actions_on: ['on_blur'] } }),
    [
      'must be a valid enum value [json-pointer:/blocks/0/element/dispatch_action_config/trigger_actions_on/0]',
    ],
  ],
  [
    'a table of 101 rows',
    { type: 'table', rows: Array(101).fill([cell('a')]) },
    ['no more than 100 items allowed [json-pointer:/blocks/0/rows]'],
  ],
  [
    'a row of 21 cells',
    { type: 'table', rows: [Array(21).fill(cell('a'))] },
    ['no more than 20 items allowed [json-pointer:/blocks/0/rows/0]'],
  ],
  [
    'an empty cell',
    { type: 'table', rows: [[cell('')]] },
    ['must be more than 0 characters [json-pointer:/blocks/0/rows/0/0/text]'],
  ],
  [
    'settings for 21 columns',
    { type: 'table', rows: [[cell('a')]], column_settings: Array(21).fill(null) },
    ['no more than 20 items allowed [json-pointer:/blocks/0/column_settings]'],
  ],
  [
    'a table of 10,001 characters',
    { type: 'table', rows: [[cell(x(10_001))]] },
    ['must be less than 10001 characters [json-pointer:/blocks]'],
  ],
  [
    'an image without alt text',
    { type: 'image', image_url: 'https://example.com/a.png' },
    ['missing required field: alt_text [json-pointer:/blocks/0]'],
  ],
  [
    '12,001 of markdown',
    { type: 'markdown', text: x(12_001) },
    ['must be less than 12001 characters [json-pointer:/blocks/0/text]'],
  ],
];

describe('blocks within the limits pass', () => {
  test.each(FINE)('%s', (_, block) => {
    expect(faults([block])).toEqual([]);
  });
});

describe('blocks beyond them are named with their place', () => {
  test.each(FAULTY)('%s', (_, block, expected) => {
    expect(faults([block])).toEqual(expected);
  });
});

test('fifty blocks pass, fifty-one do not', () => {
  expect(faults(Array(50).fill({ type: 'divider' }))).toEqual([]);
  expect(faults(Array(51).fill({ type: 'divider' }))).toEqual([
    'no more than 50 items allowed [json-pointer:/blocks]',
  ]);
});

test('a block_id is had once', () => {
  const twice = { type: 'divider', block_id: 'b' };
  expect(faults([twice, twice])).toEqual(['`block_id` b already exists [json-pointer:/blocks/1/block_id]']);
});

test('markdown blocks share their 12,000, a message holds one table', () => {
  const half = { type: 'markdown', text: x(6_001) };
  expect(faults([half, half])).toEqual(['must be less than 12001 characters [json-pointer:/blocks]']);
  const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'a' }]] };
  expect(faults([table, table])).toEqual(['only_one_table_allowed [json-pointer:/blocks]']);
});

test('a message’s blocks count 13,200 characters at most, a header a hundred more than its text', () => {
  const full = [...Array(4).fill(section(x(3_000))), section(x(1_200))];
  expect(faults(full)).toEqual([]);
  expect(faults([...full, section('x')])).toBe('msg_blocks_too_long');
  const room = [...Array(4).fill(section(x(3_000))), section(x(1_099)), { type: 'header', text: plain('x') }];
  expect(faults(room)).toEqual([]);
  expect(faults([...room, section('x')])).toBe('msg_blocks_too_long');
});

test('entities and the headings of Markdown count too', () => {
  const full = Array(4).fill(section(x(3_000)));
  const ampersands = (count: number) => ({ type: 'section', text: plain('&'.repeat(count)) });
  expect(faults([...full, ampersands(240)])).toEqual([]);
  expect(faults([...full, ampersands(241)])).toBe('msg_blocks_too_long');
  const markdown = (text: string) => ({ type: 'markdown', text });
  expect(faults([...full, markdown(`# a\n${x(1_096)}`)])).toEqual([]);
  expect(faults([...full, markdown(`# a\n${x(1_097)}`)])).toBe('msg_blocks_too_long');
});

test('blocks that are no list have another error', () => {
  expect(faults('nonsense')).toBe('invalid_blocks_format');
  expect(faults({ type: 'divider' })).toBe('invalid_blocks_format');
});

test('attachments are a hundred at most, and their blocks are held to the limits', () => {
  expect(() => checkAttachments(Array(101).fill({ text: 'x' }))).toThrow('too_many_attachments');
  expect(() => checkAttachments('x')).toThrow('invalid_attachments');
  expect(() => checkAttachments([{ blocks: [section(x(3_001))] }])).toThrow('invalid_blocks');
});

test('a client gets every fault twice: bare, and marked in the metadata', async () => {
  const workspace = await testWorkspace();
  const call = clientOf(workspace).chat.postMessage({
    channel: workspace.channels.alerts,
    text: 'x',
    blocks: [section(x(3_001)), section('')],
  });
  const first = 'must be less than 3001 characters [json-pointer:/blocks/0/text/text]';
  const second = 'must be more than 0 characters [json-pointer:/blocks/1/text/text]';
  expect(await refusalOf(call)).toMatchObject({
    ok: false,
    error: 'invalid_blocks',
    errors: [first, second],
    response_metadata: { messages: [`[ERROR] ${first}`, `[ERROR] ${second}`] },
  });
  expect(workspace.messages(workspace.channels.alerts)).toEqual([]);
});
