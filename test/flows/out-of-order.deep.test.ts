import { join } from 'node:path';
import type { PostInput } from 'local-slack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { slackTs, timeOfTs } from '../../src/bot/slack/timestamp.ts';
import { ChannelSettings } from '../../src/bot/store/channel-settings.ts';
import { openStore } from '../../src/bot/store/open.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { ALICE, BOB, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { issuesOf, untilHandled, untilQuiet } from '../support/end-state.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { type Delivery, type DeliveryProxy, startDeliveryProxy } from '../support/proxies/delivery-proxy.ts';
import { until } from '../support/until.ts';

/** Slack sends an event again until it is taken. */
const RETRIES = Array<number>(600).fill(100);

let around: Surroundings;
let proxy: DeliveryProxy;
let bot: Bot;
let views: ChannelViews;

beforeAll(async () => {
  around = await startSurroundings('http', { retryDelays: RETRIES });
  const { channels } = around.workspace;
  const store = await openStore({ file: join(around.folder, 'gumshoe.db'), clock: systemClock });
  const settings = {
    incidents: { budget: { issues: 1, minutes: 60 } },
    secrets: { mode: 'suggest', namedElsewhere: { by: 'U0BOB00001', at: 0 } },
  };
  const since = slackTs(systemClock.now());
  await store.channels.watch(channels.incidents, ChannelSettings.parse(settings.incidents), since);
  await store.channels.watch(channels.secrets, ChannelSettings.parse(settings.secrets), since);
  await store.close();
  proxy = await startDeliveryProxy(around.workspace.signingSecret);
  views = channelViews(around);
  bot = await startBotOn(around);
  proxy.forwardTo(`${bot.url}/slack/events`);
  around.workspace.setDelivery(proxy.url);
});

afterAll(async () => {
  await bot.stop();
  await proxy.close();
  await around.close();
});

const eventsOf = (ts: string) => proxy.deliveries.filter(({ payload }) => payload.event?.ts === ts);
const idOf = (delivery: Delivery | undefined) => delivery?.payload.event_id ?? '';

/**
 * The first message is kept out until everything that is done after it has been handled; then Slack sends it again, and
 * that is handled too.
 */
async function overtaken(first: PostInput, then: (ts: string) => Promise<unknown>): Promise<string> {
  const began = proxy.deliveries.length;
  let late = '';
  proxy.fate = ({ payload: { event } }) =>
    event !== undefined && (event.ts === late || late === '') ? 'is blocked' : 'passes';
  const { ts } = await around.workspace.post(first);
  late = ts;
  const firstOnes = await until('it came', () => {
    const came = eventsOf(ts);
    return came.length > 0 && came;
  });
  await then(ts);
  const others = await until('the others came', () => {
    const events = proxy.deliveries.slice(began).filter(({ payload }) => payload.event?.type !== undefined);
    const after = events.filter(({ payload }) => payload.event?.ts !== ts);
    return after.length > 0 && after;
  });
  for (const other of others) await untilHandled(around, idOf(other));
  proxy.fate = () => 'passes';
  // Where nothing is watched, only the mention of a message that mentions the bot is stored.
  const mentions = firstOnes.filter(({ payload }) => payload.event?.type === 'app_mention');
  for (const one of mentions.length > 0 ? mentions : firstOnes) await untilHandled(around, idOf(one));
  expect(eventsOf(ts).at(-1)?.headers).toHaveProperty('x-slack-retry-num');
  return ts;
}

const firing = (name: string, channel = 'alerts', service?: string) => ({
  ...alertmanagerAlert(name, service),
  channel,
});
/** The same alert, over. */
const over = (name: string, channel = 'alerts'): PostInput =>
  JSON.parse(JSON.stringify(firing(name, channel)).replaceAll('[FIRING:1]', '[RESOLVED]'));

async function issuesNamed(name: string): Promise<number> {
  await untilQuiet(around);
  return (await issuesOf(around)).filter(({ title }) => title.includes(name)).length;
}

/** What the bot says at the top of a channel. */
function atTheTop(where: 'alerts' | 'incidents'): string[] {
  const { workspace } = around;
  const all = workspace.messages(workspace.channels[where]);
  return all.filter(({ user }) => user === workspace.botUserId).map(wordsOf);
}

