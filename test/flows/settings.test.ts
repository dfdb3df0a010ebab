import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
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
type Values = Parameters<Surroundings['workspace']['submit']>[0]['values'];

function gumshoe(text: string, where: Where = 'general', as = BOB) {
  const channel = around.workspace.channels[where];
  return around.workspace.command({ as, channel, command: '/gumshoe', text });
}

function seenIn(where: Where): PageMessage[] {
  return around.workspace.messages(around.workspace.channels[where]);
}

function found(pattern: RegExp, where: Where = 'general'): Promise<PageMessage> {
  const look = () => seenIn(where).find((message) => pattern.test(wordsOf(message)));
  return until(`somebody sees ${pattern}`, look);
}

function repliesIn(where: Where, ts: string): PageMessage[] {
  return around.workspace.messages(around.workspace.channels[where], ts).slice(1);
}

/** The modal that somebody has open, once it is there. */
function opened(as = BOB) {
  return until('a window opens', () => around.workspace.views(as).at(-1));
}

/** Sends the open modal off, with what is changed in it. */
async function send(values: Values = {}, as = BOB) {
  const { id } = await opened(as);
  return around.workspace.submit({ as, view_id: id, values });
}

const typed = (name: string, value: string): Values => ({ [name]: { [name]: { value } } });
const chosen = (name: string, value: string): Values => ({
  [name]: { [name]: { selected_option: { value } } },
});
const pattern = (name: string, value: string): Values => ({ [name]: { 'settings:patterns': { value } } });

describe('/gumshoe watch', () => {
  it('opens the settings; sending them says so in the channel, and alerts are filed from then on', async () => {
    const before = await around.workspace.post({ ...alertmanagerAlert('HighErrorRate'), channel: 'general' });
    await gumshoe('watch');
    const { modal } = await opened();
    expect(modal).toMatchObject({ title: { text: 'Watch this channel' }, submit: { text: 'Watch' } });
    expect(await send()).toEqual({ ok: true });
    expect((await found(/turned on Gumshoe in this channel/)).text).toBe(
      `👀 <@${BOB}> turned on Gumshoe in this channel: new alerts are filed and investigated.`,
    );
    expect(around.workspace.views(BOB)).toEqual([]);
    const { ts } = await around.workspace.post({ ...alertmanagerAlert('DiskFull'), channel: 'general' });
    await until('the new alert has its card', () => repliesIn('general', ts)[0]);
    expect(repliesIn('general', before.ts)).toEqual([]);
  });

  it('where Gumshoe is not in the channel says how to invite it, and works once that is done', async () => {
    await gumshoe('watch', 'payments');
    const answer = await found(/I am not in/, 'payments');
    expect(answer).toMatchObject({ ephemeral_to: BOB });
    expect(wordsOf(answer)).toContain('`/invite @Gumshoe`');
    await around.workspace.invite('payments');
    await gumshoe('watch', 'payments');
    await send();
    await found(/turned on Gumshoe in this channel/, 'payments');
  });
});

describe('the settings of a channel', () => {
  it('are shown to whoever asks, changed in a modal, announced with what was before, and kept', async () => {
    await gumshoe('', 'alerts');
    const shown = await found(/I am watching .*: new alerts are filed/, 'alerts');
    expect(shown).toMatchObject({ ephemeral_to: BOB });
    expect(wordsOf(shown)).toContain('• budget: 10 new issues in 10 minutes');
    const block = (shown.blocks ?? []).map(Object).find(({ type }) => type === 'actions');
    await around.workspace.action({
      as: BOB,
      channel: around.workspace.channels.alerts,
      message_ts: shown.ts,
      block_id: block?.block_id,
      action_id: 'settings:open',
      value: around.workspace.channels.alerts,
    });
    const sent = await send({
      ...chosen('mode', 'suggest'),
      ...typed('environment', 'stg'),
      ...typed('coolDownMinutes', '5'),
    });
    expect(sent).toEqual({ ok: true });
    expect((await found(/changed Gumshoe’s settings here/, 'alerts')).text.split('\n')).toEqual([
      `⚙️ <@${BOB}> changed Gumshoe’s settings here:`,
      '• new alerts: suggest (was automatic)',
      '• environment: staging (was the default)',
      '• cool-down: 5 minutes (was 30 minutes)',
    ]);
    await gumshoe('watch', 'alerts');
    const { values } = await opened();
    expect(values).toMatchObject({
      mode: { mode: { selected_option: { value: 'suggest' } } },
      environment: { environment: { value: 'staging' } },
      coolDownMinutes: { coolDownMinutes: { value: '5' } },
    });
    const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('the alert has a File it button', () =>
      /File it/.test(repliesIn('alerts', ts).map(wordsOf).join()),
    );
  });

  it('say of a pattern while it is typed what is wrong, or what it matches; and again when it is sent', async () => {
    const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('it is filed', () => repliesIn('alerts', ts)[0]);
    await gumshoe('watch', 'alerts');
    const { id } = await opened();
    const type = (value: string, values: Values = {}) =>
      around.workspace.viewAction({
        as: BOB,
        view_id: id,
        block_id: 'exclude',
        action_id: 'settings:patterns',
        state: { value },
        values,
      });
    const note = (words: RegExp) =>
      until(`the window says ${words}`, () =>
        words.test(JSON.stringify(around.workspace.views(BOB).at(-1)?.modal)),
      );
    await type('/high(/', typed('environment', 'half-typed'));
    await note(/not a valid regular expression/);
    expect((await opened()).values).toMatchObject({ environment: { environment: { value: 'half-typed' } } });
    expect(await send(pattern('exclude', '/high(/'))).toMatchObject({
      ok: false,
      errors: { exclude: expect.stringMatching(/not a valid regular expression/) },
    });
    await type('/high.*rate/\nalertmanager\nnothing like it');
    await note(/“\/high\.\*rate\/” matches 1 of 1 message here/);
    await note(/“alertmanager” matches 1 of 1 message/);
    await note(/“nothing like it” matches 0 of 1 message/);
    await send(pattern('exclude', '/high.*rate/'));
    await found(/exclude: “\/high\.\*rate\/” \(was nothing\)/, 'alerts');
    const next = await around.workspace.post(alertmanagerAlert('HighErrorRate', 'search-api'));
    const other = await around.workspace.post(alertmanagerAlert('DiskFull'));
    await until('the other alert has its card', () => repliesIn('alerts', other.ts)[0]);
    expect(repliesIn('alerts', next.ts)).toEqual([]);
  });
});

describe('/gumshoe unwatch', () => {
  it('asks first, then says in the channel that alerts are not filed any more', async () => {
    await gumshoe('unwatch', 'alerts');
    const { modal, id } = await opened();
    expect(modal).toMatchObject({ submit: { text: 'Stop watching' } });
    await around.workspace.closeView({ as: BOB, view_id: id });
    const first = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('nothing has stopped', () => repliesIn('alerts', first.ts)[0]);
    await gumshoe('unwatch', 'alerts');
    await send();
    await found(/turned off Gumshoe in this channel/, 'alerts');
    const second = await around.workspace.post(alertmanagerAlert('DiskFull'));
    await gumshoe('', 'alerts');
    await found(/I am not watching/, 'alerts');
    expect(repliesIn('alerts', second.ts)).toEqual([]);
  });
});
