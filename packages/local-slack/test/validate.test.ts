import { expect, test } from 'vitest';
import { SlackError } from '../src/errors.ts';
import { checkAttachments, checkBlocks } from '../src/validate/check.ts';
import { clientOf, refusalOf, testWorkspace } from '../testing/index.ts';

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

/** Where the fault is, below `/blocks/`, and what it is. */
const FAULTY: [string, object, string][] = [
  ['3,001 in a section', section(x(3_001)), '0/text/text: must be less than 3001 characters'],
  ['an empty text', section(''), '0/text/text: must be more than 0 characters'],
  ['a section of nothing', { type: 'section' }, '0: missing required field: text or fields'],
  ['an unknown block', { type: 'hologram' }, '0/type: unsupported type: hologram'],
  ['no type', { text: 'x' }, '0: missing required field: type'],
  ['an unknown element', actions({ type: 'lever' }), '0/elements/0/type: unsupported type: lever'],
  ['an unknown field', { ...section('x'), colour: 'red' }, '0: invalid additional property: colour'],
  ['mrkdwn in a header', { type: 'header', text: mrkdwn('x') }, '0/text/type: must be a valid enum value'],
  ['a header without text', { type: 'header' }, '0: missing required field: text'],
  [
    '151 in a header',
    { type: 'header', text: plain(x(151)) },
    '0/text/text: must be less than 151 characters',
  ],
  [
    'eleven in a context',
    { type: 'context', elements: Array(11).fill(mrkdwn('x')) },
    '0/elements: no more than 10 items allowed',
  ],
  ['26 elements', actions(...Array(26).fill(button())), '0/elements: no more than 25 items allowed'],
  ['an empty row', actions(), '0/elements: must have at least 1 items'],
  [
    '76 on a button',
    actions({ type: 'button', text: plain(x(76)) }),
    '0/elements/0/text/text: must be less than 76 characters',
  ],
  [
    'a value of 2,001',
    actions(button({ value: x(2_001) })),
    '0/elements/0/value: must be less than 2001 characters',
  ],
  ['an unknown style', actions(button({ style: 'loud' })), '0/elements/0/style: must be a valid enum value'],
  [
    'one action twice',
    actions(button({ action_id: 'a' }), button({ action_id: 'a' })),
    '0/elements/1/action_id: `action_id` a already exists',
  ],
  [
    'a block_id of 256',
    { type: 'divider', block_id: x(256) },
    '0/block_id: must be less than 256 characters',
  ],
  [
    'a select without options',
    actions({ type: 'static_select' }),
    '0/elements/0: missing required field: options',
  ],
  [
    'a first choice that is none of the options',
    actions({ type: 'static_select', options: [option('a')], initial_option: option('b') }),
    '0/elements/0: initial options must be among the options',
  ],
  [
    'a number that does not say whether it may have parts',
    input({ type: 'number_input' }),
    '0/element: missing required field: is_decimal_allowed',
  ],
  [
    'a number’s bound in words',
    input({ type: 'number_input', is_decimal_allowed: true, min_value: 'one' }),
    '0/element/min_value: must be a valid enum value',
  ],
  [
    'an unknown moment to dispatch at',
    input({ type: 'plain_text_input', dispatch_action_config: { trigger_actions_on: ['on_blur'] } }),
    '0/element/dispatch_action_config/trigger_actions_on/0: must be a valid enum value',
  ],
  [
    'a table of 101 rows',
    { type: 'table', rows: Array(101).fill([cell('a')]) },
    '0/rows: no more than 100 items allowed',
  ],
  [
    'a row of 21 cells',
    { type: 'table', rows: [Array(21).fill(cell('a'))] },
    '0/rows/0: no more than 20 items allowed',
  ],
  ['an empty cell', { type: 'table', rows: [[cell('')]] }, '0/rows/0/0/text: must be more than 0 characters'],
  [
    'settings for 21 columns',
    { type: 'table', rows: [[cell('a')]], column_settings: Array(21).fill(null) },
    '0/column_settings: no more than 20 items allowed',
  ],
  [
    'a table of 10,001 characters',
    { type: 'table', rows: [[cell(x(10_001))]] },
    ': must be less than 10001 characters',
  ],
  [
    'an image without alt text',
    { type: 'image', image_url: 'https://example.com/a.png' },
    '0: missing required field: alt_text',
  ],
  ['12,001 of markdown', { type: 'markdown', text: x(12_001) }, '0/text: must be less than 12001 characters'],
  [
    'an alert of no known level',
    { type: 'alert', level: 'loud', text: plain('x') },
    '0/level: must be a valid enum value',
  ],
  [
    'a card’s title of 151',
    { ...card, title: mrkdwn(x(151)) },
    '0/title/text: must be less than 151 characters',
  ],
  [
    'a card’s body of 201',
    { ...card, body: mrkdwn(x(201)) },
    '0/body/text: must be less than 201 characters',
  ],
  ['an empty card', { type: 'card' }, '0: missing required field: hero_image, title, actions or body'],
  [
    'eleven cards',
    { type: 'carousel', elements: Array(11).fill(card) },
    '0/elements: no more than 10 items allowed',
  ],
  [
    'a container without a title',
    { type: 'container', child_blocks: [] },
    '0: missing required field: title or rich_text_title',
  ],
  [
    'a card in a container',
    { type: 'container', title: plain('x'), child_blocks: [card] },
    '0/child_blocks/0/type: unsupported type: card',
  ],
  ['a data table without rows', { ...table, rows: rows(0) }, '0/rows: must have at least 2 items'],
  ['a data table of 101 rows', { ...table, rows: rows(101) }, '0/rows: no more than 101 items allowed'],
  ['a page of 101', { ...table, page_size: 101 }, '0/page_size: must be at most 100'],
  [
    'rows that are named by a column that there is not',
    { ...table, row_header_column_index: 2 },
    '0/row_header_column_index: must be the index of a column',
  ],
  ['a data table without a caption', { ...table, caption: undefined }, '0: missing required field: caption'],
  [
    'rows of different lengths',
    { ...table, rows: [...rows(1), [cell('a')]] },
    '0/rows: all rows must have the same number of cells',
  ],
  [
    'rich text in its head',
    { ...table, rows: [[rich, cell('a')], ...rows(1)] },
    '0/rows/0: header cells must not be rich_text',
  ],
  ['a chart’s title of 51', { ...chart({}), title: x(51) }, '0/title: must be less than 51 characters'],
  ['a chart of no known kind', chart({ type: 'radar' }), '0/chart/type: unsupported type: radar'],
  ['a pie of thirteen', pie(points(13)), '0/chart/segments: no more than 12 items allowed'],
  ['a slice of nothing', pie([{ label: 'a', value: 0 }]), '0/chart/segments/0/value: must be more than 0'],
  [
    'a point outside of the categories',
    chart({}, [{ name: 'p95', data: [{ label: 'elsewhere', value: 1 }] }]),
    '0/chart/series: labels of data must be among the categories',
  ],
  [
    'two series of one name',
    chart({}, Array(2).fill({ name: 'p95', data: points(1) })),
    '0/chart/series: names of series must be unique',
  ],
  [
    'a label of 21',
    pie([{ label: x(21), value: 1 }]),
    '0/chart/segments/0/label: must be less than 21 characters',
  ],
  ['a task of no known status', { ...task, status: 'done' }, '0/status: must be a valid enum value'],
];

