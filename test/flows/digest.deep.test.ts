import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { BOB, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const HOUR = 3_600_000;
const DIGEST = /📊 \*Digest\*/u;

let around: Surroundings;
let bot: Bot | null = null;
let views: ChannelViews;
/** So many times as fast as the machine, since the bot looks for digests that are due every five seconds. */
const PACE = 3;
/** How far the bot's clock is ahead of the workspace's. */
let ahead = 0;
const clock: Clock = {
  now: () => around.clock.now() + ahead,
  sleep: (ms, signal) => around.clock.sleep(ms, signal),
};

beforeEach(async () => {
  ahead = 0;
  around = await startSurroundings('socket', { pace: PACE });
  views = channelViews(around);
});

afterEach(async () => {
  await bot?.stop();
  bot = null;
  await around.close();
});

type Where = keyof Surroundings['workspace']['channels'];

function gumshoe(text: string, where: Where = 'alerts') {
  const channel = around.workspace.channels[where];
  return around.workspace.command({ as: BOB, channel, command: '/gumshoe', text });
}

function inChannel(pattern: RegExp, where: Where = 'alerts'): PageMessage[] {
  return around.workspace
    .messages(around.workspace.channels[where])
    .filter((message) => pattern.test(wordsOf(message)));
}

function found(pattern: RegExp, where: Where = 'alerts'): Promise<PageMessage> {
  return until(`somebody sees ${pattern}`, () => inChannel(pattern, where)[0]);
}

/** Sends the digest's window off with every day and this time. */
async function setDaily(time: string): Promise<void> {
  const selected_options = ['1', '2', '3', '4', '5', '6', '7'].map((value) => ({ value }));
  await gumshoe('digest');
  const sent = await views.send({
    days: { days: { selected_options } },
    time: { time: { selected_time: time } },
  });
  expect(sent).toEqual({ ok: true });
}

/** When the next digest is due, as the window says (milliseconds). */
async function nextAt(): Promise<number> {
  await gumshoe('digest');
  const { modal, id } = await views.modal();
  const [, seconds] = /Next one: <!date\^(\d+)/u.exec(JSON.stringify(modal)) ?? [];
  await around.workspace.closeView({ as: BOB, view_id: id });
  return Number(seconds) * 1000;
}

/** What would be a second post comes within this time. */
const aWhile = () => around.clock.sleep(7_000);

describe('the digest of a channel', () => {
  it('is set in a window, announced, comes when it is due, and is turned off', async () => {
    bot = await startBotOn(around, { clock });
    const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('it is investigated', () => /Ready to fix/.test(repliesTo(around, ts).map(wordsOf).join()));
    await setDaily('09:30');
    const set = await found(/set this channel’s digest/);
    expect(set.text).toBe(`📊 <@${BOB}> set this channel’s digest: every day at 09:30 (Etc/UTC).`);
    ahead = (await nextAt()) + 1_000 - around.clock.now();
    const digest = await found(DIGEST);
    expect(digest.text).toBe('Digest: 1 open, 1 new, 0 resolved');
    expect(wordsOf(digest)).toMatch(/\*New\*\n• <[^|>]*\/archives\/[^|>]*\|#1> HighErrorRate/u);
    expect(wordsOf(digest)).not.toContain('comes late');
    await gumshoe('digest off');
    await found(/turned off this channel’s digest/);
    await gumshoe('audit');
    const history = await found(/Changes to Gumshoe’s settings/);
    expect(wordsOf(history)).toMatch(/set the digest of [\s\S]*turned off the digest of /u);
  });

  it('that was missed while Gumshoe was down comes once, late, and says so', async () => {
    bot = await startBotOn(around, { clock });
    await setDaily('09:30');
    const due = await nextAt();
    await bot.stop();
    ahead = due + 50 * HOUR - around.clock.now();
    bot = await startBotOn(around, { clock });
    const digest = await found(DIGEST);
    expect(wordsOf(digest)).toContain(`Late: it was due <!date^${due / 1000}^`);
    await aWhile();
    await bot.stop();
    bot = await startBotOn(around, { clock });
    await aWhile();
    expect(inChannel(DIGEST)).toHaveLength(1);
    expect(await nextAt()).toBe(due + 72 * HOUR);
  });

  it('is sent at once from its window, once, and tells nothing of a private channel', async () => {
    bot = await startBotOn(around);
    const secret = around.workspace.channels.secrets;
    const text = 'the secret database is slow';
    await around.workspace.command({ as: BOB, channel: secret, command: '/investigate', text });
    await found(/the secret database is slow/, 'secrets');
    await around.workspace.command({
      as: BOB,
      channel: around.workspace.channels.general,
      command: '/investigate',
      text: 'checkout is slow',
    });
    await found(/#2 checkout is slow/, 'general');
    await gumshoe('digest', 'general');
    const press = async () => {
      const { id, modal } = await views.modal();
      const block = modal.blocks.map(Object).find(({ type }) => type === 'actions');
      return around.workspace.viewAction({
        as: BOB,
        view_id: id,
        block_id: block?.block_id,
        action_id: 'digest:send-now',
      });
    };
    expect(await press()).toEqual({ ok: true });
    const digest = await found(DIGEST, 'general');
    await until('the window says so', () =>
      /On its way/.test(JSON.stringify(around.workspace.views(BOB).at(-1)?.modal)),
    );
    await press();
    await aWhile();
    expect(inChannel(DIGEST, 'general')).toHaveLength(1);
    expect(digest.text).toBe('Digest: 1 open, 1 new, 0 resolved');
    expect(wordsOf(digest)).toContain(`Requested by <@${BOB}>`);
    expect(wordsOf(digest)).not.toMatch(/secret|#1\b/u);
    await gumshoe('digest now', 'secrets');
    expect(wordsOf(await found(DIGEST, 'secrets'))).toContain('the secret database is slow');
  });
});
