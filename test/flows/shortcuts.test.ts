import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { type ServiceProxy, startServiceProxy } from '../support/proxies/service-proxy.ts';
import { until } from '../support/until.ts';

const ALICE = 'U0ALICE001';
const BOB = 'U0BOB00001';
const GINA = 'U0GINA0001';

let around: Surroundings;
let proxy: ServiceProxy;
let bot: Bot;

beforeEach(async () => {
  around = await startSurroundings('socket');
  proxy = await startServiceProxy(around.service.url);
  bot = await startBotOn(around, { env: { ISSUE_SERVICE_URL: proxy.url } });
});

afterEach(async () => {
  await bot.stop();
  await proxy.close();
  await around.close();
});

type Where = keyof Surroundings['workspace']['channels'];

function seenIn(where: Where, ts?: string): PageMessage[] {
  return around.workspace.messages(around.workspace.channels[where], ts);
}

/** A message of the thread of another one, or of the channel, once somebody sees it. */
function found(pattern: RegExp, where: Where, ts?: string): Promise<PageMessage> {
  const look = () => seenIn(where, ts).find((message) => message.ts !== ts && pattern.test(wordsOf(message)));
  return until(`somebody sees ${pattern}`, look);
}

async function pick(callback_id: string, where: Where, ts: string, as = ALICE) {
  const channel = around.workspace.channels[where];
  expect(await around.workspace.shortcut({ as, callback_id, channel, message_ts: ts })).toEqual({ ok: true });
}

/** What stands in the window that somebody has open, once it is there. */
async function opened(as = ALICE): Promise<{ id: string; words: string }> {
  const { id, modal } = await until('a window opens', () => around.workspace.views(as).at(-1));
  return { id, words: JSON.stringify(modal.blocks) };
}

const typed = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value: { value } }]));

function eyesOn(where: Where, ts: string) {
  return until('it has a reaction', () =>
    seenIn(where).find((m) => m.ts === ts && (m.reactions ?? []).length > 0),
  );
}

describe('Investigate this', () => {
  it('on what a person wrote: the window is filled in, and what was typed is filed in that thread', async () => {
    const text = 'the shop feels slow since lunch, anybody?';
    const { ts } = await around.workspace.post({ channel: 'general', user: BOB, text });
    await pick('investigate_this', 'general', ts);
    const { id, words } = await opened();
    expect(words).toContain(text);
    const nothing = await around.workspace.submit({
      as: ALICE,
      view_id: id,
      values: typed({ title: '   ' }),
    });
    expect(nothing).toMatchObject({ ok: false, errors: { title: expect.stringMatching(/what is wrong/) } });
    const values = typed({ title: 'The shop is slow', service: 'checkout-api', environment: 'stg' });
    expect(await around.workspace.submit({ as: ALICE, view_id: id, values })).toEqual({ ok: true });
    const card = await found(/#1 The shop is slow/, 'general', ts);
    expect(wordsOf(card)).toMatch(/staging/);
    await eyesOn('general', ts);
    await found(/Results of/, 'general', ts);
    expect(around.workspace.views(ALICE)).toEqual([]);

    await pick('investigate_this', 'general', ts, BOB);
    expect((await opened(BOB)).words).toMatch(/#1> The shop is slow .*already covers this/u);
  });

  it('where Gumshoe is not in the channel comes as a direct message that says how to invite it', async () => {
    const { ts } = await around.workspace.post({
      ...alertmanagerAlert('HighErrorRate'),
      channel: 'payments',
    });
    await pick('investigate_this', 'payments', ts);
    await around.workspace.submit({ as: ALICE, view_id: (await opened()).id, values: {} });
    const inDm = () => around.workspace.messages('D0ALICE001');
    const card = await until('the card comes', () => inDm().find((m) => /#1 HighErrorRate/.test(wordsOf(m))));
    expect(wordsOf(card)).toContain('/invite');
    expect(seenIn('payments')).toHaveLength(1);
  });

  it('while the service is down is kept, and filed automatically once it is back', async () => {
    const { ts } = await around.workspace.post({ channel: 'general', user: BOB, text: 'search is odd' });
    proxy.fault = '500';
    await pick('investigate_this', 'general', ts);
    const values = typed({ title: 'Search is odd' });
    await around.workspace.submit({ as: ALICE, view_id: (await opened()).id, values });
    await found(/will keep trying to file this/, 'general', ts);
    proxy.fault = 'none';
    await found(/#1 Search is odd/, 'general', ts);
  });
});

describe('Why was this (not) filed?', () => {
  it('says what was read and decided, and in a channel that is not watched what would be', async () => {
    const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('it is filed', () => seenIn('alerts', ts).find((m) => /#1 HighErrorRate/.test(wordsOf(m))));
    await pick('why_filed', 'alerts', ts);
    expect((await opened()).words).toMatch(
      /✅ Filed.*a new alert.*#1> HighErrorRate.*Alertmanager.*Fingerprint/u,
    );

    const other = await around.workspace.post({ ...alertmanagerAlert('HighErrorRate'), channel: 'general' });
    await pick('why_filed', 'general', other.ts, BOB);
    expect((await opened(BOB)).words).toMatch(/Not processed.*not watched.*🔁 Repeat/u);
    expect(seenIn('general', other.ts)).toHaveLength(1);
  });
});

describe('🔍 on a message', () => {
  it('files it, in a channel that is not watched too; whoever does it again is told which issue it is', async () => {
    const { ts } = await around.workspace.post({ ...alertmanagerAlert('DiskFull'), channel: 'general' });
    const channel = around.workspace.channels.general;
    const mag = (as: string) =>
      around.workspace.react({ as, channel, message_ts: ts, name: 'mag', on: true });
    await mag(GINA);
    expect(await found(/Guests cannot use Gumshoe/, 'general')).toMatchObject({ ephemeral_to: GINA });
    await mag(ALICE);
    await found(/#1 DiskFull/, 'general', ts);
    await eyesOn('general', ts);
    await mag(BOB);
    expect(await found(/Already filed: .*#1/, 'general')).toMatchObject({ ephemeral_to: BOB });
    const cards = seenIn('general', ts).filter((m) => /#1 DiskFull/.test(wordsOf(m)));
    expect(cards).toHaveLength(1);
  });
});
