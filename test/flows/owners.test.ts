import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { ALICE, BOB, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { patientServer } from '../support/patient-server.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let bot: Bot;
let views: ChannelViews;

beforeEach(async () => {
  around = await startSurroundings('socket');
  const { alerts, secrets, incidents } = around.workspace.channels;
  const file = join(around.folder, 'OWNERS');
  writeFileSync(file, `*  shop\npayments  team-payments  ${incidents}\n`);
  bot = await startBotOn(around, { env: { ALERT_CHANNELS: `${alerts},${secrets}`, OWNERS: file } });
  views = channelViews(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

const inIncidents = () =>
  around.workspace
    .messages(around.workspace.channels.incidents)
    .map(wordsOf)
    .filter((words) => /which owns this/u.test(words));

it('the card names who owns its service and what the verdict names; the owner is asked once', async () => {
  const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  const card = await views.seen(/Owner: shop[\s\S]+Owner of payments: team-payments · ask in/u, 'alerts', ts);
  await views.press('alerts', card, 'issue:ask-owner');
  await views.press('alerts', card, 'issue:ask-owner');
  await until('the owner is asked', () => inIncidents().length > 0);
  expect(inIncidents()).toEqual([
    expect.stringMatching(
      /#1 HighErrorRate[\s\S]+Root cause[\s\S]+Do first:[\s\S]+<@U0BOB00001> asks team-payments/u,
    ),
  ]);
  await views.seen(/was already asked in .+; it is not posted again/u, 'alerts', ts);
  expect(inIncidents()).toHaveLength(1);
});

it('the agent answers who is to be woken, with the owners of the issue', async () => {
  const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  await views.seen(/Owner: shop[\s\S]+Owner of payments: team-payments/u, 'alerts', ts);
  const { alerts: channel } = around.workspace.channels;
  const text = `<@${around.workspace.botUserId}> who do I wake?`;
  await around.workspace.post({ channel, user: 'U0BOB00001', thread_ts: ts, text });
  await until('the agent answers', () =>
    /shop\W* owns checkout[\s\S]+team-payments\W* owns payments\./u.test(
      repliesTo(around, ts).map(wordsOf).join('\n'),
    ),
  );
});

it('an issue of a private channel is not offered to, and does not go to, another channel', async () => {
  const { ts } = await around.workspace.post({ ...alertmanagerAlert('HighErrorRate'), channel: 'secrets' });
  const card = await views.seen(/Owner of payments/u, 'secrets', ts);
  expect(JSON.stringify(card.blocks)).not.toContain('issue:ask-owner');
  expect(inIncidents()).toEqual([]);
});

it('a page that two people press is one incident with the verdict and who pressed; it ends with the issue', async () => {
  const events: Record<string, unknown>[] = [];
  const pagerDuty = patientServer(async (request, response) => {
    const isPage = request.method === 'POST';
    if (isPage) events.push(Object(await json(request)));
    response
      .writeHead(isPage ? 202 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(isPage ? { status: 'success' } : { oncalls: [] }));
  });
  await new Promise<void>((resolve) => pagerDuty.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void pagerDuty.close());
  const address = pagerDuty.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const file = join(around.folder, 'OWNERS');
  writeFileSync(file, 'payments  team-payments  page:R0UTINGKEY\n');
  await bot.stop();
  bot = await startBotOn(around, {
    env: {
      ALERT_CHANNELS: around.workspace.channels.alerts,
      OWNERS: file,
      ONCALL: 'pagerduty',
      ONCALL_TOKEN: 'reads-only-token',
      ONCALL_URL: `http://127.0.0.1:${port}`,
    },
  });
  const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  const card = await views.seen(/Owner of payments: team-payments/u, 'alerts', ts);
  await Promise.all([ALICE, BOB].map((as) => views.press('alerts', card, 'issue:page', undefined, as)));
  await views.seen(/<@U0(?:ALICE001|BOB00001)> paged team-payments in PagerDuty/u, 'alerts', ts);
  expect(events).toEqual([
    expect.objectContaining({
      routing_key: 'R0UTINGKEY',
      event_action: 'trigger',
      payload: expect.objectContaining({
        summary: expect.stringContaining('HighErrorRate'),
        custom_details: expect.objectContaining({ 'line 1': expect.stringContaining('Root cause: ') }),
      }),
    }),
  ]);
  const now = await views.seen(/Owner of payments: team-payments/u, 'alerts', ts);
  await until('nobody is offered to be paged again', () =>
    repliesTo(around, ts).every((message) => !JSON.stringify(message.blocks ?? []).includes('issue:page')),
  );
  await views.press('alerts', now, 'issue:resolve');
  await views.seen(/The page of team-payments in PagerDuty was resolved with this issue/u, 'alerts', ts);
  expect(events.map(({ event_action, dedup_key }) => [event_action, dedup_key])).toEqual([
    ['trigger', events[0]?.dedup_key],
    ['resolve', events[0]?.dedup_key],
  ]);
});
