import type { App } from '@slack/bolt';
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { expect, test } from 'vitest';
import { boltOn, testWorkspace } from '../testing/index.ts';

const ALICE = 'U0ALICE001';

const plain = (text: string) => ({ type: 'plain_text', text }) as const;
const option = (value: string) => ({ text: plain(value.toUpperCase()), value });
const field = (
  block_id: string,
  element: InputBlock['element'],
  more: Partial<InputBlock> = {},
): InputBlock => ({
  type: 'input',
  block_id,
  label: plain(block_id),
  element,
  ...more,
});

const text = (more: object = {}) => ({ type: 'plain_text_input', action_id: 'it', ...more }) as const;
const number = (more: object = {}) =>
  ({ type: 'number_input', action_id: 'it', is_decimal_allowed: false, ...more }) as const;
const url = { type: 'url_text_input', action_id: 'it' } as const;

/** A form that Alice has open; what is submitted is noted, and answered with `errors` where there are some. */
async function form(blocks: KnownBlock[], errors?: Record<string, string>, prepare?: (app: App) => void) {
  const workspace = await testWorkspace();
  const submitted: unknown[] = [];
  const view: ModalView = {
    type: 'modal',
    callback_id: 'form',
    title: plain('Form'),
    submit: plain('Send'),
    blocks,
  };
  await boltOn(workspace, (app) => {
    app.shortcut('begin', async ({ ack, body, client }) => {
      await client.views.open({ trigger_id: body.trigger_id, view });
      await ack();
    });
    app.view('form', async ({ ack, view: { state } }) => {
      submitted.push(state.values);
      await (errors ? ack({ response_action: 'errors', errors }) : ack());
    });
    prepare?.(app);
  });
  expect(await workspace.shortcut({ as: ALICE, callback_id: 'begin' })).toEqual({ ok: true });
  const view_id = workspace.views(ALICE)[0]?.id ?? '';
  const submit = (values: Record<string, object> = {}) =>
    workspace.submit({
      as: ALICE,
      view_id,
      values: Object.fromEntries(
        Object.entries(values).map(([block, state]) => [block, { it: { ...state } }]),
      ),
    });
  return { workspace, view_id, submit, submitted };
}

test('a submission holds every input’s present value, the untouched ones’ first value included', async () => {
  const { submit, submitted } = await form([
    field('text', text({ initial_value: 'as it was' })),
    field('empty', text(), { optional: true }),
    field('number', number({ initial_value: '7' })),
    field('link', url, { optional: true }),
    field('one', {
      type: 'static_select',
      action_id: 'it',
      option_groups: [{ label: plain('All'), options: [option('a'), option('b')] }],
      initial_option: option('b'),
    }),
    field(
      'many',
      { type: 'multi_static_select', action_id: 'it', options: [option('a'), option('b')] },
      {
        optional: true,
      },
    ),
    field('radio', {
      type: 'radio_buttons',
      action_id: 'it',
      options: [option('a'), option('b')],
      initial_option: option('a'),
    }),
    field('checks', {
      type: 'checkboxes',
      action_id: 'it',
      options: [option('a'), option('b')],
      initial_options: [option('a')],
    }),
  ]);
  const outcome = await submit({
    text: { type: 'plain_text_input', value: 'changed' },
    many: { selected_options: [{ value: 'b' }, { value: 'a' }] },
    checks: { selected_options: [option('b')] },
  });
  expect(outcome).toEqual({ ok: true });
  expect(submitted).toEqual([
    {
      text: { it: { type: 'plain_text_input', value: 'changed' } },
      empty: { it: { type: 'plain_text_input', value: null } },
      number: { it: { type: 'number_input', value: '7' } },
      link: { it: { type: 'url_text_input', value: null } },
      one: { it: { type: 'static_select', selected_option: option('b') } },
      many: { it: { type: 'multi_static_select', selected_options: [option('b'), option('a')] } },
      radio: { it: { type: 'radio_buttons', selected_option: option('a') } },
      checks: { it: { type: 'checkboxes', selected_options: [option('b')] } },
    },
  ]);
});

const FAULTS: [string, InputBlock['element'], object, string | undefined][] = [
  ['nothing where something is required', text(), { value: '' }, 'Please complete this required field.'],
  ['too little', text({ min_length: 3 }), { value: 'ab' }, 'Please enter at least 3 characters.'],
  ['enough', text({ min_length: 3 }), { value: 'abc' }, undefined],
  ['too much', text({ max_length: 3 }), { value: 'abcd' }, 'Please enter at most 3 characters.'],
  ['words for a number', number(), { value: 'seven' }, 'Please enter a number.'],
  ['a part for a whole', number(), { value: '7.5' }, 'Please enter a whole number.'],
  ['a part where parts may be', number({ is_decimal_allowed: true }), { value: '7.5' }, undefined],
  ['too small', number({ min_value: '2' }), { value: '1' }, 'Please enter a number of at least 2.'],
  ['too great', number({ max_value: '10' }), { value: '11' }, 'Please enter a number of at most 10.'],
  ['within', number({ min_value: '-2', max_value: '10' }), { value: '-2' }, undefined],
  ['no link', url, { value: 'example.com/x' }, 'Please enter a valid URL, with https:// before it.'],
  ['a link', url, { value: 'https://example.com/x' }, undefined],
  [
    'no choice',
    { type: 'static_select', action_id: 'it', options: [option('a')] },
    {},
    'Please complete this required field.',
  ],
  [
    'too many choices',
    {
      type: 'multi_static_select',
      action_id: 'it',
      max_selected_items: 1,
      options: [option('a'), option('b')],
    },
    { selected_options: [option('a'), option('b')] },
    'Please choose at most 1.',
  ],
];

