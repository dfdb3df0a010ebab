import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { WebhookReading } from '../../../src/bot/alerts/format.ts';
import { createGenericWebhook, FieldMap } from '../../../src/bot/alerts/formats/generic/webhook.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../src/bot/shared/metrics.ts';
import type { Store } from '../../../src/bot/store/open.ts';
import { createAuthentication } from '../../../src/bot/webhooks/authentication.ts';
import { createWebhookEndpoint } from '../../../src/bot/webhooks/endpoint.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { received } from './support.ts';

const readings: Record<string, WebhookReading> = {
  alerts: { kind: 'alerts', alerts: [] },
  ping: { kind: 'nothing', reason: 'a ping' },
  odd: { kind: 'refused', reason: 'It holds no alert.' },
  alert: { kind: 'alerts', alerts: [received({ triggeredAt: '2026-03-17T12:00:00.000Z' })] },
  confirm: { kind: 'confirm', topicArn: 'arn', subscribeUrl: 'https://sns.eu-west-1.amazonaws.com/?Token=t' },
  elsewhere: { kind: 'confirm', topicArn: 'arn', subscribeUrl: 'https://example.com/?Token=t' },
};

/** A door on a port of its own. */
async function openDoor({ store, clock }: { store: Pick<Store, 'transaction'>; clock: TestStore['clock'] }) {
  const fetched: string[] = [];
  const metrics = createMetrics();
  const format = (name: string) => ({
    name,
    tool: name,
    read: (payload: unknown): WebhookReading => {
      if (payload === 'broken') throw new RangeError('Maximum call stack size exceeded');
      return readings[String(payload)] ?? { kind: 'alerts', alerts: [] };
    },
  });
  const mapped = createGenericWebhook(
    'mapped',
    FieldMap.parse({ title: 'title', time: 'since', status: 'status' }),
  );
  const dated = createGenericWebhook(
    'dated',
    FieldMap.parse({ title: 'title', sent: 'sent.at', time: 'since' }),
  );
  const fetchText = async (url: string) => {
    fetched.push(url);
    return '';
  };
  const door = createWebhookEndpoint({
    formats: new Map(
      [...['tool', 'grafana', 'pagerduty'].map(format), mapped, dated].map((one) => [one.name, one]),
    ),
    authentication: createAuthentication({
      settings: {
        token: 'the-token',
        secrets: new Map(['grafana', 'pagerduty', 'mapped', 'dated'].map((name) => [name, ['key']])),
        topics: [],
      },
      clock,
      fetchText,
    }),
    fetchText,
    store,
    clock,
    log: createLogger('silent'),
    metrics,
  });
  const server = createServer(door);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    fetched,
    metrics,
    send: async (
      body: string | undefined,
      {
        path = '/alerts/tool',
        method = 'POST',
        type = 'application/json',
        token = 'the-token',
        headers = {},
      } = {},
    ) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { 'content-type': type, authorization: `Bearer ${token}`, ...headers },
        ...(body === undefined ? {} : { body }),
      });
      return {
        status: response.status,
        retry: response.headers.get('retry-after'),
        body: await response.json(),
      };
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

it('a webhook is stored before it is accepted, and the same again is one', async () => {
  await using opened = await openTestStore();
  await using door = await openDoor(opened);
  const accepted = { status: 202, retry: null, body: { status: 'accepted' } };
  expect(await door.send('"alerts"')).toEqual(accepted);
  expect(await door.send('"alerts"')).toEqual(accepted);
  expect(await opened.store.webhooks.open(opened.clock.now(), 9)).toEqual([
    expect.objectContaining({ source: 'tool', body: '"alerts"', headers: '{}', state: 'open' }),
  ]);
  await opened.clock.sleep(5 * 60_000);
  expect(await door.send('"alerts"')).toEqual(accepted);
  expect(await opened.store.webhooks.open(opened.clock.now(), 9)).toHaveLength(2);
  expect(await door.metrics.text()).toContain('gumshoe_webhooks_total{source="tool",outcome="stored"} 2');
});

