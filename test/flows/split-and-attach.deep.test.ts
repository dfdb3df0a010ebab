import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { corpusMessage, wordsOf } from '../support/alerts.ts';
import { BOB, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let bot: Bot;
let views: ChannelViews;

beforeEach(async () => {
  around = await startSurroundings('socket');
  bot = await startBotOn(around);
  views = channelViews(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

/** A monitor of Datadog's whose messages have one fingerprint, whatever they are called. */
function monitor(title: string, state = 'triggered') {
  const message = corpusMessage('datadog', `datadog-log-${state}`);
  return JSON.parse(JSON.stringify(message).replaceAll('Error logs high', title));
}

const cardOf = (ts: string) =>
  views.thread('alerts', ts)[0] ?? { type: 'message', channel: '', ts: '', text: '' };

it('Not the same splits off a repeat, the two stay apart, and Attach joins them again', async () => {
  const first = await around.workspace.post(monitor('Errors of checkout'));
  await views.seen(/#1 Errors of checkout/, 'alerts', first.ts);
  const other = await around.workspace.post(monitor('Errors of search'));
  await views.seen(/#1/, 'alerts', other.ts);
  expect(views.thread('alerts', other.ts)).toHaveLength(1);
  const counted = await views.seen(/Fired again 1 time/, 'alerts', first.ts);

  await views.press('alerts', counted, 'issue:more', /two problems/);
  const { modal } = await views.modal();
  expect(JSON.stringify(modal)).toContain('1. Errors of search');
  const channel = around.workspace.channels.alerts;
  const chosen = { repeat: { repeat: { selected_option: { value: `${channel}:${other.ts}` } } } };
  expect(await views.send(chosen)).toEqual({ ok: true });
  const own = await views.seen(/#2 Errors of search/, 'alerts', other.ts);
  expect(wordsOf(own)).toMatch(/Split off from #1/);
  expect(wordsOf(own)).toContain(`Filed by <@${BOB}>`);
  await until('the first counts it no more', () => !/Fired again/.test(wordsOf(cardOf(first.ts))));
  await views.seen(/Split off from this: #2/, 'alerts', first.ts);

  // Also after a restart, and through recoveries.
  await bot.stop();
  bot = await startBotOn(around);
  await around.workspace.post(monitor('Errors of search'));
  await views.seen(/Fired again 1 time/, 'alerts', other.ts);
  await around.workspace.post(monitor('Errors of search', 'recovered'));
  await views.seen(/The alert recovered/, 'alerts', other.ts);
  await around.workspace.post(monitor('Errors of checkout'));
  await views.seen(/Fired again 1 time/, 'alerts', first.ts);
  expect(wordsOf(cardOf(first.ts))).not.toMatch(/recovered/);

  const ready = await views.seen(/#2[\s\S]*Ready to fix/, 'alerts', other.ts);
  await views.press('alerts', ready, 'issue:attach-to');
  await views.seen(/Attached to #1; alerts count there/, 'alerts', other.ts);
  await views.seen(/✅ Resolved/, 'alerts', other.ts);
  await views.seen(/Fired again 3 times/, 'alerts', first.ts);
  await views.seen(/Attached to this: #2/, 'alerts', first.ts);
  await around.workspace.post(monitor('Errors of search'));
  await views.seen(/Fired again 4 times/, 'alerts', first.ts);
});

it('an issue is attached to another by its number, which is checked, and investigated again on request', async () => {
  const one = await around.workspace.post(monitor('Errors of checkout'));
  await views.seen(/#1[\s\S]*Ready to fix/, 'alerts', one.ts);
  await views.seen(/Results of/, 'alerts', one.ts);
  const two = await around.workspace.post(corpusMessage('uptime-kuma', 'uptime-kuma-down'));
  const card = await views.seen(/#2[\s\S]*(?:Ready to fix|🔗 Symptom)/u, 'alerts', two.ts);
  await views.press('alerts', card, 'issue:more', /same problem/);
  const typed = (value: string) => ({ number: { number: { value } } });
  expect(await views.send(typed('77'))).toMatchObject({
    ok: false,
    errors: { number: 'I did not file an issue #77. The number is on its card.' },
  });
  expect(await views.send(typed('#1'))).toEqual({ ok: true });
  await views.seen(/Attached to #1/, 'alerts', two.ts);

  await views.press(
    'alerts',
    await views.seen(/Attached to this: #2/, 'alerts', one.ts),
    'issue:more',
    /Investigate again/,
  );
  await views.seen(/had it investigated again/, 'alerts', one.ts);
  await views.seen(/Results of[\s\S]*· version 2/, 'alerts', one.ts);
});
