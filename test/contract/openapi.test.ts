import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/lib/clock.ts';
import { type Answer, ISSUE, START, testService } from '../sandbox/service/support.ts';

const UNKNOWN = '5f1d7c1e-9a53-4d0e-8f8e-0d6b6f0a1b2c';
const Artifacts = z.object({ artifacts: z.array(z.object({ id: z.string() })) });

it('answers every operation as openapi.json says', async () => {
  const clock = { ...systemClock, now: () => START };
  const service = await testService({ clock, investigationMs: 0 });
  service.service().inject({ kind: 'bad_deploy', service: 'payments', from: START - 600_000, to: START });
  const document = z.record(z.string(), z.unknown()).parse((await service.get('/openapi.json')).body);
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'api');

  /** What is wrong with an answer; an undescribed status is. */
  const faults = (path: string, method: string, { status, body }: Answer): unknown => {
    const response = `api#/paths/${path.replaceAll('/', '~1')}/${method}/responses/${status}`;
    if (status === 204) return body;
    const validate = ajv.getSchema(encodeURI(`${response}/content/application~1json/schema`));
    if (!validate) return `${status} is not described`;
    return validate(body) ? undefined : validate.errors;
  };

  const fields = { ...ISSUE, title: 'Errors at payments', context: { service: 'payments' } };
  const created = await service.post('/issues', fields);
  const { uuid } = z.object({ uuid: z.string() }).parse(created.body);
  const detail = () => service.get(`/issues/${uuid}`);
  await expect.poll(async () => (await detail()).body).toMatchObject({ status: 'ready_to_fix' });
  const answer = await service.post('/query', { question: 'why is payments unwell?' });
  const ids = Artifacts.parse(answer.body).artifacts.map(({ id }) => `id=${id}`);
  expect(ids).not.toEqual([]);

  const issue = '/issues/{id}';
  const walked: [string, string, Answer][] = [
    ['/issues', 'post', created],
    ['/issues', 'post', await service.post('/issues', {})],
    ['/issues', 'post', await service.post('/issues', 'x', { headers: { 'content-type': 'text/plain' } })],
    ['/issues', 'get', await service.get('/issues')],
    ['/issues', 'get', await service.get('/issues', { key: null })],
    [issue, 'get', await detail()],
    [issue, 'get', await service.get(`/issues/${UNKNOWN}`)],
    ['/issues/by_number/{number}', 'get', await service.get('/issues/by_number/1')],
    ['/issues/{id}/results', 'get', await service.get(`/issues/${uuid}/results`)],
    ['/artifacts', 'get', await service.get(`/artifacts?${ids.join('&')}`)],
    ['/query', 'post', answer],
    ['/query', 'post', await service.post('/query', { question: '' })],
    [issue, 'patch', await service.patch(`/issues/${uuid}`, { status: 'investigating' })],
    ['/issues/{id}/results', 'get', await service.get(`/issues/${uuid}/results`)],
    [issue, 'delete', await service.call('DELETE', `/issues/${uuid}`)],
  ];
  expect(
    walked.map(([path, method, answered]) => [path, method, answered.status, faults(path, method, answered)]),
  ).toEqual(walked.map(([path, method, { status }]) => [path, method, status, undefined]));
  expect(walked.map(([, , { status }]) => status)).toEqual([
    201, 400, 415, 200, 401, 200, 404, 200, 200, 200, 200, 400, 200, 200, 204,
  ]);
});
