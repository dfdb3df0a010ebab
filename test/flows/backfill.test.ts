import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/compose.ts';
import type { PageMessage } from '../../src/sandbox/workspace/page-api.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const ALICE = 'U0ALICE001';

let around: Surroundings;
let bot: Bot | null = null;

beforeEach(async () => {
  around = await startSurroundings('socket', { retryDelays: [50, 50, 50] });
});

afterEach(async () => {
  await bot?.stop();
  bot = null;
  await around.close();
});

async function start(): Promise<void> {
  bot = await startBotOn(around);
}

async function stop(): Promise<void> {
  await bot?.stop();
  bot = null;
}

/** Long enough for the workspace to give an event up. */
function untilForgotten(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_000));
}

function own(ts: string): PageMessage[] {
  return repliesTo(around, ts).filter((message) => message.user === around.workspace.botUserId);
}

function cardOf(ts: string): string {
  const [card] = own(ts);
  return card === undefined ? '' : wordsOf(card);
}

function recovered(name: string) {
  const { text, attachments } = alertmanagerAlert(name);
  const changed = JSON.stringify({ text, attachments })
    .replaceAll('[FIRING:1]', '[RESOLVED]')
    .replaceAll('danger', 'good');
  return JSON.parse(changed);
}

describe('while Gumshoe is down', () => {
  it('alerts, a repeat, a recovery by edit and a reply come: after the start all stands as if it had been there', async () => {
    await start();
    const before = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    const { ts: asked } = await around.workspace.post({
      channel: 'general',
      user: ALICE,
      text: `<@${around.workspace.botUserId}> what is open?`,
    });
    const thread = () => around.workspace.messages(around.workspace.channels.general, asked).slice(1);
    await until('the card is ready', () => /Ready to fix/.test(cardOf(before.ts)));
    await until(
      'the question is answered',
      () => thread().length === 1 && !/thinking|▍/.test(thread().map(wordsOf).join()),
    );
    await stop();

    const names = ['DiskFull', 'PodCrashLooping', 'HighLatency', 'QueueBacklog', 'CertExpiring'];
    const missed: string[] = [];
    for (const name of names) missed.push((await around.workspace.post(alertmanagerAlert(name))).ts);
    const repeat = await around.workspace.post(alertmanagerAlert('DiskFull'));
    await around.workspace.edit({ channel: 'alerts', ts: before.ts, ...recovered('HighErrorRate') });
    await around.workspace.post({
      channel: 'general',
      user: ALICE,
      thread_ts: asked,
      text: 'is checkout well?',
    });
    await untilForgotten();
    const words = cardOf(before.ts);

    await start();
    for (const ts of missed) await until('each has its card', () => /Ready to fix/.test(cardOf(ts)));
    await until('the repeat is counted', () => /[Rr]epeated|again/.test(cardOf(missed[0] ?? '')));
    await until('the recovery is noted', () => /recovered/.test(cardOf(before.ts)));
    await until('the reply is answered', () => thread().length === 3);
    expect(words).not.toMatch(/recovered/);
    expect(own(repeat.ts)).toEqual([]);
    await stop();
    const cards = missed.map((ts) => own(ts).length);
    await start();
    await untilForgotten();
    expect(missed.map((ts) => own(ts).length)).toEqual(cards);
    expect(thread()).toHaveLength(3);
  }, 120_000);
});
