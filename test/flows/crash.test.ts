import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import type { PageMessage } from '../../src/sandbox/workspace/page-api.ts';
import { createServiceClient } from '../../src/service/client.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Child, startChild, untilSays } from '../support/child.ts';
import { SERVICE_KEY, type Surroundings, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const NOTHING: PageMessage = { type: 'message', channel: '', ts: '', text: 'thinking' };
let around: Surroundings;
let child: Child | null = null;

beforeEach(async () => {
  around = await startSurroundings('socket');
});

afterEach(async () => {
  child?.process.kill('SIGKILL');
  await child?.ended;
  await around.close();
});

async function issuesAtService(): Promise<{ number: number; title: string }[]> {
  const client = createServiceClient({
    url: around.service.url,
    apiKey: SERVICE_KEY,
    version: '2026-03-17',
    clock: systemClock,
  });
  const issues = [];
  for await (const { number, title } of client.issues.list({})) issues.push({ number, title });
  await client.close();
  return issues;
}

async function start(killAt: string | null): Promise<Child> {
  const started = startChild('test/support/killable.ts', {
    ...around.env,
    LOG_LEVEL: 'warn',
    ...(killAt === null ? {} : { KILL_AT: killAt }),
  });
  child = started;
  await untilSays(started, /started http/);
  return started;
}

/** Every step on the way of an alert, in its order. */
const STEPS = [
  'inbox: before store',
  'inbox: stored',
  'inbox: done',
  'create: before send',
  'create: sent',
  'create: recorded',
  'card: before send',
  'card: sent',
  'card: recorded',
  'watch: results fetched',
  'watch: recorded',
  'result: before send',
  'result: sent',
  'result: recorded',
];

describe('a process that is killed with SIGKILL', () => {
  it.each(STEPS)('at "%s" leaves one issue, one card and one result after the restart', async (step) => {
    const first = await start(step);
    const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    expect(await first.ended).toBe('SIGKILL');

    await start(null);
    const own = () => repliesTo(around, ts).filter((m) => m.user === around.workspace.botUserId);
    await until('card and results stand in the thread', () => {
      const replies = own();
      return replies.length >= 2 && /Ready to fix/.test(wordsOf(replies[0] ?? NOTHING)) ? replies : null;
    });
    // What would be a second post comes within the next ticks.
    await new Promise((resolve) => setTimeout(resolve, 2_500));

    expect(await issuesAtService()).toEqual([
      { number: 1, title: 'HighErrorRate checkout-api (prod shop eu-west-1 critical)' },
    ]);
    const texts = own().map((message) => message.text);
    expect(texts.filter((text) => /Ready to fix/.test(text))).toHaveLength(1);
    expect(new Set(texts).size).toBe(texts.length);
    expect(around.workspace.messages(around.workspace.channels.alerts)).toHaveLength(1);
  });

  it('while the agent answers asks again, and the question has one answer', async () => {
    const first = await start('answer: before send');
    const { ts } = await around.workspace.post({
      channel: 'general',
      user: 'U0ALICE001',
      text: `<@${around.workspace.botUserId}> what is open?`,
    });
    expect(await first.ended).toBe('SIGKILL');

    await start(null);
    const replies = () => around.workspace.messages(around.workspace.channels.general, ts).slice(1);
    await until(
      'the answer is there',
      () => replies()[0] && !/thinking/.test(wordsOf(replies()[0] ?? NOTHING)),
    );
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(replies()).toHaveLength(1);
  });
});