test.each(FAULTS)(
  'Slack itself looks at a field before the app does: %s',
  async (_, element, state, words) => {
    const { workspace, submit, submitted } = await form([field('it', element)]);
    const outcome = await submit({ it: state });
    expect(outcome).toEqual(
      words === undefined ? { ok: true } : { ok: false, error: words, errors: { it: words } },
    );
    expect(submitted).toHaveLength(words === undefined ? 1 : 0);
    expect(workspace.views(ALICE)).toHaveLength(words === undefined ? 0 : 1);
  },
);

test('the app’s errors stand at their inputs, and the modal stays', async () => {
  const { workspace, submit } = await form([field('a', text()), field('b', text())], {
    b: 'No.',
    a: 'Not that.',
  });
  const value = { value: 'x' };
  expect(await submit({ a: value, b: value })).toEqual({
    ok: false,
    error: 'No. Not that.',
    errors: { b: 'No.', a: 'Not that.' },
  });
  expect(workspace.views(ALICE)).toHaveLength(1);
});

test('an error at what is no input is the app’s fault', async () => {
  const { workspace, submit } = await form(
    [field('a', text({ initial_value: 'x' })), { type: 'divider', block_id: 'line' }],
    { line: 'No.' },
  );
  expect(await submit()).toEqual({
    ok: false,
    error:
      'We had some trouble connecting. Try again? (the app’s errors name line, which is not an input of the modal)',
  });
  expect(workspace.views(ALICE)).toHaveLength(1);
});

test('a form of fields that are not there, or of choices that are not offered, is a fault of the test', async () => {
  const { submit } = await form([
    field('a', { type: 'static_select', action_id: 'it', options: [option('a')] }),
  ]);
  expect(await submit({ b: { value: 'x' } })).toEqual({
    ok: false,
    error: 'There is no field b / it in that modal.',
  });
  expect(await submit({ a: { selected_option: option('z') } })).toEqual({
    ok: false,
    error: 'That choice is not among the options.',
  });
});

test('a button, a choice and a text that dispatches bring the modal with all that was put in', async () => {
  const bodies: Record<string, unknown>[] = [];
  const { workspace, view_id } = await form(
    [
      field('pattern', text({ dispatch_action_config: { trigger_actions_on: ['on_character_entered'] } }), {
        dispatch_action: true,
      }),
      field('quiet', text({ initial_value: 'still' })),
      {
        type: 'actions',
        block_id: 'row',
        elements: [
          { type: 'button', action_id: 'test', text: plain('Test'), value: '1' },
          { type: 'static_select', action_id: 'mode', options: [option('auto'), option('suggest')] },
        ],
      },
    ],
    undefined,
    (app) => {
      app.action(/.*/, async ({ ack, body }) => {
        await ack();
        bodies.push({ ...body });
      });
    },
  );
  const act = (block_id: string, action_id: string, state = {}, values = {}) =>
    workspace.viewAction({ as: ALICE, view_id, block_id, action_id, state, values });

  expect(await act('pattern', 'it', { type: 'plain_text_input', value: 'db-.*' })).toEqual({ ok: true });
  expect(await act('row', 'mode', { selected_option: option('suggest') })).toEqual({ ok: true });
  expect(await act('row', 'test', {}, { quiet: { it: { value: 'moved' } } })).toEqual({ ok: true });
  expect(await act('quiet', 'it', { value: 'x' })).toEqual({
    ok: false,
    error: 'The app only sees that field when the modal is submitted.',
  });

  const state = (mode: object | null, quiet: string) => ({
    values: {
      pattern: { it: { type: 'plain_text_input', value: 'db-.*' } },
      quiet: { it: { type: 'plain_text_input', value: quiet } },
      row: { mode: { type: 'static_select', selected_option: mode } },
    },
  });
  const action_ts = expect.stringMatching(/^\d{10}\.\d{6}$/);
  expect(bodies.map(({ actions, view }) => [actions, Object(view).state])).toEqual([
    [
      [{ type: 'plain_text_input', action_id: 'it', block_id: 'pattern', value: 'db-.*', action_ts }],
      state(null, 'still'),
    ],
    [
      [
        {
          type: 'static_select',
          action_id: 'mode',
          block_id: 'row',
          selected_option: option('suggest'),
          action_ts,
        },
      ],
      state(option('suggest'), 'still'),
    ],
    [
      [{ type: 'button', action_id: 'test', block_id: 'row', text: plain('Test'), value: '1', action_ts }],
      state(option('suggest'), 'moved'),
    ],
  ]);
  expect(Object.keys(bodies[0] ?? {}).sort()).toEqual([
    'actions',
    'api_app_id',
    'container',
    'enterprise',
    'is_enterprise_install',
    'team',
    'token',
    'trigger_id',
    'type',
    'user',
    'view',
  ]);
  expect(bodies[0]?.container).toEqual({ type: 'view', view_id });
});
