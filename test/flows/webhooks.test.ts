import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, corpusMessage, repliesTo, wordsOf } from '../support/alerts.ts';
import { ALICE } from '../support/channel-views.ts';
import { projectFile } from '../support/files.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let bot: Bot;

afterEach(async () => {
  await bot.stop();
  await around.close();
});

const Fixture = z.object({ payload: z.record(z.string(), z.unknown()) });

function payload(name: string): string {
  const text = projectFile(`test/bot/alerts/webhooks/fixtures/alertmanager/${name}.json`);
  return JSON.stringify(Fixture.parse(JSON.parse(text)).payload);
}

async function send(name: string, changed: (text: string) => string = (text) => text): Promise<number> {
  const response = await fetch(new URL('/alerts/alertmanager', bot.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer the-token' },
    body: changed(payload(name)),
  });
  return response.status;
}

it('an alert of a webhook becomes a message with 👀, card and results, and recovers; its Slack message is counted', async () => {
  around = await startSurroundings('socket');
  const { workspace } = around;
  const alerts = workspace.channels.alerts;
  const env = { ALERT_WEBHOOK_TOKEN: 'the-token', ALERT_ROUTES: `alertmanager->${alerts}` };
  bot = await startBotOn(around, { env });
  expect(await send('alertmanager-firing')).toBe(202);

  const posted = await until('the alert has its message', () => workspace.messages(alerts)[0]);
  const root = () => workspace.messages(alerts).find(({ ts }) => ts === posted.ts);
  expect(wordsOf(posted)).toContain('HighErrorRate');
  await until('the message has its reaction', () => root()?.reactions?.length);
  const thread = () => repliesTo(around, posted.ts);
  const card = await until('its card is in the thread', () => thread()[0]);
  expect(wordsOf(card)).toContain('checkout-api');
  await until('the results follow the card', () => thread()[1]);
  await until('the message ends with the verdict', () =>
    wordsOf(root() ?? posted).endsWith('🤷 No root cause found'),
  );

  await workspace.post(corpusMessage('alertmanager', 'alertmanager-default-firing'));
  await until('the Slack app’s message is counted', () =>
    /again|repeat|×/iu.test(wordsOf(thread()[0] ?? card)),
  );

  expect(await send('alertmanager-resolved')).toBe(202);
  await until('the message says that it recovered', () => {
    const message = root();
    return message !== undefined && /recovered/iu.test(wordsOf(message));
  });
  expect(workspace.messages(alerts)).toHaveLength(2);
});

it('where an alert fires anew, its new message says what was found and where, and the old one keeps its own', async () => {
  around = await startSurroundings('socket');
  const { workspace } = around;
  const { alerts } = workspace.channels;
  const env = { ALERT_WEBHOOK_TOKEN: 'the-token', ALERT_ROUTES: `alertmanager->${alerts}` };
  bot = await startBotOn(around, { env });
  const endsWith = (at: 0 | -1, end: RegExp) =>
    until(`message ${at} ends with ${end}`, () =>
      end.test(workspace.messages(alerts).map(wordsOf).at(at) ?? ''),
    );
  await send('alertmanager-firing');
  await endsWith(0, /🤷 No root cause found$/u);
  await send('alertmanager-resolved');
  await endsWith(0, /recovered/u);
  await workspace.command({ as: ALICE, channel: alerts, command: '/issue', text: 'resolve 1' });
  await until('it is resolved', () =>
    repliesTo(around, workspace.messages(alerts)[0]?.ts ?? '').some((one) =>
      /✅ Resolved/u.test(wordsOf(one)),
    ),
  );
  await send('alertmanager-firing', (text) =>
    text.replaceAll(/"startsAt":"[^"]+"/gu, '"startsAt":"2026-11-18T11:14:22.118Z"'),
  );
  await endsWith(-1, /🤷 No root cause found · <\S+\|#1>$/u);
  await endsWith(0, /🤷 No root cause found$/u);
  expect(repliesTo(around, workspace.messages(alerts).at(-1)?.ts ?? '')).toEqual([]);
});

it('a pipeline plans work by webhook: its alert is held, and filed at the end that the pipeline says', async () => {
  around = await startSurroundings('socket');
  const { workspace } = around;
  const { alerts } = workspace.channels;
  bot = await startBotOn(around, { env: { ALERT_WEBHOOK_TOKEN: 'the-token' } });
  const plan = async (body: unknown, token = 'the-token') => {
    const response = await fetch(new URL('/plans', bot.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return [response.status, await response.json()];
  };
  const work = { scope: ['checkout*'], title: 'deploy 7', id: 'build-7' };
  expect(await plan({ ...work, minutes: 60 }, 'another')).toMatchObject([401, {}]);
  expect(await plan({ minutes: 60 })).toEqual([422, { error: 'scope is missing' }]);
  expect(await plan({ ...work, minutes: 60 })).toEqual([
    202,
    { status: 'accepted', note: expect.stringContaining(alerts) },
  ]);
  const { ts } = await workspace.post(alertmanagerAlert('HighErrorRate'));
  const told = () => workspace.messages(alerts).map(wordsOf).join('\n');
  await until('its alert is held', () =>
    workspace
      .messages(alerts)
      .find((one) => one.ts === ts)
      ?.reactions?.some(({ name }) => name === 'double_vertical_bar'),
  );
  await until('the plan is announced with it', () => /webhook planned work on \*checkout∗\*/u.test(told()));
  expect(repliesTo(around, ts)).toEqual([]);
  expect(await plan({ ...work, until: '2000-01-01T00:00:00Z' })).toMatchObject([202, {}]);
  await until('what was still open is filed', () => repliesTo(around, ts).length > 0);
  await until('its end is told', () => /\(deploy 7\) is over: 1 alert fired meanwhile/u.test(told()));
});
