import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { actionIds } from '../../src/bot/render/action-ids.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { ALICE, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { issuesOf, untilQuiet } from '../support/end-state.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { type Delivery, type DeliveryProxy, startDeliveryProxy } from '../support/proxies/delivery-proxy.ts';
import { type SocketProxy, sentAgain, startSocketProxy } from '../support/proxies/socket-proxy.ts';
import { until } from '../support/until.ts';

/** Slack sends an event again until it is taken. */
const RETRIES = Array<number>(600).fill(100);
/** A lost answer is noticed after so long; what is merely slow is sent again, which changes nothing. */
const ACK_TIMEOUT_MS = 10_000;

type Where = keyof Surroundings['workspace']['channels'];

/** What the program has said in a channel and in its threads, each message once. */
function said({ workspace }: Surroundings, where: Where, words: RegExp): string[] {
  const channel = workspace.channels[where];
  const roots = workspace.messages(channel);
  const all = roots.flatMap(({ ts }) => workspace.messages(channel, ts));
  const own = [...roots, ...all].filter(({ user }) => user === workspace.botUserId);
  const once = new Map(own.map((message) => [message.ts, wordsOf(message)]));
  return [...once.values()].filter((text) => words.test(text));
}

/** A card once its investigation is over: alerts after the first are symptoms of it. */
const INVESTIGATED = 'Ready to fix|🔗 Symptom';
/** The message of an investigation's result; a symptom's names the issue that leads. */
const RESULT = /Results of|^#\d+ .*: a symptom of #\d+/mu;

/** The cards of an issue by its title, wherever they stand. */
function cards(around: Surroundings, where: Where, title: string): string[] {
  return said(around, where, new RegExp(`#\\d+ ${title}`)).filter((text) => !RESULT.test(text));
}

/** Waits until the results of so many investigations stand in a thread. */
async function untilResults(views: ChannelViews, where: Where, ts: string, count: number): Promise<void> {
  const results = () => views.thread(where, ts).filter((message) => RESULT.test(wordsOf(message)));
  await until(`${count} investigations are over`, () => results().length === count);
}

async function issuesNamed(around: Surroundings, words: string): Promise<number[]> {
  const issues = await issuesOf(around);
  return issues.filter(({ title }) => title.includes(words)).map(({ versions }) => versions);
}

function mention({ workspace }: Surroundings, words: string) {
  return workspace.post({ channel: 'general', user: ALICE, text: `<@${workspace.botUserId}> ${words}` });
}

function command({ workspace }: Surroundings, name: string, text: string) {
  return workspace.command({ as: ALICE, channel: workspace.channels.general, command: name, text });
}

