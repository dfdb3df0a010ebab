import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const Row = z.looseObject({
  type: z.literal('actions'),
  block_id: z.string(),
  elements: z.array(z.looseObject({ action_id: z.string(), value: z.string().optional() })),
});
const ALICE = 'U0ALICE001';
const BOB = 'U0BOB00001';

let around: Surroundings;
let bot: Bot;

beforeEach(async () => {
  around = await startSurroundings('socket');
  bot = await startBotOn(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

it('asks once, on the card of a resolved issue, whether the root cause was right, and keeps the answer through a restart', async () => {
  const { workspace } = around;
  const channel = workspace.channels.alerts;
  const { ts } = await workspace.post(alertmanagerAlert('HighErrorRate'));
  const thread = () => repliesTo(around, ts);
  const card = () => thread()[0];
  const words = () => thread().slice(0, 1).map(wordsOf).join('');
  await until('results are there', () => /Do first:/u.test(thread().map(wordsOf).join('\n')));
  expect(words()).not.toContain('Was the root cause right?');
  const press = (id: string, as: string) => {
    const rows = z.array(Row).parse((card()?.blocks ?? []).filter((one) => Row.safeParse(one).success));
    const row = rows.find(({ elements }) => elements.some(({ action_id }) => action_id === id));
    const value = row?.elements.find(({ action_id }) => action_id === id)?.value;
    const message_ts = card()?.ts ?? '';
    return workspace.action({ as, channel, message_ts, block_id: row?.block_id ?? '', action_id: id, value });
  };
  await press('issue:resolve', ALICE);
  await until('it asks', () => words().includes('Was the root cause right?'));
  await press('issue:said-no', BOB);
  await until('it is kept', () => words().includes(`Root cause: it was not that, said <@${BOB}>`));
  expect(words()).not.toContain('Was the root cause right?');

  await bot.stop();
  bot = await startBotOn(around);
  await workspace.command({ as: ALICE, channel, command: '/gumshoe', text: 'record' });
  const answer = await until('the record is shown', () =>
    workspace.messages(channel).find((message) => wordsOf(message).includes('My record in')),
  );
  expect(answer.ephemeral_to).toBe(ALICE);
  expect(wordsOf(answer)).toMatch(/#1\n[\s\S]*somebody said so[\s\S]*answered: 1 wrong/u);

  // A channel is named as people type it: Slack makes a mention of it.
  const { general } = workspace.channels;
  await workspace.command({ as: ALICE, channel: general, command: '/gumshoe', text: 'record #alerts' });
  const there = await until('the record of the other channel is shown', () =>
    workspace.messages(general).find((message) => wordsOf(message).includes('My record in')),
  );
  expect(wordsOf(there)).toContain(`<#${channel}>`);
});
