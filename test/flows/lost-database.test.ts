import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { ALICE, BOB, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

/** In no private channel, and no admin; BOB is in #secrets, and Alice is the workspace's admin. */
const CAROL = 'U0CAROL001';

let around: Surroundings;
let bot: Bot;
let views: ChannelViews;

beforeEach(async () => {
  around = await startSurroundings('socket');
  const { alerts, secrets } = around.workspace.channels;
  around.env.ALERT_CHANNELS = [alerts, secrets].join(',');
  bot = await startBotOn(around);
  views = channelViews(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

/** The next thing that somebody alone is told in #general, after they wrote a command there. */
async function told(as: string, command: string, text: string): Promise<string> {
  const channel = around.workspace.channels.general;
  const theirs = () => around.workspace.messages(channel).filter((message) => message.ephemeral_to === as);
  const before = theirs().length;
  expect(await around.workspace.command({ as, channel, command, text })).toMatchObject({ ok: true });
  const answer = await until(`${as} is answered to ${command} ${text}`, () => theirs()[before]);
  return wordsOf(answer);
}

it('after the database is lost, what was filed from a private channel is for its members and for admins', async () => {
  const { ts } = await around.workspace.post({ ...alertmanagerAlert('HushHush'), channel: 'secrets' });
  await views.seen(/#1[\s\S]*Ready to fix/, 'secrets', ts);
  const open = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  await views.seen(/#2[\s\S]*Ready to fix/, 'alerts', open.ts);
  await bot.stop();
  bot = await startBotOn(around, { env: { DATABASE_URL: `sqlite:${join(around.folder, 'new.db')}` } });

  const refused = '#1 is visible only to members of its channel and to admins.';
  for (const text of ['1', 'results 1', 'resolve 1', 'mute 1', 'reopen 1', 'ready 1']) {
    const answer = await told(CAROL, '/issue', text);
    expect(answer).toContain(refused);
    expect(answer).not.toContain('HushHush');
  }
  const list = await told(CAROL, '/issue', 'list');
  expect(list).toContain('#2');
  expect(list).not.toMatch(/#1\b|HushHush/u);
  expect(await told(CAROL, '/issue', '2')).toContain('HighErrorRate');

  for (const person of [BOB, ALICE]) {
    expect(await told(person, '/issue', '1')).toContain('HushHush');
    expect(await told(person, '/issue', 'list')).toContain('HushHush');
  }
  expect(await told(BOB, '/issue', 'resolve 1')).toMatch(/#1 .*HushHush.* is now ✅ Resolved/u);
});

it('a private channel in trouble is named to its members and to admins, and to no stranger', async () => {
  const { secrets } = around.workspace.channels;
  const { ts } = await around.workspace.post({ ...alertmanagerAlert('HushHush'), channel: 'secrets' });
  await views.seen(/#1[\s\S]*Ready to fix/, 'secrets', ts);
  await around.workspace.archive('secrets');
  await around.workspace.command({ as: ALICE, channel: secrets, command: '/issue', text: 'resolve 1' });
  const text = async (path: string) => (await fetch(`${bot.url}${path}`)).text();
  await until('it is known', async () => (await text('/readyz')).includes('cannot post in 1 channel'));
  for (const path of ['/readyz', '/metrics', '/healthz']) expect(await text(path)).not.toContain(secrets);
  expect(await told(CAROL, '/gumshoe', 'status')).not.toContain(secrets);
  expect(await told(BOB, '/gumshoe', 'status')).toContain(secrets);
  expect(await told(ALICE, '/gumshoe', 'status')).toContain(secrets);
});