it.each<
  [string, string | undefined, Parameters<Awaited<ReturnType<typeof openDoor>>['send']>[1], number, string]
>([
  ['a body that is not JSON', '{', {}, 400, 'The body is not JSON.'],
  ['an empty body', '', {}, 400, 'The body is not JSON.'],
  [
    'a wrong token',
    '"alerts"',
    { token: 'other' },
    401,
    'The request does not prove that it comes from this source.',
  ],
  [
    'no signature',
    '"alerts"',
    { path: '/alerts/grafana' },
    401,
    'The request does not prove that it comes from this source.',
  ],
  [
    'another source',
    '"alerts"',
    { path: '/alerts/other' },
    404,
    'There is no such source: use POST /alerts/<source>, for example alertmanager.',
  ],
  [
    'a path below it',
    '"alerts"',
    { path: '/alerts/tool/x' },
    404,
    'There is no such source: use POST /alerts/<source>, for example alertmanager.',
  ],
  ['another method', undefined, { method: 'GET' }, 405, 'Webhooks are sent with POST.'],
  [
    'a body of very many keys',
    JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [at, 1]))),
    {},
    413,
    'The body has more than 50,000 values: send fewer alerts at once, or fewer labels.',
  ],
  ['a body that breaks the reader', '"broken"', {}, 422, 'The body cannot be understood.'],
  ['a large body', JSON.stringify('x'.repeat(1024 * 1024)), {}, 413, 'The body is larger than 1 MiB.'],
  [
    'another type',
    '"alerts"',
    { type: 'application/xml' },
    415,
    'Send JSON, with Content-Type: application/json.',
  ],
  ['a payload without an alert', '"odd"', {}, 422, 'It holds no alert.'],
  ['a confirmation elsewhere', '"elsewhere"', {}, 422, 'SubscribeURL is not an address of Amazon SNS.'],
])('%s is refused with a sentence', async (_what, body, how, status, error) => {
  await using opened = await openTestStore();
  await using door = await openDoor(opened);
  expect(await door.send(body, how)).toMatchObject({ status, body: { error } });
  expect(await opened.store.webhooks.open(opened.clock.now(), 9)).toEqual([]);
  expect(door.fetched).toEqual([]);
});

it('a ping is accepted, and a subscription is confirmed; neither is stored', async () => {
  await using opened = await openTestStore();
  await using door = await openDoor(opened);
  expect(await door.send('"ping"')).toMatchObject({ status: 202, body: { note: 'a ping' } });
  expect(await door.send('"confirm"')).toMatchObject({ status: 202 });
  expect(door.fetched).toEqual(['https://sns.eu-west-1.amazonaws.com/?Token=t']);
  expect(await opened.store.webhooks.open(opened.clock.now(), 9)).toEqual([]);
});

it('what could not be stored is to be sent again', async () => {
  await using opened = await openTestStore();
  const broken = { transaction: () => Promise.reject(new Error('the disk is full')) };
  await using door = await openDoor({ store: broken, clock: opened.clock });
  expect(await door.send('"alerts"')).toEqual({
    status: 503,
    retry: '10',
    body: { error: 'It could not be stored; try again.' },
  });
});

