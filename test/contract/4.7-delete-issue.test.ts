import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/lib/clock.ts';
import { START, type TestService, testService } from '../sandbox/service/support.ts';
import { numbers } from './paging.ts';
import { serviceClient } from './service-client.ts';

const Kept = z.array(z.object({ id: z.string() }));

/** Ids of all artifacts that the results of an issue refer to. */
async function references(service: TestService, uuid: string): Promise<string> {
  const results = JSON.stringify((await service.get(`/issues/${uuid}/results`)).body);
  const ids = new Set(Array.from(results.matchAll(/"documentId":"([^"]+)"/gu), ([, id]) => `id=${id}`));
  return [...ids].slice(0, 100).join('&');
}

describe('4.7 delete issue', () => {
  it('answers 204 without a body, once', async () => {
    const { create, call, get } = await testService();
    const { uuid } = await create();
    const answer = await call('DELETE', `/issues/${uuid}`);
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    expect((await call('DELETE', `/issues/${uuid}`)).status).toBe(404);
    expect((await get(`/issues/${uuid}`)).status).toBe(404);
    expect((await get(`/issues/${uuid}/results`)).status).toBe(404);
    expect((await get('/issues/by_number/1')).status).toBe(404);
  });

  it('removes everything: lists, searches, results of every version, artifacts; and nothing else', async () => {
    const clock = { ...systemClock, now: () => START };
    const service = await testService({ clock, investigationMs: 0 });
    const client = await serviceClient(service);
    const fault = { kind: 'connection_pool', service: 'payments' } as const;
    service.service().inject({ ...fault, from: START - 480_000, to: START + 300_000 });
    const ready = (uuid: string) =>
      expect
        .poll(async () => (await client.issues.get(uuid)).status, { timeout: 10_000 })
        .toBe('ready_to_fix');
    const issue = { title: 'Errors at payments', context: { service: 'payments' } };
    const gone = await service.create(issue);
    const kept = await service.create(issue);
    await ready(gone.uuid);
    await ready(kept.uuid);
    const first = await references(service, gone.uuid);
    await client.issues.update(gone.uuid, 'investigating');
    await ready(gone.uuid);
    const second = await references(service, gone.uuid);
    const others = await references(service, kept.uuid);
    expect(first).not.toBe(second);

    await client.issues.delete(gone.uuid);

    expect((await service.get(`/artifacts?${first}`)).body).toEqual([]);
    expect((await service.get(`/artifacts?${second}`)).body).toEqual([]);
    expect((await service.get(`/issues/${gone.uuid}/results?version=1`)).status).toBe(404);
    expect(await numbers(service, '')).toEqual([2]);
    expect(await numbers(service, 'search=payments')).toEqual([2]);
    expect(await numbers(service, 'search=pa')).toEqual([2]);
    const artifacts = Kept.parse((await service.get(`/artifacts?${others}`)).body);
    expect(artifacts.map(({ id }) => `id=${id}`).join('&')).toBe(others);
  });

  it('makes the agent forget the issue, in a conversation that was about it too', async () => {
    const service = await testService({ investigationMs: 0 });
    const client = await serviceClient(service);
    const { uuid } = await service.create({ title: 'Zebra crossing on fire' });
    const first = await client.query.ask({ question: 'what was #1?' });
    expect(first.answer).toContain('Zebra crossing');
    await client.issues.delete(uuid);
    for (const question of ['what was #1?', 'and now?', 'what should I do?', 'what is open?']) {
      const { conversation_id = '' } = first;
      const next = await client.query.ask({ question, conversation_id });
      expect(next.answer).not.toContain('Zebra');
    }
  });

  it('is not disturbed by an investigation that still runs', async () => {
    const logged: string[] = [];
    const log = { error: (_: Record<string, unknown>, message: string) => logged.push(message) };
    const service = await testService({ investigationMs: 0, log });
    const deleted = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { uuid } = await service.create();
        return (await service.call('DELETE', `/issues/${uuid}`)).status;
      }),
    );
    expect(deleted).toEqual([204, 204, 204, 204, 204]);
    await service.close();
    expect(logged).toEqual([]);
  });
});
