import { expect, it } from 'vitest';
import { testService } from '../sandbox/service/support.ts';

it('keeps every organisation to its own issues', async () => {
  const service = await testService();
  const { uuid } = await service.create();
  const globex = { key: 'globex-key' };
  const call = async (method: string, path: string, body?: unknown) =>
    (await service.call(method, path, { ...globex, ...(body === undefined ? {} : { body }) })).status;

  expect((await service.get('/issues', globex)).body).toEqual({ object: 'list', data: [], has_more: false });
  expect({
    fetch: await call('GET', `/issues/${uuid}`),
    fetchByNumber: await call('GET', '/issues/by_number/1'),
    results: await call('GET', `/issues/${uuid}/results`),
    update: await call('PATCH', `/issues/${uuid}`, { status: 'resolved' }),
    delete: await call('DELETE', `/issues/${uuid}`),
    cursor: await call('GET', `/issues?startingAfter=${uuid}`),
  }).toEqual({ fetch: 404, fetchByNumber: 404, results: 404, update: 404, delete: 404, cursor: 400 });

  expect((await service.get(`/issues/${uuid}`)).body).toMatchObject({ status: 'investigating' });
});
