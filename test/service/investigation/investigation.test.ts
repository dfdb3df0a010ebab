import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { START, type TestService, testService } from '../support.ts';

const Results = z.looseObject({
  sessionUuid: z.string(),
  rootCause: z.looseObject({
    incidentOverview: z.string(),
    rootCauseSummary: z.string().optional(),
    relevantEvidence: z.array(
      z.looseObject({ artifacts: z.array(z.looseObject({ documentId: z.string() })) }),
    ),
  }),
  remediation: z.looseObject({ actions: z.array(z.unknown()) }),
  timeline: z.array(z.unknown()),
});

const MINUTE = 60_000;
const POOL = {
  kind: 'connection_pool',
  service: 'payments',
  from: START - 8 * MINUTE,
  to: START + 5 * MINUTE,
} as const;
const ALERT = { title: 'High error ratio at payments', context: { service: 'payments' } };

async function results(service: TestService, id: string, query = '') {
  return Results.parse((await service.get(`/issues/${id}/results${query}`)).body);
}

/** Waits for the work that a moved clock set free. */
async function until(service: TestService, id: string, expected: object): Promise<void> {
  const seen = async () => (await service.get(`/issues/${id}`)).body;
  await expect.poll(seen, { interval: 20 }).toMatchObject(expected);
}

/** A source that says what happens lately, a sample each 15 seconds. */
function sampledFinely(source: TelemetrySource): TelemetrySource {
  return {
    ...source,
    recent: async (window, budget) => {
      const signals = await source.signals(window, budget);
      if (!signals.known) return signals;
      const lately = { ...window, from: window.to - 15 * MINUTE };
      const ids = signals.value.map(({ id }) => id);
      return source.series({ signals: ids, stepMs: 15_000 }, lately, budget);
    },
  };
}

