import type { PageMessage, PageState } from '../../../src/page-api.ts';

/** A workspace as the demo seeds one. */
export const workspace: PageState = {
  team: { id: 'T1', name: 'Acme' },
  users: [
    { id: 'U1', name: 'alice', real_name: 'Alice Ferrer', is_bot: false, color: '#2f7d4f', role: 'admin' },
    { id: 'U2', name: 'bob', real_name: 'Bob Tanaka', is_bot: false, color: '#8a6d1d' },
    { id: 'UBOT', name: 'gizmo', real_name: 'Gizmo', is_bot: true, color: '#1f2a44' },
  ],
  channels: [
    channel('C2', 'general', 'Company-wide announcements'),
    channel('C1', 'alerts', 'Everything that our monitoring has to say'),
    channel('C3', 'incidents', ''),
    { ...channel('C4', 'payments', 'Payments team'), bot_is_member: false },
    { ...channel('D1', 'alice', ''), is_im: true },
  ],
  commands: [
    {
      command: '/incident',
      description: 'Report an incident',
      usage_hint: 'what is wrong [severity:high]',
    },
    { command: '/issue', description: 'Show an issue and what was found', usage_hint: '<number>' },
    { command: '/ask', description: 'Ask the agent', usage_hint: 'question' },
  ],
  shortcuts: [
    {
      name: 'Report this',
      type: 'message',
      callback_id: 'report_this',
      description: 'File an issue from this message',
    },
    {
      name: 'Why was this (not) filed?',
      type: 'message',
      callback_id: 'why_filed',
      description: 'Say what was decided, and why',
    },
    { name: 'New issue', type: 'global', callback_id: 'new_issue', description: 'File an issue' },
  ],
  bot: { user_id: 'UBOT', name: 'Gizmo', online: true, has_home: false },
};

function channel(id: string, name: string, topic: string): PageState['channels'][number] {
  return { id, name, topic, is_im: false, is_private: false, bot_is_member: true };
}

/** `ts` of a moment some minutes before now, so that day dividers say Today. */
export function minutesAgo(minutes: number): string {
  return `${Math.floor(Date.now() / 1000) - minutes * 60}.000100`;
}

export const alertTs = minutesAgo(9);

/** A message in #alerts. */
export function message(ts: string, rest: Partial<PageMessage>): PageMessage {
  return { type: 'message', channel: 'C1', ts, text: '', ...rest };
}

/** A reply of the app's in the alert's thread. */
export function botReply(ts: string, rest: Partial<PageMessage>): PageMessage {
  return message(ts, { thread_ts: alertTs, user: 'UBOT', bot_id: 'B1', ...rest });
}

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const button = (text: string, action_id: string, rest = {}) => ({
  type: 'button',
  text: { type: 'plain_text', text },
  action_id,
  value: 'issue-7',
  ...rest,
});

const cardBlocks = [
  section(
    '*#7 HighErrorRate checkout-api*\n:large_green_circle: *Ready to fix* · high · production · checkout-api',
  ),
  {
    type: 'context',
    elements: [
      {
        type: 'mrkdwn',
        text: 'Alertmanager · <https://am.example.com/#/alerts|open the alert> · seen 2 times',
      },
    ],
  },
  {
    type: 'actions',
    block_id: 'card',
    elements: [
      button('Resolve', 'issue:resolve', { style: 'primary' }),
      button('Mute 24 h', 'issue:mute', {
        confirm: {
          title: { type: 'plain_text', text: 'Mute this issue?' },
          text: { type: 'plain_text', text: 'It stays quiet for a day.' },
          confirm: { type: 'plain_text', text: 'Mute' },
          deny: { type: 'plain_text', text: 'Keep' },
        },
      }),
      {
        type: 'overflow',
        action_id: 'issue:more',
        options: [
          { text: { type: 'plain_text', text: 'Copy prompt' }, value: 'copy' },
          { text: { type: 'plain_text', text: 'Delete' }, value: 'delete' },
        ],
      },
      {
        type: 'static_select',
        action_id: 'issue:severity',
        placeholder: { type: 'plain_text', text: 'Severity' },
        options: [
          { text: { type: 'plain_text', text: 'High' }, value: 'high' },
          { text: { type: 'plain_text', text: 'Low' }, value: 'low' },
        ],
      },
    ],
  },
];

