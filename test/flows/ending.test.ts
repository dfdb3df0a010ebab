import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

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

function say(text: string, as = ALICE) {
  const { channels } = around.workspace;
  return around.workspace.command({ as, channel: channels.alerts, command: '/issue', text });
}

function words(messages: readonly PageMessage[]): string {
  return messages.map(wordsOf).join('\n');
}

const inAlerts = () => words(around.workspace.messages(around.workspace.channels.alerts));

it('an incident ends with notes, the outcome on the alert and a write-up', async () => {
  const { channels } = around.workspace;
  const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  const thread = () => repliesTo(around, ts);
  await until('results are there', () => /Do first:/u.test(words(thread())));

  await say('1 note We rolled back *payments* at 14:20');
  await until('it is noted', () => /Noted: note 1 of #1/u.test(inAlerts()));
  await around.workspace.post({
    channel: channels.alerts,
    user: BOB,
    text: `<@${around.workspace.botUserId}> note: Canary & tests, says <@${ALICE}>, see <https://git.example/1|the PR>`,
    thread_ts: ts,
  });
  await until('the card shows both', () => {
    const card = words(thread().slice(0, 1));
    return (
      /1\. We rolled back ∗payments∗ at 14:20/u.test(card) &&
      /2\. Canary &amp; tests, says @alice, see the PR \(https:..git\.example.1\)/u.test(card)
    );
  });
  await say('1 note delete 2');
  await until('only its author may', () => /You have no note 2 on #1/u.test(inAlerts()));
  await say('1 note delete 2', BOB);
  await until('it is gone', () => !/Canary/u.test(words(thread().slice(0, 1))));

  await say('1 now', BOB);
  await until('whoever joins late is caught up, alone', () => {
    const caughtUp = around.workspace
      .messages(channels.alerts)
      .filter((message) => /Where #1 is now/u.test(wordsOf(message)));
    return (
      caughtUp.length === 1 &&
      caughtUp[0]?.ephemeral_to === BOB &&
      /We rolled back[\s\S]*For the status page/u.test(words(caughtUp))
    );
  });

  await say('resolve 1');
  await until('the alert shows the outcome', () => {
    const alert = around.workspace.messages(channels.alerts).find((message) => message.ts === ts);
    const names = (alert?.reactions ?? []).map(({ name }) => name);
    return names.includes('white_check_mark') && !names.includes('eyes');
  });

  await say('1 writeup');
  const file = await until('the write-up is in the thread', () =>
    thread()
      .flatMap(({ files = [] }) => files)
      .find(({ name }) => name === 'write-up-1.md'),
  );
  expect(file).toMatchObject({ name: 'write-up-1.md' });
});