describe('over signed HTTP, a delivery that comes more than once', () => {
  let around: Surroundings;
  let proxy: DeliveryProxy;
  let bot: Bot;
  let views: ChannelViews;

  async function start(): Promise<void> {
    bot = await startBotOn(around);
    proxy.forwardTo(`${bot.url}/slack/events`);
    around.workspace.setDelivery(proxy.url);
  }

  beforeAll(async () => {
    around = await startSurroundings('http', { retryDelays: RETRIES, ackTimeoutMs: ACK_TIMEOUT_MS });
    proxy = await startDeliveryProxy(around.workspace.signingSecret);
    views = channelViews(around);
    await start();
  });

  beforeEach(() => {
    proxy.fate = () => 'passes';
  });

  afterAll(async () => {
    await bot.stop();
    await proxy.close();
    await around.close();
  });

  const eventOf = (ts: string) => (delivery: Delivery) => delivery.payload.event?.ts === ts;
  const isEvent = ({ payload }: Delivery) => payload.type === 'event_callback';

  /** Does something whose delivery comes as twins, and a third time after that; answers what came. */
  async function thrice(act: () => Promise<unknown>): Promise<Delivery> {
    const before = proxy.deliveries.length;
    proxy.fate = (delivery) => (isEvent(delivery) ? 'passes' : 'is duplicated');
    await act();
    const delivery = proxy.deliveries.slice(before).find((one) => !isEvent(one));
    if (!delivery) throw new Error('nothing came');
    expect(await proxy.again(delivery)).toMatchObject({ status: 200 });
    return delivery;
  }

  it('since Slack did not hear the acknowledgement: one issue, one card', async () => {
    let heard = 0;
    proxy.fate = ({ payload }) => {
      if (payload.event?.type !== 'message' || heard > 0) return 'passes';
      heard += 1;
      return 'loses its answer';
    };
    const { ts } = await around.workspace.post(alertmanagerAlert('LostAnswer'));
    const [first, retry] = await until('it came again', () => {
      const came = proxy.deliveries.filter(eventOf(ts));
      return came.length === 2 && came;
    });
    expect(first?.headers).not.toHaveProperty('x-slack-retry-num');
    expect(retry?.headers).toMatchObject({
      'x-slack-retry-num': '1',
      'x-slack-retry-reason': 'http_timeout',
    });
    await views.seen(/LostAnswer/, 'alerts', ts);
    await untilQuiet(around);
    expect(await issuesNamed(around, 'LostAnswer')).toEqual([1]);
    expect(cards(around, 'alerts', 'LostAnswer')).toHaveLength(1);
    expect(said(around, 'alerts', /Fired again/)).toEqual([]);
  });

  it('at the same moment over two connections: one issue, one answer', async () => {
    proxy.fate = () => 'is duplicated';
    const { ts } = await around.workspace.post(alertmanagerAlert('SameMoment'));
    const asked = await mention(around, 'who is first, of twins?');
    await views.seen(/SameMoment/, 'alerts', ts);
    await until('it is answered', () => views.thread('general', asked.ts).length > 0);
    await untilQuiet(around);
    expect(await issuesNamed(around, 'SameMoment')).toEqual([1]);
    expect(cards(around, 'alerts', 'SameMoment')).toHaveLength(1);
    expect(said(around, 'alerts', /Fired again/)).toEqual([]);
    expect(views.thread('general', asked.ts)).toHaveLength(1);
  });

  it('is one issue of /investigate', async () => {
    await thrice(() => command(around, '/investigate', 'the cart twin is slow'));
    await until('its card stands', () => said(around, 'general', /the cart twin is slow/).length > 0);
    await untilQuiet(around);
    expect(await issuesNamed(around, 'cart twin')).toEqual([1]);
    expect(cards(around, 'general', 'the cart twin')).toHaveLength(1);
  });

  it('is one answer to /ask', async () => {
    await thrice(() => command(around, '/ask', 'how is the cart, twin?'));
    await until('it is answered', () => said(around, 'general', /how is the cart, twin/).length > 0);
    await untilQuiet(around);
    expect(said(around, 'general', /how is the cart, twin/)).toHaveLength(1);
  });

  it('is one change by a button, and one investigation more', async () => {
    const { ts } = await around.workspace.post(alertmanagerAlert('PressedTwice'));
    const card = await views.seen(
      new RegExp(`#\\d+ PressedTwice[\\s\\S]*(${INVESTIGATED})`, 'u'),
      'alerts',
      ts,
    );
    await untilResults(views, 'alerts', ts, 1);
    await thrice(() => views.press('alerts', card, actionIds.more, /^Investigate again/, ALICE));
    await untilResults(views, 'alerts', ts, 2);
    await untilQuiet(around);
    await untilResults(views, 'alerts', ts, 2);
    expect(await issuesNamed(around, 'PressedTwice')).toEqual([2]);
  });

  it('is one issue of a form', async () => {
    await command(around, '/investigate', '');
    const form = {
      title: { title: { value: 'The form’s twin' } },
      description: { description: { value: 'x' } },
    };
    await thrice(async () => expect(await views.send(form, ALICE)).toEqual({ ok: true }));
    await until('its card stands', () => said(around, 'general', /The form’s twin/).length > 0);
    await untilQuiet(around);
    expect(await issuesNamed(around, 'The form’s twin')).toEqual([1]);
    expect(cards(around, 'general', 'The form’s twin')).toHaveLength(1);
  });

  it('changes nothing after a restart either', async () => {
    await untilQuiet(around);
    const issues = await issuesOf(around);
    const messages = () => said(around, 'alerts', /./).length + said(around, 'general', /./).length;
    const before = messages();
    await bot.stop();
    await start();
    const deliveries = [...proxy.deliveries];
    expect(deliveries.filter(isEvent).length).toBeGreaterThan(3);
    expect(deliveries.filter((one) => !isEvent(one)).length).toBeGreaterThan(4);
    for (const delivery of deliveries) expect(await proxy.again(delivery, 2)).toMatchObject({ status: 200 });
    await untilQuiet(around);
    expect(await issuesOf(around)).toEqual(issues);
    expect(messages()).toBe(before);
    expect(said(around, 'alerts', /Fired again/)).toEqual([]);
  });
});

describe('over Socket Mode, a delivery that comes more than once', () => {
  let around: Surroundings;
  let proxy: SocketProxy;
  let bot: Bot;
  let views: ChannelViews;

  beforeAll(async () => {
    around = await startSurroundings('socket');
    proxy = await startSocketProxy(around.workspace.apiUrl);
    views = channelViews(around);
    bot = await startBotOn(around, { env: { SLACK_API_URL: proxy.apiUrl } });
  });

  afterAll(async () => {
    await bot.stop();
    await proxy.close();
    await around.close();
  });

  it.each([
    [
      'under the same envelope_id',
      'SameEnvelope',
      (one: Parameters<SocketProxy['inPlaceOf']>[0]) => [one, one],
    ],
    [
      'under another envelope_id',
      'AnotherEnvelope',
      (one: Parameters<SocketProxy['inPlaceOf']>[0]) => [one, sentAgain(one)],
    ],
  ])('%s is one issue, and one answer', async (_how, name, inPlaceOf) => {
    proxy.inPlaceOf = inPlaceOf;
    const { ts } = await around.workspace.post(alertmanagerAlert(name));
    const asked = await mention(around, `what of ${name}?`);
    await views.seen(new RegExp(`#\\d+ ${name}`), 'alerts', ts);
    await until('it is answered', () => views.thread('general', asked.ts).length > 0);
    await untilQuiet(around);
    expect(await issuesNamed(around, name)).toEqual([1]);
    expect(cards(around, 'alerts', name)).toHaveLength(1);
    expect(said(around, 'alerts', /Fired again/)).toEqual([]);
    expect(views.thread('general', asked.ts)).toHaveLength(1);
  });

  it('is one issue of a command, and one investigation more by a button', async () => {
    proxy.inPlaceOf = (one) => [one, one];
    expect(await command(around, '/investigate', 'the socket twin is slow')).toEqual({ ok: true });
    const card = await until('its card stands', () =>
      around.workspace
        .messages(around.workspace.channels.general)
        .find((one) => new RegExp(`the socket twin[\\s\\S]*(${INVESTIGATED})`, 'u').test(wordsOf(one))),
    );
    await untilResults(views, 'general', card.ts, 1);
    await views.press('general', card, actionIds.more, /^Investigate again/, ALICE);
    await untilResults(views, 'general', card.ts, 2);
    await untilQuiet(around);
    await untilResults(views, 'general', card.ts, 2);
    expect(await issuesNamed(around, 'the socket twin')).toEqual([2]);
    expect(proxy.acknowledged.length).toBeGreaterThan(new Set(proxy.acknowledged).size);
  });
});
