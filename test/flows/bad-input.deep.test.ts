import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let bot: Bot;

beforeEach(async () => {
  around = await startSurroundings('http');
  bot = await startBotOn(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

interface Delivery {
  body: string;
  type?: string;
  at?: number;
  signature?: string;
}

async function deliver({
  body,
  type = 'application/json',
  at = Date.now(),
  signature,
}: Delivery): Promise<number> {
  const timestamp = String(Math.floor(at / 1000));
  const signed = createHmac('sha256', around.workspace.signingSecret)
    .update(`v0:${timestamp}:${body}`)
    .digest('hex');
  const response = await fetch(`${bot.url}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': type,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signature ?? `v0=${signed}`,
    },
    body,
  });
  return response.status;
}

function event(inner: object, id = 'Ev0TEST0001'): string {
  return JSON.stringify({
    type: 'event_callback',
    team_id: 'T0LOCAL001',
    api_app_id: 'A1',
    event_id: id,
    event_time: 1,
    event: inner,
  });
}

/** The proof that nothing was lost: an alert after all that is filed and has its card. */
async function stillWorks(): Promise<void> {
  const { ts } = await around.workspace.post(alertmanagerAlert('StillAlive'));
  await until('the next alert has its card', () => repliesTo(around, ts)[0]);
}

describe('a delivery over HTTP', () => {
  it.each([
    ['null', 'null', 'application/json'],
    ['a number', '7', 'application/json'],
    ['a list', '[]', 'application/json'],
    ['cut JSON', '{"type":"event_callb', 'application/json'],
    ['nothing', '', 'application/json'],
    ['a form whose payload is null', 'payload=null', 'application/x-www-form-urlencoded'],
    ['a form whose payload is cut', 'payload=%7B%22type', 'application/x-www-form-urlencoded'],
  ])('that is %s is refused with 400, and the next alert is filed', async (_what, body, type) => {
    expect(await deliver({ body, type })).toBe(400);
    await stillWorks();
  });

  it('with a wrong signature is refused with 401', async () => {
    const body = event({ type: 'message', channel: 'C0ALERTS01', ts: '1.1', text: 'x' });
    expect(await deliver({ body, signature: `v0=${'0'.repeat(64)}` })).toBe(401);
    expect(await deliver({ body, signature: 'nonsense' })).toBe(401);
    await stillWorks();
  });

  it.each([
    ['old', -6 * 60_000],
    ['from the future', 6 * 60_000],
  ])('with a timestamp that is %s is refused with 401', async (_what, shift) => {
    expect(await deliver({ body: event({ type: 'message' }), at: Date.now() + shift })).toBe(401);
  });

  it('over 4 MB is refused with 413', async () => {
    expect(await deliver({ body: JSON.stringify({ text: 'x'.repeat(5 * 1024 * 1024) }) })).toBe(413);
    await stillWorks();
  });

  it('of an unknown event, an unknown channel, or a message without its fields is taken and left', async () => {
    expect(await deliver({ body: event({ type: 'never_heard_of' }, 'Ev1') })).toBe(200);
    expect(
      await deliver({
        body: event({ type: 'message', channel: 'C0NOWHERE1', ts: '1.1', text: 'hi' }, 'Ev2'),
      }),
    ).toBe(200);
    expect(await deliver({ body: event({ type: 'message', ts: 7, channel: null }, 'Ev3') })).toBe(200);
    expect(
      await deliver({
        body: event({ type: 'message', subtype: 'message_changed', channel: 'C0ALERTS01', ts: '1.2' }, 'Ev4'),
      }),
    ).toBe(200);
    await stillWorks();
  });

  it('with a charset in its content type is taken', async () => {
    const body = new URLSearchParams({
      command: '/issue',
      text: 'nonsense',
      user_id: 'U0ALICE001',
      channel_id: 'C0ALERTS01',
      team_id: 'T0LOCAL001',
      trigger_id: 't1',
      response_url: 'http://127.0.0.1:9/none',
    }).toString();
    expect(await deliver({ body, type: 'application/x-www-form-urlencoded; charset=utf-8' })).toBe(200);
  });

  it('that arrives twice is handled once', async () => {
    const alert = alertmanagerAlert('Twice');
    const { ts } = await around.workspace.post(alert);
    const message = {
      ...alert,
      type: 'message',
      subtype: 'bot_message',
      bot_id: 'B1',
      text: '',
      channel: 'C0ALERTS01',
      ts,
    };
    const body = event(message, 'EvTWICE');
    expect(await Promise.all([deliver({ body }), deliver({ body })])).toEqual([200, 200]);
    expect(await deliver({ body })).toBe(200);
    await until('its card is there', () => repliesTo(around, ts)[0]);
    await stillWorks();
    expect(repliesTo(around, ts).filter((m) => /Twice/.test(m.text)).length).toBeLessThanOrEqual(2);
    expect(
      repliesTo(around, ts).filter(
        (m) => /Filing|Investigating|Ready to fix|🔗 Symptom/u.test(wordsOf(m)) && m.blocks?.length,
      ),
    ).not.toHaveLength(0);
  });
});

describe('an alert', () => {
  it.each([
    ['of 40,000 characters', 'x'.repeat(39_000)],
    ['of emoji', '🔥'.repeat(600)],
    ['from right to left', 'خدمة الدفع متوقفة \u202e evil'],
    ['that wants to ping everybody', '<!channel> <@U0ALICE001> & <https://evil.example|ok>'],
  ])('%s is filed, and its card is safe', async (_what, words) => {
    const alert = alertmanagerAlert('LongStory');
    const [attachment] = alert.attachments ?? [];
    const { ts } = await around.workspace.post({
      ...alert,
      attachments: [{ ...Object(attachment), title: `[FIRING:1] LongStory ${words}`, text: words }],
    });
    const card = await until('its card is there', () => {
      const first = repliesTo(around, ts)[0];
      return first && /#\d/.test(first.text) ? first : null;
    });
    expect(wordsOf(card)).not.toMatch(/<!channel>|<@U0ALICE001>|<https:\/\/evil/);
  });
});
