import { describe, expect, it } from 'vitest';
import { ISSUE, testService } from '../service/support.ts';
import { serviceClient } from './service-client.ts';

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/u);
const UNKNOWN = '5f1d7c1e-9a53-4d0e-8f8e-0d6b6f0a1b2c';

describe('4.4 fetch issue by id', () => {
  it('answers the issue with its seed and its version', async () => {
    const { create, get } = await testService();
    const context = {
      alertUrl: 'https://alerts.example/7',
      traceId: '4bf92f3577b34da6',
      tags: ['team:shop'],
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
  });

  it('takes a version that the issue has, and the latest where none is told', async () => {
    const service = await testService();
    const client = await serviceClient(service);
    const { uuid: id } = await service.create();
    const latest = await client.issues.get(id);
    expect(await client.issues.get(id, { version: 1 })).toEqual(latest);
    await expect(client.issues.get(id, { version: 2 })).rejects.toMatchObject({ status: 404 });
    await expect(client.issues.get(UNKNOWN)).rejects.toMatchObject({ status: 404 });
  });

  it.each(['0', '-1', '1.5', '01', 'latest', '', '9007199254740992'])(
    'refuses version %j',
    async (version) => {
      const { create, get } = await testService();
      const { uuid: id } = await create();
      for (const path of [`/issues/${id}`, `/issues/${id}/results`]) {
        const { status, body } = await get(`${path}?version=${version}`);
        expect({ status, body }).toMatchObject({
          status: 400,
          body: { details: { version: expect.any(String) } },
        });
      }
    },
  );
});
