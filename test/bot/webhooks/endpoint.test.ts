import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import type { WebhookReading } from '../../../src/bot/alerts/format.ts';
import type { Store } from '../../../src/bot/store/open.ts';
import { createAuthentication } from '../../../src/bot/webhooks/authentication.ts';
import { createWebhookEndpoint } from '../../../src/bot/webhooks/endpoint.ts';
import { createLogger } from '../../../src/lib/log.ts';
import { createMetrics } from '../../../src/lib/metrics.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';

const readings: Record<string, WebhookReading> = {
  alerts: { kind: 'alerts', alerts: [] },
  ping: { kind: 'nothing', reason: 'a ping' },
  odd: { kind: 'refused', reason: 'It holds no alert.' },
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
    read: (payload: unknown) => readings[String(payload)] ?? { kind: 'alerts' as const, alerts: [] },
  });
  const fetchText = async (url: string) => {
    fetched.push(url);
    return '';
  };
  const door = createWebhookEndpoint({
    formats: new Map(['tool', 'grafana'].map((name) => [name, format(name)])),
    authentication: createAuthentication({
      settings: { token: 'the-token', secrets: new Map([['grafana', ['key']]]), topics: [] },
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
      { path = '/alerts/tool', method = 'POST', type = 'application/json', token = 'the-token' } = {},
    ) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { 'content-type': type, authorization: `Bearer ${token}` },
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
  expect(await door.send('"ping"')).toMatchObject({ status: 202 });
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
