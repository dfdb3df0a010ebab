import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { startService } from '../../../src/service/server.ts';
import { openSources } from '../../../src/service/telemetry/open-sources.ts';
import { readTelemetrySettings } from '../../../src/service/telemetry/settings.ts';
import { type Stuck, stuckSource } from '../../support/stuck-source.ts';
import { until } from '../../support/until.ts';
import { ISSUE, temporaryFolder } from '../support.ts';

const WAYS: readonly Stuck[] = [
  'never answers',
  'trickles its answer',
  'sends endless headers',
  'closes in the middle',
];
/** The service on sources that are stuck, all of them, with a second for an investigation. */
async function serviceOn(how: Stuck) {
  const source = await stuckSource(how);
  onTestFinished(source.close);
  const read = readTelemetrySettings({
    PROMETHEUS_URL: source.url,
    LOKI_URL: source.url,
    TEMPO_URL: source.url,
    JAEGER_URL: source.url,
  });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  const sources = openSources(read.settings, systemClock);
  const service = await startService({
    file: join(temporaryFolder(), 'service.db'),
    keys: { key: 'acme' },
    telemetry: sources.source,
    limits: { ...read.settings.limits, ms: 1_000 },
  });
  onTestFinished(async () => {
    await service.close();
    await sources.close();
  });
  const root = new URL(service.url).origin;
  return {
    source,
    health: async () => (await fetch(`${root}/healthz`)).status,
    ready: async () => (await fetch(`${root}/readyz`)).json(),
    call: async (path: string, body?: object): Promise<{ [field: string]: unknown }> => {
      const answer = await fetch(`${service.url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return Object(await answer.json());
    },
  };
}

it.each(WAYS)('an investigation ends, and says why it found nothing, where every source %s', async (how) => {
  const { source, health, call } = await serviceOn(how);
  expect(await health()).toBe(200);
  const { uuid } = await call('/issues', ISSUE);
  await until('a source was asked', () => source.connections() > 0);
  expect(await health()).toBe(200);
  const done = await until('the investigation ended', async () => {
    const issue = await call(`/issues/${uuid}`);
    return JSON.stringify(issue.versions).includes('RUNNING') ? null : issue;
  });
  expect(done).toMatchObject({ status: 'ready_to_fix', versions: [{ version: 1, status: 'FAILED' }] });
  const { rootCause } = await call(`/issues/${uuid}/results`);
  expect(rootCause).toEqual({
    id: expect.any(String),
    incidentOverview: expect.stringMatching(
      /^Not investigated: there is not enough data to look for a cause\. .*Prometheus at/u,
    ),
    relevantEvidence: [],
    irrelevantEvidence: [],
  });
});

it('is ready where its sources break off, and says that they fail', async () => {
  const { ready } = await serviceOn('closes in the middle');
  expect(await ready()).toEqual({
    ready: true,
    reasons: [],
    // A sentence for each.
    degraded: ['Prometheus', 'Loki', 'Tempo', 'Jaeger'].map((name) =>
      expect.stringMatching(new RegExp(`^${name} at http://127\\.0\\.0\\.1:\\d+ could not be reached`, 'u')),
    ),
  });
});
