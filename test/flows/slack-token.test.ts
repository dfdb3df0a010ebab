import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { tablesOfProgram } from '../support/program-database.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let bot: Bot;
/** The sentences with which the program ends: each part that Slack refuses brings one. */
let refusals: Set<string>;
let log: string;

beforeEach(async () => {
  around = await startSurroundings('socket');
  log = '';
  await start();
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

async function start(): Promise<void> {
  refusals = new Set();
  bot = await startBotOn(around, {
    onTerminal: (sentence) => void refusals.add(sentence),
    lines: {
      write: (line) => {
        log += line;
      },
    },
  });
}

/** Stops in order once Slack has refused it, as the program does. */
async function untilRefused(): Promise<string[]> {
  await until('Slack refuses the token', () => refusals.size > 0);
  await bot.stop();
  return [...refusals];
}

const rejected = (error: string) =>
  `Slack rejected SLACK_BOT_TOKEN (${error}). Open your app at https://api.slack.com/apps, check that it is installed ` +
  'in the workspace, copy the token again, and restart.';

const shown = (ts: string) =>
  until('its issue is ready to fix', () =>
    repliesTo(around, ts).some((message) => /Ready to fix|🔗 Symptom/u.test(wordsOf(message))),
  );

describe('a token that Slack no longer accepts', () => {
  it.each(['token_revoked', 'account_inactive'])(
    '(%s) ends the program with what to do; nothing is given up, and the next start does it once',
    async (error) => {
      const { ts: before } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
      await shown(before);
      around.workspace.refuseToken(error);
      const { ts } = await around.workspace.post(alertmanagerAlert('DiskFull'));
      expect(await untilRefused()).toEqual([rejected(error)]);
      const { outbox, inbox } = await tablesOfProgram(around);
      const waits = { state: expect.not.stringMatching('dead') };
      for (const row of [...(outbox ?? []), ...(inbox ?? [])]) expect(row).toMatchObject(waits);

      around.workspace.refuseToken(null);
      await start();
      await shown(ts);
      const cards = repliesTo(around, ts).filter((message) =>
        /Ready to fix|🔗 Symptom/u.test(wordsOf(message)),
      );
      expect(cards).toHaveLength(1);
    },
  );

  it.each(['app_uninstalled', 'tokens_revoked'] as const)(
    'is known at once by the event %s',
    async (event) => {
      around.workspace.refuseToken('account_inactive', event);
      expect(await untilRefused()).toEqual([rejected('account_inactive')]);
    },
  );
});

it('a token that is refused once and accepted all the same ends nothing', async () => {
  around.workspace.refuseToken('invalid_auth');
  around.workspace.refuseToken(null, 'tokens_revoked');
  await until('the log says so', () => /still accepts it/.test(log));
  const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  await shown(ts);
  expect([...refusals]).toEqual([]);
});