it('a sender who gives up in the middle of the body leaves the door open', async () => {
  await using opened = await openTestStore();
  await using door = await openDoor(opened);
  const socket = connect(door.port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(
    'POST /alerts/tool HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer the-token\r\nContent-Length: 99\r\n\r\n{',
  );
  socket.destroy();
  expect(await door.send('"alerts"')).toMatchObject({ status: 202 });
});

describe('a replay', () => {
  const DAY_MS = 86_400_000;
  const hmac = (text: string) => createHmac('sha256', 'key').update(text).digest('hex');
  const signs: Record<string, (text: string) => Record<string, string>> = {
    grafana: (text) => ({ 'x-grafana-alerting-signature': hmac(text) }),
    pagerduty: (text) => ({ 'x-pagerduty-signature': `v1=${hmac(text)}` }),
    mapped: (text) => ({ 'x-hub-signature-256': `sha256=${hmac(text)}` }),
    dated: (text) => ({ 'x-signature': hmac(text) }),
  };

  const signedBy = (source: string, body: string) => ({
    path: `/alerts/${source}`,
    headers: signs[source]?.(body) ?? {},
  });

  it.each(['grafana', 'pagerduty'])(
    'of what %s signed without a time changes nothing, however late',
    async (source) => {
      await using opened = await openTestStore();
      await using door = await openDoor(opened);
      const { store, clock } = opened;
      const handle = async () => {
        const open = await store.webhooks.open(clock.now(), 9);
        for (const { id } of open) await store.webhooks.done(id);
        return open.map(({ body }) => body);
      };
      await door.send('"alert"', signedBy(source, '"alert"'));
      await door.send('"recovered"', signedBy(source, '"recovered"'));
      expect(await handle()).toEqual(['"alert"', '"recovered"']);
      for (const days of [1, 15, 400]) {
        await clock.sleep(days * DAY_MS);
        await store.transaction((tx) => tx.sweep.webhooks({ over: 0, spent: clock.now() }, 99));
        expect(await door.send('"alert"', signedBy(source, '"alert"'))).toMatchObject({ status: 202 });
        expect(await handle()).toEqual([]);
      }
    },
  );

  it('of what is signed with a time is refused when that is past, and changes nothing before', async () => {
    await using opened = await openTestStore();
    await using door = await openDoor(opened);
    const { store, clock } = opened;
    const send = async (at: number, body: string) =>
      door.send(body, {
        path: '/alerts/grafana',
        headers: {
          'x-grafana-alerting-timestamp': String(at),
          'x-grafana-alerting-signature': hmac(`${at}:${body}`),
        },
      });
    const first = Math.floor(clock.now() / 1_000);
    await send(first, '"alert"');
    await send(first, '"recovered"');
    expect(await send(first, '"alert"')).toMatchObject({ status: 202 });
    expect(await store.webhooks.open(clock.now(), 9)).toHaveLength(2);
    // The tool itself tells of it again: it signs the present time.
    await clock.sleep(4 * 60_000);
    expect(await send(Math.floor(clock.now() / 1_000), '"alert"')).toMatchObject({ status: 202 });
    expect(await store.webhooks.open(clock.now(), 9)).toHaveLength(3);
    await clock.sleep(4 * 60_000);
    expect(await send(first, '"alert"')).toMatchObject({ status: 401 });
  });

  it.each([
    ['mapped', { title: 'Slow', since: -59 * 60_000 }, 202],
    ['mapped', { title: 'Slow', since: -61 * 60_000 }, 401],
    ['mapped', { title: 'Slow', since: 61 * 60_000 }, 401],
    // A recovery states when its alert began.
    ['mapped', { title: 'Slow', status: 'resolved', since: -61 * 60_000 }, 202],
    ['dated', { title: 'Slow', since: -DAY_MS, sent: { at: -60_000 } }, 202],
    ['dated', { title: 'Slow', since: -60_000, sent: { at: -DAY_MS } }, 401],
    ['dated', { title: 'Slow' }, 401],
  ])('whose time is in the body of %s is refused by that: %j', async (source, said, status) => {
    await using opened = await openTestStore();
    await using door = await openDoor(opened);
    const iso = (offset: number) => new Date(opened.clock.now() + offset).toISOString();
    const body = JSON.stringify(said, (_key, value) => (typeof value === 'number' ? iso(value) : value));
    expect(await door.send(body, signedBy(source, body))).toMatchObject({ status });
    expect(await opened.store.webhooks.open(opened.clock.now(), 9)).toHaveLength(status === 202 ? 1 : 0);
  });
});
