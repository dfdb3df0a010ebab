import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type ChannelViews, channelViews } from '../support/channel-views.ts';
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
  await views.seen(/asked in .+ before; it is not posted again/u, 'alerts', ts);
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