describe('an investigation', () => {
  it('has nothing until it is done, and then cause, evidence and remedy, as soon as that is read', async () => {
    const clock = manualClock();
    const service = await testService({ clock, investigationMs: 1500 });
    service.service().inject(POOL);
    const { uuid: id } = await service.create(ALERT);
    const before = await results(service, id);
    expect(before).toMatchObject({
      rootCause: { incidentOverview: '', relevantEvidence: [], irrelevantEvidence: [] },
      causalTree: { nodes: [], edges: [] },
      remediation: { actions: [] },
      timeline: [],
    });
    expect((await service.get(`/issues/${id}`)).body).toMatchObject({ status: 'investigating' });

    clock.advance(1500);
    await until(service, id, {
      status: 'ready_to_fix',
      updatedAt: '2026-03-17T12:00:01.500Z',
      versions: [{ version: 1, status: 'SUCCESS', description: 'The investigation is complete.' }],
    });
    const last = await results(service, id);
    expect(last.rootCause.rootCauseSummary).toContain('connections in use');
    expect(last.remediation.actions).not.toEqual([]);
    expect(last.sessionUuid).toBe(before.sessionUuid);
  });

  it('leaves artifacts that can be retrieved, in the order asked for and by their organization alone', async () => {
    const service = await testService({ investigationMs: 0 });
    service.service().inject(POOL);
    const { uuid: id } = await service.create(ALERT);
    await until(service, id, { status: 'ready_to_fix' });
    const { rootCause } = await results(service, id);
    const ids = rootCause.relevantEvidence.flatMap(({ artifacts }) => artifacts.map((ref) => ref.documentId));
    expect(ids.length).toBeGreaterThan(1);

    const asked = [...ids.toReversed(), 'unknown', ...ids].slice(0, 100);
    const path = `/artifacts?${asked.map((artifact) => `id=${artifact}`).join('&')}`;
    const { status, body } = await service.get(path);
    expect(status).toBe(200);
    const found = z.array(z.looseObject({ id: z.string(), type: z.string() })).parse(body);
    expect(found.map((artifact) => artifact.id)).toEqual([...new Set(ids.toReversed())]);
    expect((await service.get(path, { key: 'globex-key' })).body).toEqual([]);

    await service.call('DELETE', `/issues/${id}`);
    expect((await service.get(path)).body).toEqual([]);
  });

  it('leaves a status alone that somebody set meanwhile', async () => {
    const clock = manualClock();
    const service = await testService({ clock });
    const { uuid: id } = await service.create();
    await service.patch(`/issues/${id}`, { status: 'resolved' });
    const seen = async () => {
      // It may not have begun before.
      clock.advance(6000);
      return (await service.get(`/issues/${id}`)).body;
    };
    await expect.poll(seen).toMatchObject({ status: 'resolved', versions: [{ status: 'SUCCESS' }] });
  });

  it('is done again as the next version when the status is set back; the old one stays readable', async () => {
    const service = await testService({ investigationMs: 0 });
    const { uuid: id } = await service.create(ALERT);
    await until(service, id, { status: 'ready_to_fix' });
    const old = await results(service, id);
    const answer = await service.patch(`/issues/${id}`, { status: 'investigating' });
    expect(answer.body).toMatchObject({
      status: 'investigating',
      latestVersion: 2,
      versions: [
        { version: 1, status: 'SUCCESS' },
        { version: 2, status: 'RUNNING' },
      ],
    });
    await until(service, id, { status: 'ready_to_fix', latestVersion: 2 });
    expect(await results(service, id, '?version=1')).toEqual(old);
    const newest = await results(service, id);
    expect(newest).toEqual(await results(service, id, '?version=2'));
    expect(newest.sessionUuid).not.toBe(old.sessionUuid);
    expect((await service.get(`/issues/${id}/results?version=3`)).status).toBe(404);
  });

  it('that came too early for the data says so, and is repeated once, two minutes later, at that moment', async () => {
    const service = await testService({ seenAs: sampledFinely });
    service.service().inject({ ...POOL, from: START - 40_000 });
    const { uuid: id } = await service.create(ALERT);
    await until(service, id, { status: 'ready_to_fix', latestVersion: 1 });
    expect((await results(service, id)).rootCause.incidentOverview).toMatch(
      /This look came early, with fewer than three samples from after the alert: I look again at 12:02/u,
    );
    await service.restart({ clock: manualClock(START + 120_000) });
    await until(service, id, { status: 'ready_to_fix', latestVersion: 2 });
    const { rootCause } = await results(service, id);
    expect(rootCause.rootCauseSummary).toContain('connections in use');
    expect(rootCause.incidentOverview).not.toContain('again');
    await service.restart({ clock: manualClock(START + 600_000) });
    await until(service, id, { status: 'ready_to_fix', latestVersion: 2 });
  });

  it('is not disturbed when its issue is deleted', async () => {
    const clock = manualClock();
    const service = await testService({ clock });
    const gone = await service.create();
    const kept = await service.create();
    await service.call('DELETE', `/issues/${gone.uuid}`);
    const overview = async () => {
      // It may not have begun before.
      clock.advance(6000);
      return (await results(service, kept.uuid)).rootCause.incidentOverview;
    };
    await expect.poll(overview).not.toBe('');
  });
});

describe('a restart', () => {
  it('loses nothing, and takes up what was running', async () => {
    const clock = manualClock();
    const service = await testService({ clock });
    service.service().inject(POOL);
    const created = await service.create(ALERT);
    clock.advance(2500);
    await until(service, created.uuid, { status: 'investigating' });
    await service.restart({ clock: manualClock(clock.now() + 3 * MINUTE), seenAs: (source) => source });
    expect(service.service().faults()).toEqual([POOL]);
    await until(service, created.uuid, {
      number: 1,
      status: 'ready_to_fix',
      latestVersion: 1,
      versions: [{ version: 1, status: 'SUCCESS' }],
    });
    expect((await results(service, created.uuid)).rootCause.rootCauseSummary).toContain('payments');
    expect((await service.create()).number).toBe(2);
  });
});
