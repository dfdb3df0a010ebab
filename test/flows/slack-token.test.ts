import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Child, startChild, untilSays } from '../support/child.ts';
import { type Surroundings, startSurroundings } from '../support/program.ts';
import { tablesOfProgram } from '../support/program-database.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let child: Child;

beforeEach(async () => {
  around = await startSurroundings('socket');
  await start();
});

afterEach(async () => {
  child.process.kill('SIGKILL');
  await child.ended;
  await around.close();
});

async function start(): Promise<void> {
  child = startChild('src/main.ts', { ...around.env, LOG_LEVEL: 'info' });
  await untilSays(child, /Gumshoe is running/);
}

const finished = (error: string) =>
  `Slack rejected SLACK_BOT_TOKEN (${error}). Open your app at https://api.slack.com/apps, check that it is installed ` +
  'in the workspace, copy the token again, and restart.';

const shown = (ts: string) =>
  until('its issue is ready to fix', () =>
    repliesTo(around, ts).some((message) => /Ready to fix/.test(wordsOf(message))),
  );

describe('a token that Slack takes no longer', () => {
  it.each(['token_revoked', 'account_inactive'])(
    '(%s) ends the program with what to do; nothing is given up, and the next start does it once',
    async (error) => {
      const { ts: before } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
      await shown(before);
      around.workspace.refuseToken(error);
      const { ts } = await around.workspace.post(alertmanagerAlert('DiskFull'));
      expect(await child.ended).toBe(1);
      expect(child.output()).toContain(finished(error));
      const { outbox, inbox } = await tablesOfProgram(around);
      const waits = { state: expect.not.stringMatching('dead') };
      for (const row of [...(outbox ?? []), ...(inbox ?? [])]) expect(row).toMatchObject(waits);

      around.workspace.refuseToken(null);
      await start();
      await shown(ts);
      const cards = repliesTo(around, ts).filter((message) => /Ready to fix/.test(wordsOf(message)));
      expect(cards).toHaveLength(1);
    },
  );

  it.each(['app_uninstalled', 'tokens_revoked'] as const)(
    'is known at once by the event %s',
    async (event) => {
      around.workspace.refuseToken('account_inactive', event);
      expect(await child.ended).toBe(1);
      expect(child.output()).toContain(finished('account_inactive'));
    },
  );
});

it('a token that is refused once and taken all the same ends nothing', async () => {
  around.workspace.refuseToken('invalid_auth');
  around.workspace.refuseToken(null, 'tokens_revoked');
  await untilSays(child, /still accepts it/);
  const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  await shown(ts);
  expect(child.process.exitCode).toBe(null);
});
