import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

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

function seen() {
  return around.workspace.messages(around.workspace.channels.alerts);
}

/** What BOB is told below what was there. */
async function hygiene() {
  const before = seen().length;
  const channel = around.workspace.channels.alerts;
  await around.workspace.command({ as: BOB, channel, command: '/gumshoe', text: 'hygiene' });
  return until('it is answered', () =>
    seen()
      .slice(before)
      .find((message) => wordsOf(message).includes('in the last 14 days')),
  );
}

it('shows the person who asks how often each alert of the channel fired, in lines where Slack takes no tables', async () => {
  await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  await until('it is filed', () => (seen()[0]?.reply_count ? true : null));
  await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  await around.workspace.post(alertmanagerAlert('DiskFull'));
  await until('both are filed', () => seen().filter((m) => m.reply_count).length === 2);
  const answer = await hygiene();
  expect(answer.ephemeral_to).toBe(BOB);
  expect(wordsOf(answer)).toMatch(/3 firings of 2 rules/);
  const table = (answer.blocks ?? []).map(Object).find(({ type }) => type === 'data_table');
  // One may be found to be a symptom of the other by then: that is a column of its own, the last.
  const firstFour = (cells: { text: string }[]) => cells.slice(0, 4).map(({ text }) => text);
  expect(table?.rows.map(firstFour)).toEqual([
    ['Rule', 'Fired', 'Issues', 'Nobody acted'],
    ['HighErrorRate', '2', '1', '1'],
    ['DiskFull', '1', '1', '1'],
  ]);
  expect(wordsOf(answer)).toMatch(/replay HighErrorRate/);
  around.workspace.setFaults({ refusedBlocks: ['data_table'] });
  expect(wordsOf(await hygiene())).toMatch(/\*HighErrorRate\* fired 2 times, 1 issue: nobody acted on it/);
});
