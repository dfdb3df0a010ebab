import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { START, type TestService, testService } from '../service/support.ts';
import { stoppedClock } from '../support/paced-clock.ts';
import { runs } from '../support/property-runs.ts';
import { serviceClient } from './service-client.ts';

const Answer = z.looseObject({ artifacts: z.array(z.looseObject({ id: z.string() })) });
const Ids = z.array(z.looseObject({ id: z.string() })).transform((found) => found.map(({ id }) => id));

/** A service whose agent has found something, and the ids of it. */
async function withArtifacts(): Promise<{ service: TestService; ids: string[] }> {
  const service = await testService({ clock: stoppedClock(START) });
  const fault = { kind: 'slow_query', service: 'orders-db' } as const;
  service.service().inject({ ...fault, from: START - 600_000, to: START + 60_000 });
  const { body } = await service.post('/query', { question: 'why is orders-db unwell?' });
  const ids = Answer.parse(body).artifacts.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(1);
  return { service, ids };
}

describe('4.8 retrieve artifacts', () => {
  it('4.8 id: in the order asked for, each once, without those that nobody knows', async () => {
    const { service, ids } = await withArtifacts();
    const id = fc.oneof(fc.constantFrom(...ids), fc.constantFrom('unknown', '', "' OR 1=1", '%'));
    await fc.assert(
      fc.asyncProperty(fc.array(id, { maxLength: 100 }), async (asked) => {
        const query = asked.map((each) => `id=${encodeURIComponent(each)}`).join('&');
        const { status, body } = await service.get(`/artifacts?${query}`);
        const expected = [...new Set(asked)].filter((each) => ids.includes(each));
        expect([status, Ids.parse(body)]).toEqual([200, expected]);
      }),
      { numRuns: runs(30) },
    );
  });

  it('4.8 id: 100 at most in a request; the client asks for any number', async () => {
    const { service, ids } = await withArtifacts();
    const many = [...ids, ...Array.from({ length: 150 }, (_, index) => `unknown-${index}`), ...ids];
    const query = (count: number) => many.slice(0, count).map((id) => `id=${id}`);
    expect((await service.get(`/artifacts?${query(100).join('&')}`)).status).toBe(200);
    expect(await service.get(`/artifacts?${query(101).join('&')}`)).toMatchObject({
      status: 400,
      body: { details: { id: 'at most 100 ids' } },
    });
    const client = await serviceClient(service);
    expect((await client.artifacts.get(many)).map(({ id }) => id)).toEqual(ids);
  });

  it('belong to their organization alone', async () => {
    const { service, ids } = await withArtifacts();
    const query = ids.map((id) => `id=${id}`).join('&');
    expect((await service.get(`/artifacts?${query}`, { key: 'globex-key' })).body).toEqual([]);
  });
});
