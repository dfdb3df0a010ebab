import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { ALICE, BOB, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let bot: Bot;
let views: ChannelViews;

beforeEach(async () => {
  around = await startSurroundings('socket');
  bot = await startBotOn(around);
  views = channelViews(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

type Where = keyof Surroundings['workspace']['channels'];

function gumshoe(text: string, where: Where = 'alerts', as = BOB) {
  const channel = around.workspace.channels[where];
  return around.workspace.command({ as, channel, command: '/gumshoe', text });
}

function told(pattern: RegExp, where: Where = 'alerts', to = BOB): Promise<PageMessage> {
  return until(`${to} is told ${pattern}`, () =>
    around.workspace
      .messages(around.workspace.channels[where])
      .find((message) => message.ephemeral_to === to && pattern.test(wordsOf(message))),
  );
}

it('an issue’s history says who did what, to the asker only', async () => {
  const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  const card = await views.seen(/#1[\s\S]*Ready to fix/, 'alerts', ts);
  await views.press('alerts', card, 'issue:resolve', undefined, ALICE);
  await views.seen(/✅ Resolved/, 'alerts', ts);
  await gumshoe('audit 1');
  const history = await told(/History of/);
  expect(wordsOf(history)).toMatch(
    new RegExp(
      `filed automatically from Alertmanager’s alert\n• <!date[^>]*> · <@${ALICE}> resolved it`,
      'u',
    ),
  );
  await gumshoe('audit 77');
  await told(/I have no history for #77/);
});

it('the history of an issue in a private channel is told only there', async () => {
  const channel = around.workspace.channels.secrets;
  const text = 'the secret database is slow';
  await around.workspace.command({ as: BOB, channel, command: '/investigate', text });
  await until('it is filed', () =>
    around.workspace.messages(channel).find((message) => /#1 the secret/.test(wordsOf(message))),
  );
  await gumshoe('audit 1', 'general');
  const answer = await told(/#1/, 'general');
  expect(wordsOf(answer)).not.toContain('database');
  expect(wordsOf(answer)).toContain('its history is only shown there');
  await gumshoe('audit 1', 'secrets');
  expect(wordsOf(await told(/History of/, 'secrets'))).toContain(`<@${BOB}> filed it`);
});

it('the status tells everybody of the channel, and admins of Slack, the service and the queue', async () => {
  const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  await views.seen(/#1[\s\S]*Ready to fix/, 'alerts', ts);
  await gumshoe('status');
  const part = wordsOf(await told(/Gumshoe is up/));
  expect(part).toContain('• Watched: new alerts are picked up\n• 1 open issue\n• Budget: 1 of 10 new issues');
  expect(part).not.toContain('Slack: connected');
  await gumshoe('status', 'alerts', ALICE);
  const whole = wordsOf(await told(/Gumshoe is up/, 'alerts', ALICE));
  expect(whole).toMatch(/• Slack: connected since <!date/);
  expect(whole).toMatch(/• Investigation service, issues: up, last called <!date/);
  expect(whole).toMatch(/• Investigations: last polled <!date/);
  expect(whole).toMatch(/• Version \d+\.\d+\.\d+, running since/);
});
