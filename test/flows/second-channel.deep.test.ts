import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { ALICE, BOB, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

type Where = keyof Surroundings['workspace']['channels'];

let around: Surroundings;
let bot: Bot;
let views: ChannelViews;

beforeEach(async () => {
  around = await startSurroundings('socket');
  const { alerts, incidents, secrets } = around.workspace.channels;
  bot = await startBotOn(around, { env: { ALERT_CHANNELS: [alerts, incidents, secrets].join(',') } });
  views = channelViews(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

/** Everything that the app has said in a channel and under a message there, as it stands. */
function everythingIn(where: Where, ts: string): string {
  const channel = around.workspace.channels[where];
  return JSON.stringify([around.workspace.messages(channel), views.thread(where, ts)]);
}

describe('the same alert in a second channel', () => {
  it('gets a short card that is kept current and leads to the issue, and the verdict', async () => {
    const first = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await views.seen(/#1 HighErrorRate/, 'alerts', first.ts);
    const second = await around.workspace.post({
      ...alertmanagerAlert('HighErrorRate'),
      channel: 'incidents',
    });
    const card = await views.seen(/belongs to issue #1 in/, 'incidents', second.ts);
    expect(wordsOf(card)).toContain(`<#${around.workspace.channels.alerts}>`);
    expect(wordsOf(card)).toContain('Open thread');
    const verdict = await views.seen(/Results of \*#1\*/, 'incidents', second.ts);
    expect(wordsOf(verdict)).toMatch(/Root cause|Nothing found/);
    expect(wordsOf(verdict)).toContain('Full results');
    await around.workspace.post({ ...alertmanagerAlert('HighErrorRate'), channel: 'incidents' });
    await views.seen(/Fired here 2 times/, 'incidents', second.ts);
    await views.seen(/Fired again 2 times/, 'alerts', first.ts);

    const ready = await views.seen(/Ready to fix/, 'incidents', second.ts);
    await views.press('incidents', ready, 'issue:resolve');
    await views.seen(/✅ Resolved/, 'alerts', first.ts);
    await views.seen(/✅ Resolved/, 'incidents', second.ts);
    // The card, and the verdict: one each.
    expect(views.thread('incidents', second.ts)).toHaveLength(2);
  });

  it('posted in both at the same moment makes one issue', async () => {
    const alert = alertmanagerAlert('HighErrorRate');
    const [a, b] = await Promise.all([
      around.workspace.post(alert),
      around.workspace.post({ ...alert, channel: 'incidents' }),
      around.workspace.post(alert),
    ]);
    await until('both threads have a card of the one issue', () => {
      const words = [...views.thread('alerts', a.ts), ...views.thread('incidents', b.ts)].map(wordsOf);
      return words.filter((text) => /#1 HighErrorRate/.test(text)).length === 2;
    });
    await until('the other two are counted', () =>
      [...views.thread('alerts', a.ts), ...views.thread('incidents', b.ts)].some((m) =>
        /Fired again 2 times/.test(wordsOf(m)),
      ),
    );
  });
});

describe('an issue of a private channel', () => {
  const hidden = /zebra|C0SECRETS1|secrets|U0BOB00001/i;

  it('shows nothing of itself in another channel but its number, status and verdict', async () => {
    const secret = alertmanagerAlert('HighErrorRate');
    const about = { title: 'zebra', fallback: 'zebra' };
    const attachments = (secret.attachments ?? []).map((one) => ({ ...Object(one), text: about.title }));
    const first = await around.workspace.post({ ...secret, channel: 'secrets', attachments });
    await views.seen(/#1 HighErrorRate/, 'secrets', first.ts);
    const second = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    const card = await views.seen(/belongs to issue #1 in a private channel/, 'alerts', second.ts);
    expect(wordsOf(card)).toContain('HighErrorRate');
    await views.seen(/Results of \*#1\*/, 'alerts', second.ts);
    const home = await views.seen(/Ready to fix/, 'secrets', first.ts);
    await views.press('secrets', home, 'issue:resolve');
    await views.seen(/✅ Resolved/, 'alerts', second.ts);
    expect(everythingIn('alerts', second.ts)).not.toMatch(hidden);
    // What would have found it: the private channel itself says it all.
    expect(everythingIn('secrets', first.ts)).toMatch(hidden);

    const general = around.workspace.channels.general;
    await around.workspace.command({ as: ALICE, channel: general, command: '/issue', text: '1' });
    const shown = await until('the issue is shown', () => around.workspace.messages(general)[0]);
    expect(wordsOf(shown)).toMatch(/Issue #1[\s\S]*private channel/);
    expect(JSON.stringify(shown)).not.toMatch(/HighErrorRate|zebra|secrets|U0BOB00001/i);
  });
});

it('results are shown in the channel too where its settings say so, once, also after a restart', async () => {
  const { workspace } = around;
  const channel = workspace.channels.incidents;
  await workspace.command({ as: BOB, channel, command: '/gumshoe', text: 'watch' });
  const broadcast = { broadcast: { broadcast: { selected_options: [{ value: 'yes' }] } } };
  expect(await views.send(broadcast)).toEqual({ ok: true });
  const { ts } = await workspace.post({ ...alertmanagerAlert('DiskFull'), channel: 'incidents' });
  await views.seen(/Results of/, 'incidents', ts);
  const shown = () => workspace.messages(channel).filter((message) => /Results of/.test(wordsOf(message)));
  await until('the results stand in the channel', () => shown().length === 1);
  await bot.stop();
  bot = await startBotOn(around, { env: { ALERT_CHANNELS: channel } });
  const replies = views.thread('incidents', ts).length;
  await workspace.post({ ...alertmanagerAlert('DiskFull'), channel: 'incidents' });
  await views.seen(/Fired again 1 time/, 'incidents', ts);
  expect(shown()).toHaveLength(1);
  expect(views.thread('incidents', ts)).toHaveLength(replies);
});
