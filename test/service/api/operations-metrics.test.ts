import { expect, it } from 'vitest';
import { testService } from '../support.ts';

it('counts questions and reported changes', async () => {
  const { service, post } = await testService({ changesToken: 'token' });
  expect(await post('/query', { question: 'what is open?' })).toMatchObject({ status: 200 });
  const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
  const body = JSON.stringify({ service: 'ledger', kind: 'deploy', title: 'Deploy ledger 4.2.0' });
  for (const status of [201, 200])
    expect((await fetch(new URL('/changes', service().url), { method: 'POST', headers, body })).status).toBe(
      status,
    );
  const metrics = await (await fetch(new URL('/metrics', service().url))).text();
  expect(metrics).toContain('gumshoe_service_questions_total{outcome="answered"} 1');
  expect(metrics).toContain('gumshoe_service_changes_total{outcome="new"} 1');
  expect(metrics).toContain('gumshoe_service_changes_total{outcome="repeated"} 1');
});
