import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, corpusMessage, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { tablesOfProgram } from '../support/program-database.ts';
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

type Where = keyof Surroundings['workspace']['channels'];

function seenIn(where: Where): PageMessage[] {
  return around.workspace.messages(around.workspace.channels[where]);
}

async function dryRun(where: Where, words = ''): Promise<void> {
  const channel = around.workspace.channels[where];
  await around.workspace.command({ as: BOB, channel, command: '/gumshoe', text: `dry-run ${words}` });
}

function found(pattern: RegExp, where: Where): Promise<PageMessage> {
  const look = () => seenIn(where).find((message) => pattern.test(wordsOf(message)));
  return until(`somebody sees ${pattern}`, look);
}

/** The rows of the table in a message, each as its words. */
function rowsOf(message: PageMessage): string[] {
  const table = (message.blocks ?? []).map(Object).find(({ type }) => type === 'data_table');
  return (table?.rows ?? []).map((cells: unknown[]) =>
    cells
      .map((cell) =>
        [...JSON.stringify(cell).matchAll(/"text":"([^"]*)"/g)]
          .map(([, t]) => t)
          .join('')
          .trim(),
      )
      .join(' | '),
  );
}

/** What the bot has stored, except that there was a command, who sent it, and that the program is alive. */
async function stored() {
  const { inbox: _, replicas: __, allowances: ___, ...tables } = await tablesOfProgram(around);
  // On PostgreSQL, the back-fill of the start begins once the replica leads.
  const channels = tables.channels?.map(({ gap_from: ____, ...channel }) => channel);
  const flags = tables.flags?.filter(({ name }) => name !== 'unheard');
  return { ...tables, channels, flags };
}

describe('/gumshoe dry-run', () => {
  it('shows, to the person who asks, what would become of a channel that is not watched yet', async () => {
    const post = (message: object) => around.workspace.post({ text: '', ...message, channel: 'general' });
    await post(alertmanagerAlert('HighErrorRate'));
    await post(alertmanagerAlert('HighErrorRate'));
    await post({ user: BOB, text: 'lunch?' });
    await post(corpusMessage('jenkins', 'jenkins-failure'));
    await until(
      'the back-fill of the start is done',
      async () => !/"gap_from":"/.test(JSON.stringify((await tablesOfProgram(around)).channels)),
    );
    const before = await stored();
    await dryRun('general');
    const answer = await found(/Dry run over the last 4 messages/, 'general');
    expect(answer.ephemeral_to).toBe(BOB);
    expect(wordsOf(answer)).toMatch(
      /2 would be filed, 1 repeat, 1 without an alert.*files nothing.*\n.*not watched/,
    );
    expect(rowsOf(answer)).toEqual([
      'Message | Tool | Read as | Decision | Reason | Issue',
      expect.stringMatching(/ \| Jenkins \| firing .*\| filed \| a new alert \| new 2$/),
      'lunch? | – | – | no alert | the message reports no problem | –',
      'HighErrorRate checkout-api (prod shop eu-west-1 critical) | Alertmanager | firing · high · checkout-api | repeat | the same alert already has an open issue | new 1',
      'HighErrorRate checkout-api (prod shop eu-west-1 critical) | Alertmanager | firing · high · checkout-api | filed | a new alert | new 1',
    ]);
    expect(await stored()).toEqual(before);
    expect(seenIn('general')).toHaveLength(5);
  });

  it('names the issues that there are, and takes as many messages as it is told', async () => {
    await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('it is filed', () => (seenIn('alerts')[0]?.reply_count ? true : null));
    await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await around.workspace.post(alertmanagerAlert('DiskFull'));
    await until('both are filed', () => seenIn('alerts').filter((m) => m.reply_count).length === 2);
    await dryRun('alerts', '2');
    const answer = await found(/Dry run over the last 2 messages/, 'alerts');
    expect(rowsOf(answer).slice(1)).toEqual([
      expect.stringMatching(/^DiskFull.* \| filed as #2 \| a new alert \| #2$/),
      expect.stringMatching(/^HighErrorRate.* \| repeat \| .* \| #1$/),
    ]);
  });
});
