import type { PageView } from '../../../src/page-api.ts';

const plain = (text: string) => ({ type: 'plain_text', text });

export const option = (text: string, value = text.toLowerCase()) => ({ text: plain(text), value });

const input = (block_id: string, label: string, element: object, rest: object = {}) => ({
  type: 'input',
  block_id,
  label: plain(label),
  element: { action_id: block_id, ...element },
  ...rest,
});

/** A modal of the app's on Alice's screen. */
function view(id: string, title: string, blocks: object[], rest: Partial<PageView> = {}): PageView {
  return { id, user: 'U1', hash: '1.a', title: plain(title), blocks, ...rest };
}

/** A modal with every kind of input, and blocks between them. */
export function newIssue(rest: Partial<PageView> = {}): PageView {
  const severities = ['Low', 'Medium', 'High', 'Critical'].map((name) => option(name));
  const blocks = [
    input('title', 'Title', {
      type: 'plain_text_input',
      placeholder: plain('What is wrong?'),
      max_length: 500,
    }),
    input(
      'description',
      'Description',
      { type: 'plain_text_input', multiline: true, initial_value: 'Checkout fails for some.' },
      { optional: true, hint: plain('Markdown works: *bold*, `code`, links.') },
    ),
    input('severity', 'Severity', {
      type: 'static_select',
      placeholder: plain('Choose one'),
      options: severities,
      initial_option: option('High'),
    }),
    input('budget', 'New issues in 10 minutes', { type: 'number_input', initial_value: '10' }),
    input('url', 'Alert link', { type: 'url_text_input' }, { optional: true }),
    { type: 'divider' },
    input('mode', 'When an alert comes', {
      type: 'radio_buttons',
      options: [
        { ...option('File it', 'auto'), description: plain('An issue at once') },
        { ...option('Suggest it', 'suggest'), description: plain('A button under the alert') },
      ],
      initial_option: option('File it', 'auto'),
    }),
    input(
      'people',
      'Also',
      {
        type: 'checkboxes',
        options: [option('People’s reports', 'people'), option('Broadcast results', 'cast')],
      },
      { optional: true },
    ),
    input(
      'tools',
      'Tools',
      {
        type: 'multi_static_select',
        placeholder: plain('All of them'),
        option_groups: [
          { label: plain('Metrics'), options: [option('Grafana'), option('Datadog')] },
          { label: plain('Errors'), options: [option('Sentry'), option('Rollbar')] },
        ],
      },
      { optional: true },
    ),
    { type: 'context', elements: [{ type: 'mrkdwn', text: 'Filed in *#alerts*, and audited.' }] },
  ];
  return view('V1', 'New issue', blocks, { submit: plain('File'), close: plain('Cancel'), ...rest });
}

/** A modal whose first field tells the app while one types, and whose second when Enter is pressed. */
export function patterns(preview: string): PageView {
  const blocks = [
    input(
      'include',
      'Only messages that match',
      {
        type: 'plain_text_input',
        dispatch_action_config: { trigger_actions_on: ['on_character_entered'] },
      },
      { optional: true, dispatch_action: true },
    ),
    input(
      'exclude',
      'Never messages that match',
      { type: 'plain_text_input' },
      { optional: true, dispatch_action: true },
    ),
    { type: 'section', block_id: 'preview', text: { type: 'mrkdwn', text: preview } },
    {
      type: 'section',
      block_id: 'recovery',
      text: { type: 'mrkdwn', text: '*On recovery*' },
      accessory: {
        type: 'static_select',
        action_id: 'recovery',
        placeholder: plain('On recovery'),
        options: [option('Note it', 'note'), option('Resolve the issue', 'resolve')],
      },
    },
    {
      type: 'actions',
      block_id: 'buttons',
      elements: [
        { type: 'button', action_id: 'try', text: plain('Try on the last 50'), value: '50' },
        {
          type: 'button',
          action_id: 'unwatch',
          text: plain('Stop watching'),
          style: 'danger',
          confirm: {
            title: plain('Stop watching?'),
            text: plain('Alerts are no longer filed.'),
            confirm: plain('Stop'),
            deny: plain('Keep'),
          },
        },
      ],
    },
  ];
  return view('V2', 'Channel settings', blocks, { submit: plain('Save') });
}

/** A modal that is only read, of every kind of block but inputs. */
export function whyFiled(): PageView {
  const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
  const raw = (text: string) => ({ type: 'raw_text', text });
  const dot =
    "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><rect width='40' height='40'/></svg>";
  const picture = { image_url: `data:image/svg+xml,${encodeURIComponent(dot)}`, alt_text: 'a square' };
  const blocks = [
    { type: 'header', text: plain('Filed as #7') },
    {
      type: 'section',
      text: mrkdwn(':white_check_mark: *Filed*: no open issue has its fingerprint.'),
      accessory: { type: 'image', ...picture },
    },
    {
      type: 'section',
      fields: ['*Tool*\nAlertmanager', '*Rule*\n—', '*Severity*\ncritical', '*Fingerprint*\n`4c7d`'].map(
        mrkdwn,
      ),
    },
    { type: 'divider' },
    {
      type: 'table',
      column_settings: [{ is_wrapped: true }],
      rows: [
        ['Field', 'Value'].map(raw),
        ['host', 'web-1.eu-west-1.compute.internal'].map(raw),
        [raw('attempts'), { type: 'raw_number', value: 3 }],
      ],
    },
    { type: 'markdown', text: 'What it *says*:\n\n- error rate **12.4 %**\n- since `10:41`' },
    { type: 'image', title: plain('The picture'), ...picture },
    {
      type: 'section',
      block_id: 'menu',
      text: mrkdwn('*#7 HighErrorRate*'),
      accessory: { type: 'overflow', action_id: 'more', options: [option('Open'), option('Attach')] },
    },
    {
      type: 'actions',
      block_id: 'buttons',
      elements: [{ type: 'button', action_id: 'apart', text: plain('Split off an alert'), value: '7' }],
    },
    {
      type: 'context',
      elements: [{ type: 'image', ...picture }, mrkdwn('Decided at 10:41 by the rules of *#alerts*')],
    },
  ];
  return view('V3', 'Why was this filed', blocks, { close: plain('Done') });
}