describe('deliveries that come in another order end as if they had come in theirs', () => {
  it('a recovery before its alert: one issue, which has recovered', async () => {
    const ts = await overtaken(firing('BeforeIt'), () => around.workspace.post(over('BeforeIt')));
    await views.seen(/#\d+ BeforeIt[\s\S]*The alert recovered/, 'alerts', ts);
    expect(await issuesNamed('BeforeIt')).toBe(1);
  });

  it('a tool’s reply before the alert that it is under: one issue, which has recovered', async () => {
    const ts = await overtaken(firing('UnderIt'), (thread_ts) =>
      around.workspace.post({ ...over('UnderIt'), thread_ts }),
    );
    await views.seen(/#\d+ UnderIt[\s\S]*The alert recovered/, 'alerts', ts);
    expect(await issuesNamed('UnderIt')).toBe(1);
  });

  it('a link’s preview before its original: one issue, which fires', async () => {
    const ts = await overtaken(firing('PreviewOfIt'), (edited) =>
      around.workspace.edit({ channel: 'alerts', ts: edited, text: 'see the runbook', unfurl: true }),
    );
    const card = await views.seen(/#\d+ PreviewOfIt/, 'alerts', ts);
    expect(await issuesNamed('PreviewOfIt')).toBe(1);
    expect(wordsOf(card)).not.toMatch(/recovered/);
  });

  it('a deletion before its original: it is investigated all the same, and nothing stands outside of its thread', async () => {
    await overtaken(firing('DeletedIt'), (deleted) => around.workspace.remove('alerts', deleted));
    await until('it is investigated', async () => (await issuesNamed('DeletedIt')) === 1);
    await untilQuiet(around);
    expect(atTheTop('alerts')).toEqual([]);
  });

  it('a 🔍 before the message that it is put on: one issue', async () => {
    const ts = await overtaken(firing('LookAtIt'), (message_ts) =>
      around.workspace.react({
        as: BOB,
        channel: around.workspace.channels.alerts,
        message_ts,
        name: 'mag',
        on: true,
      }),
    );
    await views.seen(/#\d+ LookAtIt/, 'alerts', ts);
    expect(await issuesNamed('LookAtIt')).toBe(1);
    expect(views.thread('alerts', ts).filter((one) => /Fired again/.test(wordsOf(one)))).toEqual([]);
  });

  it('a recovery before its alert, where that is only suggested: nothing offers to file it', async () => {
    const ts = await overtaken(firing('SuggestIt', 'secrets'), () =>
      around.workspace.post(over('SuggestIt', 'secrets')),
    );
    expect(await issuesNamed('SuggestIt')).toBe(0);
    expect(views.thread('secrets', ts)).toEqual([]);
  });

  it('a recovery before its alert, where that is held back: it is told as recovered, and is not filed', async () => {
    // A symptom of what is open in #alerts would not use up the budget.
    await around.workspace.post(firing('UsesUpTheBudget', 'incidents', 'newsletter'));
    expect(await until('it is filed', async () => (await issuesNamed('UsesUpTheBudget')) === 1)).toBe(true);
    await overtaken(firing('HoldIt', 'incidents'), () => around.workspace.post(over('HoldIt', 'incidents')));
    await until('it is told', () => /Recovered on their own[\s\S]*HoldIt/.test(atTheTop('incidents').join()));
    expect(atTheTop('incidents').join()).not.toMatch(/File all/);
    expect(await issuesNamed('HoldIt')).toBe(0);
  });

  it('a reply before the mention that it goes on from: both are answered', async () => {
    const question = `<@${around.workspace.botUserId}> why is checkout slow?`;
    const ts = await overtaken({ channel: 'general', user: ALICE, text: question }, async (thread_ts) => {
      await around.workspace.post({ channel: 'general', user: ALICE, text: 'and payments too?', thread_ts });
      await until('nobody would have replied sooner', () => Date.now() - timeOfTs(thread_ts) > 1_000);
    });
    const answers = () =>
      views.thread('general', ts).filter(({ user }) => user === around.workspace.botUserId);
    await until('both are answered', () => answers().length === 2);
    await untilQuiet(around);
    expect(answers()).toHaveLength(2);
  });
});
