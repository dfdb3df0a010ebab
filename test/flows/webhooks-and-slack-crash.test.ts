import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { corpusMessage, wordsOf } from '../support/alerts.ts';
import { type Child, KILLABLE, startChild, untilSays } from '../support/child.ts';
import { projectFile } from '../support/files.ts';
import { startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const FIXTURE = 'test/bot/alerts/webhooks/fixtures/alertmanager/alertmanager-firing.json';
const { payload } = z.looseObject({ payload: z.unknown() }).parse(JSON.parse(projectFile(FIXTURE)));

/** An alert that a tool tells by webhook and by its Slack app, to a program that is killed at a step in between. */
async function play(first: 'webhook' | 'slack', killAt: string) {
  const around = await startSurroundings('socket');
  onTestFinished(() => around.close());
  const { alerts } = around.workspace.channels;
  let child: Child | null = null;
  onTestFinished(async () => {
    child?.process.kill('SIGKILL');
    await child?.ended;
  });
  const start = async (at: string) => {
    const env = {
      ALERT_WEBHOOK_TOKEN: 'the-token',
      ALERT_ROUTES: `*->${alerts}`,
      LOG_LEVEL: 'warn',
      KILL_AT: at,
    };
    child = startChild(KILLABLE, { ...around.env, ...env });
    const [, url = ''] = await untilSays(child, /started (http\S+)/u);
    return { child, url };
  };
  const tell = {
    webhook: async (url: string) => {
      const response = await fetch(new URL('/alerts/alertmanager', url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer the-token' },
        body: JSON.stringify(payload),
      });
      expect(response.status).toBe(202);
    },
    slack: async () => {
      await around.workspace.post(corpusMessage('alertmanager', 'alertmanager-default-firing'));
    },
  };

  const killed = await start(killAt);
  // A busy machine may kill it before its answer is sent; the webhook is stored by then.
  const told = tell[first](killed.url).catch((error: unknown) => {
    if (!isCut(error)) throw error;
  });
  expect(await killed.child.ended).toBe('SIGKILL');
  await told;
  const { url } = await start('never');
  await tell[first === 'webhook' ? 'slack' : 'webhook'](url);

  const cards = () =>
    around.workspace
      .messages(alerts)
      .flatMap(({ ts }) => around.workspace.messages(alerts, ts).slice(1))
      .map(wordsOf)
      .filter((words) => /#\d+ /u.test(words));
  await until('the later one is counted', () => cards().some((words) => /Fired again 1 time/u.test(words)));
  const numbers = new Set(cards().flatMap((words) => words.match(/#\d+ /gu) ?? []));
  const threads = around.workspace.messages(alerts).filter(({ reply_count }) => reply_count);
  return { numbers: [...numbers], threads: threads.length };
}

/** What `fetch` rejects with where the connection ended without an answer. */
function isCut(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error && 'code' in error.cause;
}

it.each([
  ['webhook', 'webhook: alert received'],
  ['webhook', 'webhook: decided'],
  ['webhook', 'create: sent'],
  ['slack', 'inbox: stored'],
  ['slack', 'create: sent'],
  ['slack', 'card: sent'],
] as const)(
  'an alert by %s first, killed at “%s”, and then by the other way is one issue and one card',
  async (first, step) => {
    expect(await play(first, step)).toEqual({ numbers: ['#1 '], threads: 1 });
  },
);