test.each(FINE)('within the limits passes %s', (_, block) => {
  expect(faults([block])).toEqual([]);
});

test.each(FAULTY)('beyond them is named with its place: %s', (_, block, expected) => {
  const [, where = '', what = ''] = /^(\S*): (.*)$/u.exec(expected) ?? [];
  const pointer = where === '' ? '/blocks' : `/blocks/${where}`;
  expect(faults([block])).toEqual([`${what} [json-pointer:${pointer}]`]);
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

test('data tables of one message share their 10,000 characters', () => {
  const half = { ...table, rows: [[cell('a')], [cell(x(6_000))]] };
  expect(faults([half])).toEqual([]);
  expect(faults([half, half])).toEqual(['must be less than 10001 characters [json-pointer:/blocks]']);
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

test('the blocks of attachments are held to the limits', () => {
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

test('a message holds two charts', () => {
  expect(checkBlocks([chart({}), chart({})])).toHaveLength(2);
  expect(() => checkBlocks([chart({}), chart({}), chart({})])).toThrow('invalid_blocks');
});

test('ids are had once in what a block holds, too', () => {
  const button = { type: 'button', action_id: 'go', text: plain('Go') };
  const row = { type: 'actions', block_id: 'row', elements: [button] };
  const container = { type: 'container', title: plain('x'), child_blocks: [row] };
  expect(faults([{ ...container, child_blocks: [row, { ...row, block_id: 'other' }] }])).toEqual([]);
  expect(faults([{ ...container, block_id: 'row' }])).toEqual([
    '`block_id` row already exists [json-pointer:/blocks/0/child_blocks/0/block_id]',
  ]);
  expect(faults([{ ...card, actions: [button, button] }])).toEqual([
    '`action_id` go already exists [json-pointer:/blocks/0/actions/1/action_id]',
  ]);
});
