import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { wordsOf } from '../support/alerts.ts';
import { BOB, type ChannelViews, channelViews } from '../support/channel-views.ts';
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

/** What a homemade checker posts, in words that no format knows. */
function posts(text: string, username = 'sicherung') {
  return around.workspace.post({ channel: 'general', text, username });
}

const failed = (host: string) => `Sicherung von ${host} nicht gelaufen, Versuch 1`;
const done = (host: string) => `Sicherung von ${host} gelaufen in 3 Minuten`;

function gumshoe(text: string) {
  const { workspace } = around;
  return workspace.command({ as: BOB, channel: workspace.channels.general, command: '/gumshoe', text });
}

/** The form that BOB has open, once it says so. */
function form(says: RegExp) {
  return until(`the form says ${says}`, () => {
    const view = around.workspace.views(BOB).at(-1);
    return view !== undefined && says.test(JSON.stringify(view.modal.blocks)) ? view : undefined;
  });
}

async function press(view: Awaited<ReturnType<typeof form>>, action: string) {
  const blocks = (view.modal.blocks ?? []).map(Object);
  const block = blocks.find(({ elements = [] }) =>
    elements.some((one: { action_id?: string }) => one.action_id === action),
  );
  const element = block?.elements.map(Object).find((one: { action_id?: string }) => one.action_id === action);
  const pressed = { block_id: block?.block_id, action_id: action, value: element?.value };
  expect(await around.workspace.viewAction({ as: BOB, view_id: view.id, ...pressed })).toEqual({ ok: true });
}

it('a sender is known from the channel’s history, confirmed with one press, and read so from its first alert on', async () => {
  for (const host of ['db1', 'db2', 'db1']) for (const text of [failed(host), done(host)]) await posts(text);
  for (const day of ['Montag', 'Dienstag']) await posts(`Guten Morgen, heute ist ${day}`);
  await gumshoe('watch');
  const shown = await form(/8 messages, 3 kinds/);
  expect(wordsOf({ type: 'message', channel: '', ts: '', text: '', blocks: shown.modal.blocks })).toContain(
    '“Sicherung von … nicht gelaufen, Versuch 1” by name (db1, db2) reports a problem; “Sicherung von … gelaufen in 3 Minuten” ends it. *Right?*',
  );
  await press(shown, 'sender:confirm');
  await form(/Confirmed by/);
  expect(await views.send({})).toEqual({ ok: true });
  const { ts } = await posts(failed('db9'));
  await views.seen(/Sicherung von db9 nicht gelaufen/, 'general', ts);
  await posts(done('db9'));
  await views.seen(/The alert recovered/, 'general', ts);
  await gumshoe('');
  await until('it is exported', () =>
    around.workspace
      .messages(around.workspace.channels.general)
      .find((message) =>
        /ALERT_MAP_SICHERUNG='\{"messages":\{"problems":\[\{"trouble":\[\["sicherung von \{object\} nicht gelaufen versuch \*"\]\]/.test(
          wordsOf(message),
        ),
      ),
  );
});

it('a person says that messages are no alert, and which part is the object', async () => {
  const hostile = '<!channel> *alarm*';
  for (const at of [1, 2, 3]) await posts(`Error: job nightly of team-${at} failed with code 1`, hostile);
  await gumshoe('watch');
  const shown = await form(/messages/);
  expect(JSON.stringify(shown.modal.blocks)).not.toContain('<!channel>');
  await press(shown, 'sender:correct');
  const correcting = await form(/What tells problems apart/);
  const [field] = Object.keys(correcting.values).filter((name) => name.startsWith('is:'));
  expect(
    await views.send({ [field ?? '']: { [field ?? '']: { selected_option: { value: 'no_alert' } } } }),
  ).toEqual({
    ok: true,
  });
  await form(/None of them is an alert.*|Confirmed by/);
  expect(await views.send({})).toEqual({ ok: true });
  const { ts } = await posts('Error: job nightly of team-9 failed with code 1', hostile);
  const other = await posts('Error: job hourly is stuck', hostile);
  await views.seen(/job hourly is stuck/, 'general', other.ts);
  expect(views.thread('general', ts)).toEqual([]);
});
