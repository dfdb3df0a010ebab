import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { alertmanagerWebhook } from '../../../src/bot/alerts/formats/alertmanager.ts';
import { readConfig } from '../../../src/bot/config.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../src/bot/shared/metrics.ts';
import { pullOnce } from '../../../src/bot/webhooks/alertmanager.ts';
import { receiveAlert } from '../../../src/bot/webhooks/receive.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';

const stack: AsyncDisposableStack[] = [];

afterEach(async () => {
  for (const one of stack.splice(0)) await one.disposeAsync();
});

interface Firing {
  labels: Record<string, string>;
  state?: 'active' | 'suppressed';
  startsAt?: string;
}

/** An Alertmanager whose groups a test sets, and what asks it. */
async function asking() {
  const closing = new AsyncDisposableStack();
  stack.push(closing);
  const opened = closing.use(await openTestStore());
  const heard: (string | undefined)[] = [];
  let answer: unknown = [];
  let status = 200;
  const server = createServer((req, res) => {
    heard.push(`${req.url} ${req.headers.authorization ?? ''}`);
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.defer(() => new Promise<void>((resolve) => server.close(() => resolve())));
  closing.defer(() => server.closeAllConnections());
  const { port } = Object(server.address()) satisfies AddressInfo;
  const config = readConfig({
    ALERT_ROUTES: '*->C0AAAAAAA',
    ALERTMANAGER_URL: `http://127.0.0.1:${port}/`,
    ALERTMANAGER_TOKEN: 'a-token-of-the-test',
  });
  if (!config.ok || config.config.alertmanager === null) throw new Error('the configuration is wrong');
  const { alertRoutes: routes, alertmanager } = config.config;
  const { store, clock } = opened;
  const log = createLogger('silent');
  const options = {
    store,
    clock,
    log,
    metrics: createMetrics(),
    routes,
    alertmanager,
    defaultEnvironment: 'production',
    maxIssuesPerDay: 500,
    needsConsent: async () => false,
    // As private as its members have agreed to have issues from.
    isPrivateChannel: async () => true,
  };
  return {
    opened,
    heard,
    fires: (...groups: Firing[][]) => {
      answer = groups.map((alerts) => ({
        labels: { alertname: alerts[0]?.labels.alertname },
        receiver: { name: 'slack' },
        alerts: alerts.map(({ labels, state = 'active', startsAt = '2026-03-17T11:00:00.000Z' }) => ({
          labels,
          annotations: { summary: `${labels.alertname} of ${labels.service}` },
          startsAt,
          generatorURL: 'http://prometheus.example/graph',
          fingerprint: 'abc',
          status: { state, silencedBy: [], inhibitedBy: [] },
        })),
      }));
    },
    fails: (code: number) => {
      status = code;
    },
    pull: () => pullOnce(options),
    /** The Alertmanager's own webhook, which calls itself by another address than the one that is polled. */
    hook: async ({ labels, startsAt = '2026-03-17T11:00:00.000Z' }: Firing, state: 'firing' | 'resolved') => {
      const body = {
        status: state,
        externalURL: 'http://alertmanager-0:9093',
        groupLabels: { alertname: labels.alertname },
        commonLabels: labels,
        routeLabels: { team: 'shop' },
        alerts: [{ status: state, labels, annotations: {}, startsAt }],
      };
      const read = alertmanagerWebhook.read(body, {});
      if (read.kind !== 'alerts') throw new Error('the webhook is not read');
      const delivery = { firing: 1, own: 0, hasConsent: () => true };
      const outcomes = [];
      for (const [at, reading] of read.alerts.entries()) {
        const id = `hook:${state}:${labels.service}:${startsAt}:${at}`;
        const received = {
          id,
          source: 'alertmanager',
          tool: 'Alertmanager',
          reading,
          at: clock.now(),
          delivery,
        };
        outcomes.push(await receiveAlert(received, options));
      }
      return outcomes;
    },
  };
}

async function standing({ execute }: TestStore): Promise<[posts: number, over: number]> {
  const [row] = await execute(
    "select count(*) as posts, count(over_at) as over from received_alerts where state != 'noted'",
  );
  return [Number(row?.posts), Number(row?.over)];
}

const A = { labels: { alertname: 'HighErrorRate', service: 'checkout', severity: 'critical' } };
const B = { labels: { alertname: 'HighErrorRate', service: 'payments', severity: 'critical' } };

describe('what an Alertmanager has', () => {
  it('is received once for each alert that nobody has told, however often it is read', async () => {
    const t = await asking();
    t.fires([A, B]);
    await t.pull();
    await t.pull();
    expect(await standing(t.opened)).toEqual([2, 0]);
    expect(t.heard[0]).toBe('/api/v2/alerts/groups Bearer a-token-of-the-test');
  });

  it('is left alone while it is silenced or inhibited', async () => {
    const t = await asking();
    t.fires([{ ...A, state: 'suppressed' }]);
    await t.pull();
    expect(await standing(t.opened)).toEqual([0, 0]);
  });

  it('has recovered once it is gone there, and not where it is only silenced', async () => {
    const t = await asking();
    t.fires([A, B]);
    await t.pull();
    await t.opened.clock.sleep(61_000);
    t.fires([{ ...A, state: 'suppressed' }]);
    await t.pull();
    expect(await standing(t.opened)).toEqual([2, 1]);
    t.fires();
    await t.pull();
    expect(await standing(t.opened)).toEqual([2, 2]);
  });

  it('that is a flood has messages for a few, the most severe first, and the rest is one message', async () => {
    const t = await asking();
    const pod = (at: number, severity: string) => ({
      labels: { alertname: 'PodNotReady', service: 'shop', pod: `api-${at}`, severity },
    });
    t.fires([...Array.from({ length: 60 }, (_, at) => pod(at, 'warning')), pod(60, 'critical')]);
    await t.pull();
    const due = await t.opened.store.outbox.due(t.opened.clock.now(), 99);
    expect(due.map(({ kind }) => kind)).toEqual(['alert', 'held', 'alert', 'alert']);
    expect(await standing(t.opened)).toEqual([61, 0]);
  });

  it('fires anew after that in its message, as long as its issue is open', async () => {
    const t = await asking();
    t.fires([A]);
    await t.pull();
    await t.opened.clock.sleep(61_000);
    t.fires();
    await t.pull();
    expect(await standing(t.opened)).toEqual([1, 1]);
    t.fires([{ ...A, startsAt: '2026-03-17T12:30:00.000Z' }]);
    await t.pull();
    expect(await standing(t.opened)).toEqual([1, 0]);
  });

  it('fires anew as another alert once its issue is closed', async () => {
    const t = await asking();
    t.fires([A]);
    await t.pull();
    await t.opened.clock.sleep(61_000);
    t.fires();
    await t.pull();
    await t.opened.execute('update issues set is_open = 0');
    t.fires([{ ...A, startsAt: '2026-03-17T12:30:00.000Z' }]);
    await t.pull();
    expect(await standing(t.opened)).toEqual([2, 1]);
  });

  it('is the same alert in its webhook, which has another address for it: now, when it is over, and ever after', async () => {
    const t = await asking();
    t.fires([A]);
    await t.pull();
    expect(await t.hook(A, 'firing')).toEqual(['known']);
    expect(await standing(t.opened)).toEqual([1, 0]);
    expect(await t.hook(B, 'firing')).toEqual(['posting']);
    expect(await t.hook(A, 'resolved')).toEqual(['recovered']);
    expect(await standing(t.opened)).toEqual([2, 1]);
    const later = { ...A, startsAt: '2026-03-17T12:30:00.000Z' };
    expect(await t.hook(later, 'firing')).toEqual(['counted']);
    t.fires([later, B]);
    await t.pull();
    const rows = await t.opened.execute('select distinct identity from received_alerts');
    expect(rows).toHaveLength(2);
    expect(await standing(t.opened)).toEqual([2, 0]);
  });

  it('is the same alert in a webhook that comes after it was over', async () => {
    const t = await asking();
    t.fires([A]);
    await t.pull();
    await t.opened.clock.sleep(61_000);
    t.fires();
    await t.pull();
    await t.hook(A, 'firing');
    await t.hook(A, 'resolved');
    expect(await t.opened.execute('select distinct identity from received_alerts')).toHaveLength(1);
  });

  it('is another alert where its labels or its start are others', async () => {
    const t = await asking();
    t.fires([A]);
    await t.pull();
    expect(await t.hook({ ...A, startsAt: '2026-03-17T11:00:07.000Z' }, 'firing')).toEqual(['posting']);
    expect(await t.hook({ labels: { ...B.labels, pod: 'b' } }, 'firing')).toEqual(['posting']);
  });

  it('has not recovered because the Alertmanager fails', async () => {
    const t = await asking();
    t.fires([A]);
    await t.pull();
    await t.opened.clock.sleep(61_000);
    t.fails(503);
    await expect(t.pull()).rejects.toThrow('the Alertmanager answered GET /api/v2/alerts/groups with 503');
    expect(await standing(t.opened)).toEqual([1, 0]);
  });
});
