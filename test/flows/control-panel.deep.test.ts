import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageMessage, PagePanel, PageSection } from 'local-slack';
import { callPage } from 'local-slack/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Bot } from '../../src/bot/compose/index.ts';
import { type Embedded, embed } from '../../src/demo/program/embed.ts';
import type { AlertKind } from '../../src/demo/scenarios/alerts.ts';
import { wordsOf } from '../support/alerts.ts';
import { patientServer } from '../support/patient-server.ts';
import { MANIFEST, startBotOn } from '../support/program.ts';
import { until } from '../support/until.ts';

let folder: string;
let embedded: Embedded;
let server: Server;
let page: string;
let bot: Bot;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-played-'));
  embedded = await embed({
    slack: true,
    service: true,
    folder,
    manifest: MANIFEST,
    pageUrl: 'http://localhost:3000',
  });
  const { slack, service } = embedded;
  if (!slack || !service) throw new Error('both were to be embedded');
  server = patientServer(slack.page);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  page = `http://127.0.0.1:${Object(server.address()).port}`;
  const env = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    ISSUE_SERVICE_URL: service.url,
    ISSUE_SERVICE_API_KEY: service.apiKey,
    DATABASE_URL: `sqlite:${join(folder, 'gumshoe.db')}`,
    PORT: '0',
    HOST: '127.0.0.1',
    POLL_CRON: '* * * * * *',
    ALERT_CHANNELS: slack.alerts,
    LOG_LEVEL: 'silent',
  };
  bot = await startBotOn({ env, mode: 'socket', workspace: { setDelivery: slack.deliverTo } });
});

afterEach(async () => {
  await bot.stop();
  server.closeAllConnections();
  server.close();
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
});

const channel = () => embedded.slack?.alerts ?? '';

const call = (path: string, body: object) => callPage(page, `stage/${path}`, body);

/** Does it on the panel; the panel says that it is done. */
async function done(path: string, body: object): Promise<void> {
  expect(await call(path, body)).toEqual({ ok: true });
}

async function get(path: string) {
  return Object(await (await fetch(`${page}/page-api/${path}`)).json());
}

async function section(id: string): Promise<PageSection | undefined> {
  const { sections }: PagePanel = await get('stage');
  return sections.find((one) => one.id === id);
}

/** What is listed in a section. */
async function listed(id: string): Promise<string[] | undefined> {
  return (await section(id))?.list?.items.map(({ title, text }) => `${title} ${text}`);
}

async function messages(thread_ts?: string): Promise<PageMessage[]> {
  const thread = thread_ts === undefined ? '' : `&thread_ts=${thread_ts}`;
  return (await get(`messages?channel=${channel()}${thread}`)).messages;
}

const isOwn = (message: PageMessage) => message.user === botUser;
let botUser = '';

/** Plays an alert in #alerts; the `ts` of its message. */
async function play(tool: string, how: AlertKind): Promise<string> {
  botUser = (await get('state')).bot.user_id;
  await done('alert', { tool, how, channel: channel() });
  return (await messages()).filter((message) => !isOwn(message)).at(-1)?.ts ?? '';
}

/** Waits until something in the thread of a message says so. */
function inThread(ts: string, pattern: RegExp): Promise<PageMessage> {
  return until(`the thread says ${pattern}`, async () =>
    (await messages(ts)).slice(1).find((message) => pattern.test(wordsOf(message))),
  );
}

/** Waits until the bot says so at top level. */
function inChannel(pattern: RegExp): Promise<PageMessage> {
  return until(`the channel says ${pattern}`, async () =>
    (await messages()).find((message) => isOwn(message) && pattern.test(wordsOf(message))),
  );
}

async function issues(): Promise<{ number: number; title: string }[]> {
  const { url = '', apiKey = '' } = embedded.service ?? {};
  const answer = await fetch(`${url}/issues?limit=100`, { headers: { authorization: `Bearer ${apiKey}` } });
  const { data } = z
    .object({ data: z.array(z.object({ number: z.number(), title: z.string() })) })
    .parse(await answer.json());
  return data.sort((a, b) => a.number - b.number);
}

describe('from the panel', () => {
  it('the shop breaks in two ways, and alerts of two tools lead to each; one comes again and recovers', async () => {
    await done('break', { fault: 'slow_query', service: 'orders-db' });
    expect(await listed('shop')).toEqual(['Slow query at orders-db']);
    const first = await play('datadog', 'fires');
    await inThread(first, /Slow query on orders-db/);

    await done('mend', {});
    expect(await listed('shop')).toEqual([]);
    await done('break', { fault: 'certificate_expiry', service: 'cart' });
    const second = await play('pagerduty', 'fires');
    await inThread(second, /Expired TLS certificate on cart/);

    const again = await play('pagerduty', 'again');
    await inThread(second, /Fired again 1 time/);
    await inThread(again, /Counted toward/);
    await play('pagerduty', 'recovers');
    await inThread(second, /recovered/i);
    expect(await issues()).toHaveLength(2);
  });

  it('a storm of a hundred alerts is ten issues, and one message that holds the others', async () => {
    await play('uptimerobot', 'storm');
    await inChannel(/90 alerts from 90 problems are on hold|90 alerts are on hold/);
    await until('ten are filed', async () => (await issues()).length === 10);
    expect((await messages()).filter(isOwn)).toHaveLength(1);
  });

  it('the service goes down: what was investigated and what comes meanwhile is there when it is back', async () => {
    await done('break', { fault: 'queue_backlog', service: 'order-worker' });
    const before = await play('zabbix', 'fires');
    await inThread(before, /Investigating|Ready to fix|🔗 Symptom/u);
    await done('service', { down: true });
    expect((await section('service'))?.warning).toBe('The service is down');
    await expect(issues()).rejects.toThrow();
    const waiting = [await play('grafana', 'fires'), await play('sentry', 'fires')];
    for (const ts of waiting) await inThread(ts, /⚠️/);

    await done('service', { down: false });
    for (const ts of [before, ...waiting]) await inThread(ts, /Queue backlog at order-worker/);
    const filed = await issues();
    expect(filed.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(filed[0]?.title).toContain('Queue grows');
    // What waited for the service is retried each at its own time, so either may come first.
    expect(filed.slice(1).map(({ title }) => title)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Queue grows/), expect.stringMatching(/^TypeError/)]),
    );
  });

  it('a scenario begins as npm start begins one; nothing is found where nothing is broken', async () => {
    botUser = (await get('state')).bot.user_id;
    const played = (await section('scenarios'))?.list?.items.map(({ button }) => button?.values?.scenario);
    expect(embedded.scenarios).toEqual(played);
    await done('play', { scenario: 'nothing-found' });
    const alert = await until('the alert is there', async () =>
      (await messages()).find((m) => !isOwn(m) && m.attachments),
    );
    await inThread(alert.ts, /no root cause found|Nothing was found/i);
    await expect(embedded.play('nonsense')).rejects.toThrow(/There is no scenario "nonsense"/);
    expect(await call('play', { scenario: 'nonsense' })).toMatchObject({ ok: false });
  });
});
