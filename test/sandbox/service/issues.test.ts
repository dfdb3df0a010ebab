import { describe, expect, it } from 'vitest';
import { handClock, ISSUE, testService } from './support.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u;
const uuid = expect.stringMatching(UUID);

describe('creating an issue', () => {
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

  it('takes severity and trigger time from the defaults', async () => {
    const { create } = await testService();
    expect(await create()).toMatchObject({ severity: 'medium', triggeredAt: '2026-03-17T12:00:00.000Z' });
  });

  it('counts 500 characters of a title as people do', async () => {
    const { post } = await testService();
    expect((await post('/issues', { ...ISSUE, title: '🔥'.repeat(500) })).status).toBe(201);
    expect((await post('/issues', { ...ISSUE, title: '🔥'.repeat(501) })).status).toBe(400);
  });

  it('gives concurrent creates numbers without gap or repetition, for each organisation its own', async () => {
    const { create } = await testService();
    const created = await Promise.all(Array.from({ length: 40 }, () => create()));
    const numbers = created.map(({ number }) => number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(await create({}, { key: 'globex-key' })).toMatchObject({ number: 1 });
  });

  it('never gives a number twice', async () => {
    const { create, call } = await testService();
    const { uuid: id } = await create();
    await call('DELETE', `/issues/${id}`);
    expect((await create()).number).toBe(2);
  });
});

describe('fetching an issue', () => {
  it('answers the same by id and by number, with its seed and version', async () => {
    const { create, get } = await testService();
    const context = {
      alertUrl: 'https://alerts.example/7',
      service: 'checkout-api',
      traceId: '4bf92f3577b34da6',
      tags: ['team:shop'],
      metadata: { runbook: { page: 3 } },
      shift: 'night',
    };
    const created = await create({ context });
    const byId = await get(`/issues/${created.uuid}`);
    expect({ status: byId.status, body: byId.body }).toEqual({
      status: 200,
      body: {
        ...created,
        seedCount: 1,
        seeds: [
          {
            publicUuid: uuid,
            seedType: 'ALERT',
            provider: 'api',
            providerReferenceId: '4bf92f3577b34da6',
            title: ISSUE.title,
            description: ISSUE.description,
            tags: ['team:shop'],
            triggeredAt: '2026-03-17T12:00:00.000Z',
            link: 'https://alerts.example/7',
            query: '',
            rawPayload: context,
          },
        ],
        versions: [{ uuid, version: 1, status: 'RUNNING', description: 'The investigation is running.' }],
      },
    });
    expect((await get('/issues/by_number/1')).body).toEqual(byId.body);
    expect((await get(`/issues/${created.uuid}?version=1`)).body).toEqual(byId.body);
    expect((await get(`/issues/${created.uuid}?version=2`)).status).toBe(404);
  });
});

describe('updating an issue', () => {
  it('sets any status after any other, and says when', async () => {
    const clock = handClock();
    const { create, patch } = await testService({ clock });
    const { uuid: id } = await create();
    for (const status of ['resolved', 'muted', 'ready_to_fix', 'investigating', 'resolved']) {
      clock.advance(1000);
      const answer = await patch(`/issues/${id}`, { status });
      expect(answer).toMatchObject({
        status: 200,
        body: { uuid: id, status, latestVersion: 1, updatedAt: new Date(clock.now()).toISOString() },
      });
    }
  });

  it('refuses a status that the contract does not name', async () => {
    const { create, patch } = await testService();
    const { uuid: id } = await create();
    expect((await patch(`/issues/${id}`, { status: 'closed' })).status).toBe(400);
    expect((await patch(`/issues/${id}`, {})).status).toBe(400);
  });
});

describe('deleting an issue', () => {
  it('answers 204 without a body, once', async () => {
    const { create, call, get } = await testService();
    const { uuid: id } = await create();
    const answer = await call('DELETE', `/issues/${id}`);
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    expect((await call('DELETE', `/issues/${id}`)).status).toBe(404);
    expect((await get(`/issues/${id}`)).status).toBe(404);
    expect((await get(`/issues/${id}/results`)).status).toBe(404);
    expect((await get('/issues/by_number/1')).status).toBe(404);
  });
});
