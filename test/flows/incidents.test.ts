import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { ALICE, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let bot: Bot;
let views: ChannelViews;

beforeEach(async () => {
  around = await startSurroundings('socket');
  const { alerts, secrets } = around.workspace.channels;
  bot = await startBotOn(around, { env: { ALERT_CHANNELS: `${alerts},${secrets}` } });
  views = channelViews(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

/** An alert whose investigation has ended; answers its `ts`. */
async function investigated(name: string, channel: 'alerts' | 'secrets' = 'alerts'): Promise<string> {
  const { ts } = await around.workspace.post({ ...alertmanagerAlert(name), channel });
  await views.seen(/Root cause|symptom of/, channel, ts);
  return ts;
}

const isVisible = (message: PageMessage) => message.ephemeral_to === undefined;

it('alerts of one cause are one incident: one thread has the verdict, the others say so, and resolving it resolves all', async () => {
  const first = await investigated('HighErrorRate');
  const second = await investigated('CheckoutLatency');
  const card = await views.seen(
    /#2 CheckoutLatency[\s\S]+A symptom of <\S+\|#1> HighErrorRate/,
    'alerts',
    second,
  );
  expect(wordsOf(card)).toMatch(/🔗 Symptom/);
  const folded = await views.seen(/a symptom of #1[\s\S]+Show its own result/, 'alerts', second);
  expect(wordsOf(folded)).not.toMatch(/Do first|Evidence ·|Root cause/);
  await views.seen(/2 alerts: .+ \(#2\) · 2 still firing/, 'alerts', first);
  const full = await views.seen(/Do first/, 'alerts', first);
  expect(wordsOf(full)).not.toContain('symptom of');

  await views.press('alerts', folded, 'issue:everything');
  expect(JSON.stringify((await views.modal()).modal.blocks)).toContain('Bad deploy of payments');

  const say = (text: string) =>
    around.workspace.command({
      as: ALICE,
      channel: around.workspace.channels.alerts,
      command: '/issue',
      text,
    });
  await say('resolve 1');
  await views.seen(/✅ Resolved[\s\S]+/, 'alerts', second);

  // Asked for in either thread, the write-up is of both.
  await say('2 writeup');
  const file = await until(
    'the write-up is in the thread',
    () => views.thread('alerts', second).flatMap(({ files = [] }) => files)[0],
  );
  const text = around.workspace.fileBytes(file.id)?.toString() ?? '';
  expect(text).toMatch(/^# Write-up of #1 and #2: HighErrorRate/);
  expect(text).toMatch(
    /## Issues\n\n- \[#1\]\(http\S+\) HighErrorRate.+\n- \[#2\]\(http\S+\) CheckoutLatency/,
  );
});

it('an issue of a private channel is not named elsewhere, and each channel has its full result', async () => {
  const there = await investigated('HighErrorRate', 'secrets');
  const here = await investigated('CheckoutLatency');
  await views.seen(/Do first/, 'alerts', here);
  const again = await investigated('CartErrors', 'secrets');
  await views.seen(/A symptom of <\S+\|#1> HighErrorRate/, 'secrets', again);
  await views.seen(/2 alerts: .+ \(#3\)/, 'secrets', there);
  const said = views.thread('alerts', here).filter(isVisible).map(wordsOf).join('\n');
  expect(said).not.toMatch(/symptom of|HighErrorRate|#1|#3/);
});