const resultBlocks = [
  { type: 'header', text: { type: 'plain_text', text: 'Root cause: connection pool exhausted' } },
  section(
    'Deploy `checkout-api 2.14.0` at <!date^1794993000^{time}|14:10 UTC> cut the pool from *50* to *5* connections. _Confidence: high (92 %)_',
  ),
  { type: 'divider' },
  {
    type: 'markdown',
    text: '### Evidence\n- Errors began **40 s after the deploy**\n- `pool_wait_ms` rose from 2 to 1,900\n\n| Ruled out | Why |\n|---|---|\n| Traffic | within 3 % of last week |\n| Database | p95 4 ms throughout |\n',
  },
  section(
    '*Remediation*\n1. Roll back `checkout-api` to 2.13.4 _(required)_\n2. Set `POOL_SIZE=50`\n```kubectl rollout undo deploy/checkout-api```',
  ),
  {
    type: 'context_actions',
    block_id: 'feedback',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: 'answer:rate',
        positive_button: { text: { type: 'plain_text', text: 'Good answer' }, value: 'good' },
        negative_button: { text: { type: 'plain_text', text: 'Bad answer' }, value: 'bad' },
      },
    ],
  },
];

/** An older alert, the newest with its thread, and a person's remark. */
export function story(): PageMessage[] {
  const older = minutesAgo(70);
  return [
    message(older, {
      subtype: 'bot_message',
      bot_id: 'B9',
      username: 'Grafana',
      attachments: [
        {
          color: '2eb67d',
          title: '[RESOLVED] Checkout p95 latency',
          title_link: 'https://grafana.example.com/alerting',
          text: '**Resolved**\n\nValue: A=0.31\nLabels:\n - service = checkout-api',
          footer: 'Grafana v11.3.0',
        },
      ],
      reply_count: 1,
      latest_reply: minutesAgo(69),
    }),
    message(minutesAgo(69), {
      thread_ts: older,
      user: 'UBOT',
      bot_id: 'B1',
      text: 'Recovered; nothing to do.',
    }),
    message(minutesAgo(30), {
      user: 'U2',
      text: 'Deploying <https://git.example.com/r/2.14.0|checkout-api 2.14.0> now &amp; watching :eyes: <@U1>',
    }),
    message(alertTs, {
      subtype: 'bot_message',
      bot_id: 'B8',
      username: 'Alertmanager',
      icons: { emoji: ':fire:' },
      attachments: [
        {
          color: 'a30200',
          title: '[FIRING:1] HighErrorRate checkout-api (prod payments eu-west-1 critical)',
          title_link: 'https://am.example.com/#/alerts',
          text: 'Error rate of *checkout-api* is 12.4 % (threshold 2 %)',
          fields: [
            { title: 'Service', value: 'checkout-api', short: true },
            { title: 'Environment', value: 'production', short: true },
          ],
        },
      ],
      reactions: [{ name: 'eyes', count: 1, users: ['UBOT'] }],
      reply_count: 3,
      latest_reply: minutesAgo(6),
    }),
    botReply(minutesAgo(8), {
      text: 'Issue 7',
      blocks: cardBlocks,
      edited: { user: 'UBOT', ts: minutesAgo(6) },
    }),
    botReply(minutesAgo(7), { text: 'Root cause found', blocks: resultBlocks }),
    message(minutesAgo(6), { thread_ts: alertTs, user: 'U1', text: '<@UBOT> who deployed it?' }),
  ];
}
