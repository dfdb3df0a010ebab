import { describe, expect, it } from 'vitest';
import { ISSUE, testService } from '../service/support.ts';

const UUID = '5f1d7c1e-9a53-4d0e-8f8e-0d6b6f0a1b2c';

const OPERATIONS: [string, string, unknown, number][] = [
  ['GET', '/issues', undefined, 200],
  ['POST', '/issues', ISSUE, 201],
  ['PATCH', `/issues/${UUID}`, { status: 'muted' }, 404],
  ['GET', `/issues/${UUID}`, undefined, 404],
  ['GET', '/issues/by_number/9', undefined, 404],
  ['GET', `/issues/${UUID}/results`, undefined, 404],
  ['DELETE', `/issues/${UUID}`, undefined, 404],
  ['GET', '/artifacts', undefined, 200],
  ['POST', '/query', { question: 'what is open?' }, 200],
];

describe('9 versioning', () => {
  it.each(OPERATIONS)(
    '%s %s takes the current version, or none, and refuses others',
    async (method, path, body, status) => {
      const { call } = await testService();
      const answer = (version: string) =>
        call(method, path, { body, headers: { 'service-version': version } });
      expect((await call(method, path, { body })).status).toBe(status);
      expect((await answer('2026-03-17')).status).toBe(status);
      for (const version of ['2026-03-16', '2020-01-01', 'latest', 'v2', '']) {
        expect(await answer(version)).toMatchObject({
          status: 400,
          body: { details: { 'Service-Version': 'must be 2026-03-17' } },
        });
      }
    },
  );
});
