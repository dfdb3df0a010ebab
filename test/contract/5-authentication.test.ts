import { describe, expect, it } from 'vitest';
import { ISSUE, testService } from '../service/support.ts';
import { serviceClient } from './service-client.ts';

const UUID = '5f1d7c1e-9a53-4d0e-8f8e-0d6b6f0a1b2c';

describe('5 authentication', () => {
  it.each([
    ['GET', '/issues'],
    ['POST', '/issues'],
    ['PATCH', `/issues/${UUID}`],
    ['GET', `/issues/${UUID}`],
    ['GET', '/issues/by_number/1'],
    ['GET', `/issues/${UUID}/results`],
    ['DELETE', `/issues/${UUID}`],
    ['GET', '/artifacts'],
    ['POST', '/query'],
    ['GET', '/nothing'],
    ['PUT', '/issues'],
  ])('%s %s needs a key before anything else is looked at', async (method, path) => {
    const { call } = await testService();
    const body = method === 'GET' || method === 'DELETE' ? undefined : '{"malformed';
    expect(await call(method, path, { key: null, body })).toMatchObject({
      status: 401,
      body: { type: 'authentication_error' },
    });
  });

  it.each([
    ['Basic acme-key', 401],
    ['acme-key', 401],
    ['Bearer', 401],
    ['Bearer acme-key globex-key', 401],
    ['Bearer ACME-KEY', 401],
    ['Bearer acme', 401],
    ['Bearer acme-key', 200],
    ['bearer acme-key', 200],
    ['Bearer  acme-key', 200],
  ])('"%s" is answered with %i', async (authorization, status) => {
    const { get } = await testService();
    expect((await get('/issues', { key: null, headers: { authorization } })).status).toBe(status);
  });

  it('keeps every organization to its own issues', async () => {
    const service = await testService();
    const { uuid } = await service.create();
    const globex = { key: 'globex-key' };
    const call = async (method: string, path: string, body?: unknown) =>
      (await service.call(method, path, { ...globex, body })).status;

    expect((await service.get('/issues', globex)).body).toEqual({
      object: 'list',
      data: [],
      has_more: false,
    });
    expect({
      fetch: await call('GET', `/issues/${uuid}`),
      fetchByNumber: await call('GET', '/issues/by_number/1'),
      results: await call('GET', `/issues/${uuid}/results`),
      update: await call('PATCH', `/issues/${uuid}`, { status: 'resolved' }),
      delete: await call('DELETE', `/issues/${uuid}`),
      cursor: await call('GET', `/issues?startingAfter=${uuid}`),
      search: (await service.get('/issues?search=checkout', globex)).body,
    }).toEqual({
      fetch: 404,
      fetchByNumber: 404,
      results: 404,
      update: 404,
      delete: 404,
      cursor: 400,
      search: { object: 'list', data: [], has_more: false },
    });
    expect((await service.get(`/issues/${uuid}`)).body).toMatchObject({ status: 'investigating' });
  });

  it('keeps the agent to the issues of the organization that asks', async () => {
    const service = await testService();
    await service.create({ title: 'Zebra crossing on fire' });
    const globex = await serviceClient(service, 'globex-key');
    for (const question of ['what was #1?', 'what is open?']) {
      expect((await globex.query.ask({ question })).answer).not.toContain('Zebra');
    }
  });

  it('lets several keys of one organization see the same', async () => {
    const service = await testService({ keys: { one: 'acme', two: 'acme' } });
    await service.post('/issues', ISSUE, { key: 'one' });
    const client = await serviceClient(service, 'two');
    expect(await client.issues.byNumber(1)).toMatchObject({ title: ISSUE.title });
  });
});
