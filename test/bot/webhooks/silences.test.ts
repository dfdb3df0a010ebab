import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { alertmanagerWebhook } from '../../../src/bot/alerts/formats/alertmanager.ts';
import { readConfig } from '../../../src/bot/config.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../src/bot/shared/metrics.ts';
import { compareOnce } from '../../../src/bot/webhooks/alertmanager.ts';
import { addCreated } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const HOUR = 60 * 60_000;
const LABELS = { alertname: 'DiskFull', instance: 'db-1' };

interface Silence {
  id: string;
  comment: string;
  endsAt: string;
  status: { state: string };
}

/** An issue whose alert came from the Alertmanager, and an Alertmanager that keeps silences in memory. */
async function muting() {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  const silences: Silence[] = [];
  const calls: string[] = [];
  let isLost = false;
  const server = createServer((req, res) => {
    void (async () => {
      calls.push(`${req.method} ${req.url}`);
      if (req.method === 'GET') return void res.end(JSON.stringify(silences));
      if (req.method === 'DELETE') {
        const found = silences.find(({ id }) => req.url?.endsWith(id));
        if (found === undefined) return void res.writeHead(404).end();
        found.status.state = 'expired';
        return void res.end();
      }
      const posted = JSON.parse(await text(req));
      const existing = silences.find(({ id }) => id === posted.id);
      const silence = existing ?? { ...posted, id: `s${silences.length + 1}`, status: { state: 'active' } };
      silence.endsAt = posted.endsAt;
      if (existing === undefined) silences.push(silence);
      // As where the program dies before it hears the answer.
      if (isLost) return void req.socket.destroy();
      res.end(JSON.stringify({ silenceID: silence.id }));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = Object(server.address());
  const config = readConfig({ ALERTMANAGER_URL: `http://127.0.0.1:${port}`, ALERTMANAGER_SILENCE: 'true' });
  if (!config.ok || config.config.alertmanager === null) throw new Error('the configuration is wrong');
  const { alertmanager } = config.config;
  const options = { store, clock, log: createLogger('silent'), metrics: createMetrics(), alertmanager };

  await addCreated(store, clock.now());
  await store.receivedAlerts.add({
    id: 'r1',
    source: 'alertmanager',
    tool: 'Alertmanager',
    identity: 'cpu@production',
    reading: JSON.stringify(readingOfDisk()),
    state: 'decided',
    receivedAt: clock.now(),
  });
  const mute = (until: number | null) =>
    store.issues.rewrite('issue-1', {
      status: until === null ? 'investigating' : 'muted',
      mutedUntil: until,
    });
  return {
    store,
    clock,
    silences,
    calls,
    mute,
    compare: () => compareOnce(options),
    loseAnswers: (lost: boolean) => {
      isLost = lost;
    },
  };
}

const iso = (at: number) => new Date(at).toISOString();

describe('an issue that is muted', () => {
  it('is silenced once until its mute ends, and the silence moves with it', async () => {
    const { clock, silences, calls, mute, compare, store } = await muting();
    const until = clock.now() + HOUR;
    await mute(until);
    await compare();
    await compare();
    expect(calls).toEqual(['POST /api/v2/silences']);
    expect(silences).toMatchObject([{ id: 's1', endsAt: iso(until), status: { state: 'active' } }]);
    await mute(until + HOUR);
    await compare();
    expect(silences).toMatchObject([{ id: 's1', endsAt: iso(until + HOUR) }]);
    expect((await store.audit.of('issue-1')).map(({ what }) => what)).toEqual([
      `silenced it in Alertmanager until ${iso(until)} (s1)`,
      `silenced it in Alertmanager until ${iso(until + HOUR)} (s1)`,
    ]);
  });

  it('has one silence where the answer to the first try was lost', async () => {
    const { clock, silences, mute, compare, loseAnswers } = await muting();
    await mute(clock.now() + HOUR);
    loseAnswers(true);
    await expect(compare()).rejects.toThrow();
    loseAnswers(false);
    await compare();
    expect(silences).toHaveLength(1);
  });

  it('is no longer silenced once it is reopened, also where that happens before the answer was heard', async () => {
    const { clock, silences, mute, compare, loseAnswers, store } = await muting();
    await mute(clock.now() + HOUR);
    loseAnswers(true);
    await expect(compare()).rejects.toThrow();
    loseAnswers(false);
    await mute(null);
    await compare();
    expect(silences).toMatchObject([{ status: { state: 'expired' } }]);
    expect(await store.silences.all()).toEqual([]);
    await compare();
  });

  it('needs nothing at its end, nor where the silence was ended at the Alertmanager', async () => {
    const { clock, silences, calls, mute, compare, store } = await muting();
    await mute(clock.now() + HOUR);
    await compare();
    silences.splice(0);
    await mute(null);
    await compare();
    expect(await store.silences.all()).toEqual([]);

    await mute(clock.now() + HOUR);
    await compare();
    await clock.sleep(2 * HOUR);
    const before = calls.length;
    await compare();
    expect(calls).toHaveLength(before);
    expect(await store.silences.all()).toEqual([]);
  });
});

it('silences need an Alertmanager', () => {
  expect(readConfig({ ALERTMANAGER_SILENCE: 'true' })).toMatchObject({
    ok: false,
    problems: [
      'ALERTMANAGER_SILENCE needs ALERTMANAGER_URL, the Alertmanager to silence alerts in; for example ALERTMANAGER_SILENCE=true',
    ],
  });
});

/** An alert as the Alertmanager's webhook tells it. */
function readingOfDisk() {
  const payload = {
    version: '4',
    status: 'firing',
    receiver: 'gumshoe',
    externalURL: 'http://alertmanager.example.io',
    groupLabels: {},
    commonLabels: LABELS,
    alerts: [{ status: 'firing', labels: LABELS, annotations: {}, startsAt: '2026-03-17T11:00:00.000Z' }],
  };
  const reading = alertmanagerWebhook.read(payload, {});
  if (reading.kind !== 'alerts') throw new Error('the payload is wrong');
  return reading.alerts[0];
}
