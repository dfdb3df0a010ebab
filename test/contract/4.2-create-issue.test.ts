import { describe, expect, it } from 'vitest';
import { ISSUE, testService } from '../service/support.ts';
import { types } from './fields.ts';
import { serviceClient } from './service-client.ts';

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/u);

describe('4.2 create issue', () => {
  it('answers 201 with everything of the contract (2.6)', async () => {
    const { post } = await testService();
    const answer = await post('/issues', { ...ISSUE, severity: 'high', triggeredAt: '2026-03-17T11:58Z' });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 201,
      body: {
        ...ISSUE,
        uuid,
        number: 1,
        status: 'investigating',
        severity: 'high',
        createdAt: '2026-03-17T12:00:00.000Z',
        updatedAt: '2026-03-17T12:00:00.000Z',
        triggeredAt: '2026-03-17T11:58:00.000Z',
        latestVersion: 1,
      },
    });
  });

  it('begins an investigation, which the client polls', async () => {
    const service = await testService({ investigationMs: 0 });
    const client = await serviceClient(service);
    const { uuid: id, status } = await client.issues.create(ISSUE);
    expect(status).toBe('investigating');
    await expect.poll(async () => (await client.issues.get(id)).status).toBe('ready_to_fix');
  });

  it('gives concurrent creates numbers without gap or repetition, for each organization its own', async () => {
    const { create } = await testService();
    const globex = { key: 'globex-key' };
    const [acme, others] = await Promise.all([
      Promise.all(Array.from({ length: 60 }, () => create())),
      Promise.all(Array.from({ length: 20 }, () => create({}, globex))),
    ]);
    const sorted = (created: { number: number }[]) =>
      created.map(({ number }) => number).sort((a, b) => a - b);
    expect(sorted(acme)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(sorted(others)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(new Set([...acme, ...others].map((issue) => types.uuid.parse(issue.uuid))).size).toBe(80);
  });

  it('never gives a number twice, not after a deletion nor a restart', async () => {
    const { create, call, restart } = await testService();
    const { uuid: id } = await create();
    await call('DELETE', `/issues/${id}`);
    await restart();
    expect((await create()).number).toBe(2);
  });
});
