import { createHmac } from 'node:crypto';
import { SIGNING_SECRET } from './slack.ts';

/** The channel that is watched, and one that is not. */
export const ALERTS = 'C0ALERTS';
const TALK = 'C0TALK';
const PROBLEMS = 8;
const BEGIN = Math.floor(Date.now() / 1000);

let made = 0;

interface BenchDelivery {
  id: string;
  payload: object;
  /** Something follows from it, so it must be stored. */
  matters: boolean;
}

/** The next of several deliveries, each with an id of its own. */
export type Deliveries = () => BenchDelivery;

/**
 * Of a busy workspace: of ten, seven are what people say where nothing is watched, two are alerts that repeat, and one is a
 * recovery.
 */
export const ofWorkspace: Deliveries = () => {
  made += 1;
  const kind = made % 10;
  if (kind < 7) {
    return {
      ...envelope(said(`Looks fine to me, deploying number ${made} to the canaries now`)),
      matters: false,
    };
  }
  return nextAlert(kind < 9 ? 'FIRING' : 'RESOLVED');
};

function nextAlert(state: 'FIRING' | 'RESOLVED'): BenchDelivery {
  return { ...envelope(alert(state, made % PROBLEMS)), matters: true };
}

/** A delivery of one of a few alerts that fire and recover. */
export function alertDelivery(
  state: 'FIRING' | 'RESOLVED',
  problem: number,
  seconds: number,
  channel = ALERTS,
  service = `service-${problem}`,
): object {
  made += 1;
  return envelope({ ...alert(state, problem, service), channel }, seconds).payload;
}

/** A person's question in a direct message. */
export function questionDelivery(seconds: number, text = 'What is wrong with checkout?'): object {
  made += 1;
  return envelope({ ...said(text), channel: 'D0BENCH', channel_type: 'im' }, seconds).payload;
}

/** The headers of a delivery over HTTP, at a time in milliseconds. */
export function signed(body: string, now: number, type = 'application/json'): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const digest = createHmac('sha256', SIGNING_SECRET).update(`v0:${timestamp}:${body}`).digest('hex');
  return {
    'content-type': type,
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${digest}`,
  };
}

function envelope(event: object, seconds = BEGIN): { id: string; payload: object } {
  const id = `Ev${String(made).padStart(10, '0')}`;
  const ts = `${seconds}.${String(made % 1_000_000).padStart(6, '0')}`;
  return {
    id,
    payload: {
      token: 'unused',
      team_id: 'T0BENCH',
      api_app_id: 'A1',
      event: { ts, event_ts: ts, channel: TALK, channel_type: 'channel', team: 'T0BENCH', ...event },
      type: 'event_callback',
      event_id: id,
      event_time: seconds,
      authorizations: [{ enterprise_id: null, team_id: 'T0BENCH', user_id: 'U0BOT', is_bot: true }],
      is_ext_shared_channel: false,
      event_context: `4-${id}`,
    },
  };
}

function said(text: string): object {
  const elements = [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }];
  return {
    type: 'message',
    user: 'U1',
    client_msg_id: `00000000-0000-4000-9000-${String(made).padStart(12, '0')}`,
    text,
    blocks: [{ type: 'rich_text', block_id: 'b1', elements }],
  };
}

function alert(state: 'FIRING' | 'RESOLVED', problem: number, service = `service-${problem}`): object {
  const title = `[${state}${state === 'FIRING' ? ':1' : ''}] HighErrorRatio${problem} for ${service}`;
  return {
    type: 'message',
    subtype: 'bot_message',
    text: '',
    username: 'Alertmanager',
    bot_id: 'B0ALERTS',
    channel: ALERTS,
    attachments: [
      {
        id: 1,
        color: state === 'FIRING' ? 'a30200' : '2eb886',
        fallback: `${title} | <http://alertmanager.example/#/alerts?receiver=slack>`,
        title,
        title_link: 'http://alertmanager.example/#/alerts?receiver=slack',
        text: [
          `*Alert:* HighErrorRatio${problem} - critical`,
          `*Description:* One request in twenty to ${service} fails with 502`,
          '*Details:*',
          `  • *alertname:* \`HighErrorRatio${problem}\``,
          '  • *env:* `production`',
          `  • *service:* \`${service}\``,
          '  • *severity:* `critical`',
        ].join('\n'),
        mrkdwn_in: ['fallback', 'pretext', 'text'],
      },
    ],
  };
}
