import { describe, expect, it } from 'vitest';
import { testService } from '../service/support.ts';
import { manualClock } from '../support/manual-clock.ts';
import { serviceClient } from './service-client.ts';

describe('4.6 fetch investigation results', () => {
  it('have one shape from the first moment, of the latest version or the one asked for', async () => {
    const service = await testService({ investigationMs: 0 });
    const client = await serviceClient(service);
    const { uuid } = await service.create({ title: 'Cart is slow' });
    const status = async () => (await client.issues.get(uuid)).status;
    await expect.poll(status).toBe('ready_to_fix');
    const first = await client.issues.results(uuid);
    await client.issues.update(uuid, 'investigating');
    await expect.poll(status).toBe('ready_to_fix');
    const second = await client.issues.results(uuid);
    expect(second.sessionUuid).not.toBe(first.sessionUuid);
    expect(await client.issues.results(uuid, { version: 1 })).toEqual(first);
    expect(await client.issues.results(uuid, { version: 2 })).toEqual(second);
    await expect(client.issues.results(uuid, { version: 3 })).rejects.toMatchObject({ status: 404 });
  });

  it('are empty lists while nothing is known', async () => {
    const service = await testService({ clock: manualClock() });
    const { uuid } = await service.create();
    expect((await service.get(`/issues/${uuid}/results`)).body).toEqual({
      sessionUuid: expect.any(String),
      rootCause: {
        id: expect.any(String),
        incidentOverview: '',
        relevantEvidence: [],
        irrelevantEvidence: [],
      },
      causalTree: { nodes: [], edges: [] },
      causalTreeV2: { nodes: [], edges: [] },
      remediation: { actions: [] },
      timeline: [],
    });
  });
});
