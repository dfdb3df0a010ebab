import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { tablesOfProgram } from '../support/program-database.ts';
import { until } from '../support/until.ts';

const ALICE = 'U0ALICE001';
const BOB = 'U0BOB00001';

let around: Surroundings;
let bot: Bot;

beforeEach(async () => {
  around = await startSurroundings('socket');
  const { alerts, incidents } = around.workspace.channels;
  around.env.ALERT_CHANNELS = `${alerts},${incidents}`;
  bot = await startBotOn(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

function gumshoe(text: string, as = ALICE) {
  const channel = around.workspace.channels.general;
  return around.workspace.command({ as, channel, command: '/gumshoe', text });
}

function seenIn(where: 'general' | 'alerts' | 'incidents'): PageMessage[] {
  return around.workspace.messages(around.workspace.channels[where]);
}

function found(pattern: RegExp, where: 'general' | 'alerts' | 'incidents'): Promise<PageMessage> {
  const look = () => seenIn(where).find((message) => pattern.test(wordsOf(message)));
  return until(`somebody sees ${pattern} in ${where}`, look);
}

const told = (where: 'alerts' | 'incidents', pattern: RegExp) =>
  seenIn(where).filter((message) => pattern.test(message.text)).length;

it('an admin pauses filing everywhere; after a restart it is still paused, and resuming offers what came', async () => {
  await gumshoe('pause');
  expect(
    await found(/Filing is paused\. .* I have announced it in the 2 watched channels/, 'general'),
  ).toMatchObject({
    ephemeral_to: ALICE,
  });
  await found(new RegExp(`<@${ALICE}> paused filing in all channels`), 'alerts');
  await found(/paused filing in all channels/, 'incidents');

  const first = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  await bot.stop();
  bot = await startBotOn(around);
  const second = await around.workspace.post(alertmanagerAlert('DiskFull'));
  await gumshoe('pause');
  await found(new RegExp(`Filing is paused in all channels \\(by <@${ALICE}>, since `), 'general');
  expect(told('alerts', /paused filing/)).toBe(1);

  // What came just before the restart comes again some time after it.
  await until('both are kept', async () => {
    const { alerts = [] } = await tablesOfProgram(around);
    return alerts.filter((row) => Object(row).decision === 'held').length === 2;
  });
  for (const { ts } of [first, second]) {
    await until('its thread says so', () => repliesTo(around, ts).length > 0);
    expect(repliesTo(around, ts).map(({ text }) => text)).toEqual(['⏸️ On hold: filing is paused']);
  }
  await gumshoe('resume');
  await found(/Filing has resumed\. 2 alerts arrived in the meantime, in one channel/, 'general');
  await found(new RegExp(`<@${ALICE}> resumed filing.* 2 alerts arrived here in the meantime`), 'alerts');
  await found(/No alerts arrived here in the meantime/, 'incidents');
  const offer = await found(/HighErrorRate/, 'alerts').then(() => found(/File all/, 'alerts'));
  const block = (offer.blocks ?? []).map(Object).find(({ type }) => type === 'actions');
  const fileAll = block?.elements
    .map(Object)
    .find((element: { text: { text: string } }) => element.text.text.startsWith('File all'));
  const outcome = await around.workspace.action({
    as: BOB,
    channel: around.workspace.channels.alerts,
    message_ts: offer.ts,
    block_id: block?.block_id,
    action_id: fileAll?.action_id,
    value: fileAll?.value,
  });
  expect(outcome).toEqual({ ok: true });
  await until('both have their cards', () =>
    [first, second].every(({ ts }) =>
      repliesTo(around, ts).some((one) => /#\d .* checkout/.test(wordsOf(one))),
    ),
  );
  const third = await around.workspace.post(alertmanagerAlert('QueueBacklog'));
  await until('new alerts are filed again', () => repliesTo(around, third.ts)[0]);
});

it('nobody but an admin pauses or resumes; and what is not paused is not resumed', async () => {
  await gumshoe('pause', BOB);
  expect(await found(/Only admins can pause and resume/, 'general')).toMatchObject({ ephemeral_to: BOB });
  await gumshoe('resume');
  await found(/Filing is not paused/, 'general');
  const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  await until('it is filed', () => repliesTo(around, ts)[0]);
  expect(told('alerts', /paused/)).toBe(0);
});

it('ADMIN_USERS names further admins', async () => {
  await bot.stop();
  bot = await startBotOn(around, { env: { ADMIN_USERS: BOB } });
  await gumshoe('pause', BOB);
  await found(new RegExp(`<@${BOB}> paused filing`), 'alerts');
});
