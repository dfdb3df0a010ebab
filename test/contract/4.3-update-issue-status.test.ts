import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { described, testService } from '../service/support.ts';
import { manualClock } from '../support/manual-clock.ts';
import { runs } from '../support/property-runs.ts';
import { serviceClient } from './service-client.ts';

const STATUSES = ['investigating', 'ready_to_fix', 'resolved', 'muted'] as const;

describe('4.3 update issue status', () => {
  it('sets any status after any other, says when, and changes nothing else', async () => {
    const clock = manualClock();
    const service = await testService({ clock });
    const client = await serviceClient(service);
    const { uuid } = await service.create();
    const { versions: _, ...before } = await client.issues.get(uuid);
    for (const from of STATUSES) {
      for (const to of STATUSES) {
        await client.issues.update(uuid, from);
        clock.advance(10);
        const updatedAt = new Date(clock.now()).toISOString();
        const { versions, ...after } = await client.issues.update(uuid, to);
        expect(after).toEqual({ ...before, status: to, updatedAt });
        expect(versions).toMatchObject([{ version: 1, status: 'RUNNING' }]);
        expect(await client.issues.get(uuid)).toEqual({ ...after, versions });
      }
    }
  });

  it('refuses what openapi.json refuses, and says which field', async () => {
    const { create, patch, service } = await testService();
    const { takes } = await described(service().url);
    const { uuid } = await create();
    const status = fc.oneof(fc.constantFrom<unknown>(...STATUSES, 'RESOLVED', '', null, 7), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(fc.record({ status }, { requiredKeys: [] }), async (body) => {
        const answer = await patch(`/issues/${uuid}`, body);
        if (takes('patch', '/issues/{id}', body)) expect(answer.status).toBe(200);
        else expect(answer).toMatchObject({ status: 400, body: { details: { status: expect.any(String) } } });
      }),
      { numRuns: runs(60) },
    );
  });
});
