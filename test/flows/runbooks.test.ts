import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert } from '../support/alerts.ts';
import { type ChannelViews, channelViews } from '../support/channel-views.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';

let around: Surroundings;
let bot: Bot;
let views: ChannelViews;

beforeEach(async () => {
  around = await startSurroundings('socket');
  const folder = join(around.folder, 'runbooks');
  mkdirSync(folder);
  writeFileSync(join(folder, 'HighErrorRate.md'), '# Errors\n1. Check the error rate.\n2. Ask the owner.\n');
  writeFileSync(join(folder, 'inventory.md'), '# Of another service\n1. Count.\n');
  bot = await startBotOn(around, {
    env: { ALERT_CHANNELS: around.workspace.channels.alerts, RUNBOOKS: folder },
  });
  views = channelViews(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

it('the card has the alert’s own link, and the results the steps of its runbook with what is read already', async () => {
  const { attachments: [attachment] = [], ...alert } = alertmanagerAlert('HighErrorRate');
  const fields = [{ title: 'Runbook', value: '<https://wiki.example/errors>', short: false }];
  const { ts } = await around.workspace.post({
    ...alert,
    attachments: [Object.assign({ fields }, attachment)],
  });
  await views.seen(/Runbook: <https:\/\/wiki\.example\/errors>/u, 'alerts', ts);
  const results = await views.seen(/Root cause/u, 'alerts', ts);
  const words = JSON.stringify(results.blocks);
  expect(words).toMatch(/Runbook · Errors · 2 steps · evidence for 1/u);
  expect(words).toMatch(/1\. Check the error rate\.\\n↳ _In evidence:_ checkout-api error rate: Peak/u);
  expect(words).not.toContain('Of another service');
});
