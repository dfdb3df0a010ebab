import { expect, it } from 'vitest';
import { manualClock } from '../../support/manual-clock.ts';
import { testService } from '../support.ts';

it('looks at no more keys of an address that guesses, but at one that was right before', async () => {
  const clock = manualClock();
  const service = await testService({ clock });
  const list = async (key: string) => {
    const { status, body, headers } = await service.get('/issues', { key });
    return { status, body, later: headers.get('retry-after') };
  };
  const wrong = { status: 401, body: { message: 'The API key is invalid' } };
  const tooMany = {
    status: 429,
    body: { message: 'Too many wrong keys came from this address. Try again in a minute.' },
    later: '60',
  };
  expect(await list('acme-key')).toMatchObject({ status: 200 });
  for (let i = 0; i < 20; i++) expect(await list(`guess-${i}`)).toMatchObject(wrong);
  expect(await list('globex-key')).toMatchObject(tooMany);
  expect(await list('acme-key')).toMatchObject({ status: 200 });
  const mcp = await fetch(new URL('/mcp', service.service().url), {
    method: 'POST',
    headers: { authorization: 'Bearer globex-key', 'content-type': 'application/json' },
    body: '{}',
  });
  expect(mcp.status).toBe(429);
  expect(await mcp.text()).toContain('Too many wrong keys');
  clock.advance(60_001);
  expect(await list('globex-key')).toMatchObject({ status: 200 });
});

it('guesses at the token of changes keep nobody from the API, who may share their address', async () => {
  const service = await testService({ changesToken: 'the-token-of-changes' });
  const report = async (token: string) =>
    (
      await fetch(new URL('/changes', service.service().url), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      })
    ).status;
  for (let i = 0; i < 20; i++) expect(await report(`guess-${i}`)).toBe(401);
  expect(await report('the-token-of-changes')).toBe(429);
  expect((await service.get('/issues', { key: 'acme-key' })).status).toBe(200);
});
