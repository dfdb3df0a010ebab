import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/service/store/store.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { createReportedChanges } from '../../../src/service/telemetry/changes/reported.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { found, MINUTE, ONSET, system } from '../investigation/freight.ts';
import { START, temporaryFolder, testService } from '../support.ts';

const TOKEN = 'a-token-of-a-pipeline';
const DEPLOY = { service: 'ledger', kind: 'deploy', title: 'Deploy ledger 4.2.0', version: '4.2.0' };

/** A service that takes changes, and how a pipeline reports them. */
async function takingChanges(over: { changesToken?: string | null } = {}) {
  const clock = manualClock(START);
  const file = join(temporaryFolder(), 'service.db');
  const { service, close } = await testService({ file, clock, changesToken: TOKEN, ...over });
  const report = async (
    body: unknown,
    { token = TOKEN, method = 'POST' }: { token?: string | null; method?: string } = {},
  ) => {
    const response = await fetch(new URL('/changes', service().url), {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    return { status: response.status, answer, headers: response.headers };
  };
  /** What is stored, read by another connection when the service is gone. */
  const stored = async () => {
    await close();
    const store = await openStore({ file });
    const window = { from: 0, to: Number.MAX_SAFE_INTEGER };
    const all = await store.changes.within(window);
    await store.close();
    return all;
  };
  return { report, stored, clock, service };
}

describe('POST /changes', () => {
  it('stores what a pipeline reports, and answers it with its time', async () => {
    const { report, stored } = await takingChanges();
    const at = '2026-03-17T11:55:00+01:00';
    const url = 'https://ci.example/run/7';
    expect(await report({ ...DEPLOY, at, url })).toMatchObject({
      status: 201,
      answer: { ...DEPLOY, at: '2026-03-17T10:55:00.000Z', url },
    });
    expect(await stored()).toMatchObject([{ ...DEPLOY, at: Date.parse(at), url }]);
  });

  it('takes one without a time for one of now, and leaves alone what it does not know', async () => {
    const { report } = await takingChanges();
    expect(
      await report({ service: 'ledger', kind: 'db-migration', title: 'Add an index', team: 'core' }),
    ).toMatchObject({
      status: 201,
      answer: { kind: 'db-migration', at: new Date(START).toISOString(), version: null, url: null },
    });
  });

  it('keeps what a rollout changed: what ran before, who wrote it, and the diff as git prints it', async () => {
    const { report, stored } = await takingChanges();
    const diff = [
      'diff --git a/src/charge.ts b/src/charge.ts',
      'index 83db48f..bf2a1c9 100644',
      '--- a/src/charge.ts',
      '+++ b/src/charge.ts',
      '@@ -1 +1 @@ export function charge()',
      '-  retries: 3,',
      '+  retries: 30,',
      'diff --git a/logo.png b/logo.png',
      'Binary files a/logo.png and b/logo.png differ',
      '',
    ].join('\n');
    const contents = {
      before: '4.1.9',
      authors: ['Ada'],
      files: ['src/charge.ts', 'logo.png', 'db/0007.sql'],
      details: [
        'src/charge.ts',
        'logo.png',
        'db/0007.sql',
        '--- a/src/charge.ts',
        '+++ b/src/charge.ts',
        '@@ -1 +1 @@ export function charge()',
        '-  retries: 3,',
        '+  retries: 30,',
      ].join('\n'),
    };
    const sent = { ...DEPLOY, before: '4.1.9', authors: ['Ada'], files: ['db/0007.sql'], diff };
    expect(await report(sent)).toMatchObject({ status: 201, answer: contents });
    expect(await stored()).toMatchObject([{ ...DEPLOY, contents }]);
  });

  it('says of a diff in another format that it is, and cuts one that is too long', async () => {
    const { report } = await takingChanges();
    const long = ['+++ b/generated.sql', '@@ -0,0 +1,9000 @@', ...Array(9000).fill('+insert into t')].join(
      '\n',
    );
    expect(await report({ ...DEPLOY, diff: '3c3\n< a\n---\n> b' })).toMatchObject({
      answer: { details: 'The diff that was reported is not in the format of git diff.' },
    });
    const { answer } = await report({ ...DEPLOY, version: '4.3.0', diff: long });
    expect(JSON.stringify(answer)).toMatch(/… and \d+ more lines"/u);
    expect(JSON.stringify(answer).length).toBeLessThan(70_000);
  });

  it('keeps what is sent twice once, with a time and without', async () => {
    const { report, stored, clock } = await takingChanges();
    const dated = { ...DEPLOY, at: new Date(START - 60_000).toISOString() };
    const first = [await report(DEPLOY), await report(dated)];
    await clock.advance(60_000);
    const again = [await report(DEPLOY), await report(dated)];
    expect(again.map(({ status }) => status)).toEqual([200, 200]);
    expect(again.map(({ answer }) => answer)).toEqual(first.map(({ answer }) => answer));
    expect(await stored()).toHaveLength(2);
  });

  it('takes the same deploy an hour later for another one', async () => {
    const { report, stored, clock } = await takingChanges();
    await report(DEPLOY);
    await clock.advance(3_600_000);
    expect(await report(DEPLOY)).toMatchObject({ status: 201 });
    expect(await stored()).toHaveLength(2);
  });

  it('forgets what is too old to explain anything', async () => {
    const { report, stored, clock } = await takingChanges();
    await report(DEPLOY);
    await clock.advance(31 * 24 * 3_600_000);
    await report({ ...DEPLOY, title: 'Deploy ledger 4.3.0', version: '4.3.0' });
    expect(await stored()).toMatchObject([{ version: '4.3.0' }]);
  });

  it.each([
    ['nothing', {}, { service: 'is missing', kind: 'is missing', title: 'is missing' }],
    [
      'a misspelt field',
      { servce: 'ledger', kind: 'deploy', title: 'Deploy' },
      { servce: 'is not a field of a change: did you mean service?', service: 'is missing' },
    ],
    [
      'a misspelt field that may be left out',
      { ...DEPLOY, diffs: 'x' },
      { diffs: 'is not a field of a change: did you mean diff?' },
    ],
    ['an empty service', { ...DEPLOY, service: ' ' }, { service: expect.any(String) }],
    [
      'a time that is none',
      { ...DEPLOY, at: 'yesterday' },
      { at: 'must be a time such as 2026-03-17T12:00:00Z' },
    ],
    [
      'a time to come',
      { ...DEPLOY, at: new Date(START + 3_600_000).toISOString() },
      { at: 'must not lie in the future: report a change when it has happened' },
    ],
    [
      'a script as a link',
      { ...DEPLOY, url: 'javascript:alert(1)' },
      { url: 'must be an http:// or https:// address' },
    ],
    ['a title without end', { ...DEPLOY, title: 'x'.repeat(501) }, { title: expect.any(String) }],
  ])('refuses %s, with the field that is wrong', async (_, body, details) => {
    const { report, stored } = await takingChanges();
    expect(await report(body)).toMatchObject({
      status: 400,
      answer: { type: 'invalid_request_error', details },
    });
    expect(await stored()).toEqual([]);
  });

  it('refuses what is not JSON, or too large', async () => {
    const { report } = await takingChanges();
    expect(await report('{"service":')).toMatchObject({
      status: 400,
      answer: { message: 'The request body is not valid JSON' },
    });
    expect(await report('x'.repeat(1_100_000))).toMatchObject({ status: 413 });
  });

  it('takes nothing without its token, and says nothing of it', async () => {
    const { report, stored } = await takingChanges();
    const refused = [await report(DEPLOY, { token: null }), await report(DEPLOY, { token: `${TOKEN}x` })];
    expect(refused.map(({ status, answer }) => ({ status, answer }))).toMatchObject([
      { status: 401, answer: { message: 'Missing token: send Authorization: Bearer <CHANGES_TOKEN>' } },
      { status: 401, answer: { message: 'The token is not the CHANGES_TOKEN of this service' } },
    ]);
    expect(JSON.stringify(refused)).not.toContain(TOKEN);
    expect(await stored()).toEqual([]);
  });

  it('is not opened by an API key', async () => {
    const { report } = await takingChanges();
    expect(await report(DEPLOY, { token: 'acme-key' })).toMatchObject({ status: 401 });
  });

  it('says how to turn it on where it is off, and knows no other method', async () => {
    const off = await takingChanges({ changesToken: null });
    expect(await off.report(DEPLOY)).toMatchObject({
      status: 404,
      answer: { message: 'This service does not accept changes: set CHANGES_TOKEN to turn POST /changes on' },
    });
    const on = await takingChanges();
    const answer = await on.report(undefined, { method: 'GET' });
    expect(answer).toMatchObject({ status: 405 });
    expect(answer.headers.get('allow')).toBe('POST');
  });

  it('is a source of changes', async () => {
    const store = await openStore({ file: ':memory:' });
    await store.changes.add(
      { ...DEPLOY, at: START, url: null, contents: null },
      { isDated: true, now: START },
    );
    const source = createReportedChanges(store.changes);
    const window = { from: START - 1, to: START + 1 };
    expect(await source.changes(window, UNLIMITED)).toMatchObject({
      known: true,
      value: [{ service: 'ledger', kind: 'deploy', version: '4.2.0', at: START }],
    });
    expect(await source.changes({ from: START + 1, to: START + 2 }, UNLIMITED)).toMatchObject({ value: [] });
    // What was reported before is what ran before.
    const next = { ...DEPLOY, version: '4.3.0', at: START + 10, url: null, contents: null };
    await store.changes.add(next, { isDated: true, now: START });
    const later = await source.changes({ from: START + 1, to: START + 20 }, UNLIMITED);
    expect(later).toMatchObject({ value: [{ version: '4.3.0', before: '4.2.0' }] });
    // What the pipeline says of itself is better known.
    const contents = { before: '4.3.1', details: '+a', authors: ['Ada'] };
    await store.changes.add(
      { ...next, version: '4.4.0', at: START + 30, contents },
      { isDated: true, now: START },
    );
    const latest = await source.changes({ from: START + 20, to: START + 40 }, UNLIMITED);
    expect(latest).toMatchObject({
      value: [{ version: '4.4.0', before: '4.3.1', details: '+a', authors: ['Ada'] }],
    });
    await store.close();
  });
});

it('a change that was reported is blamed where it fits, and not elsewhere', async () => {
  const store = await openStore({ file: ':memory:' });
  for (const service of ['tariffs', 'printer'])
    await store.changes.add(
      {
        at: ONSET - MINUTE,
        service,
        kind: 'deploy',
        title: `Deploy ${service} 7.3.0`,
        version: '7.3.0',
        url: null,
        contents: null,
      },
      { isDated: true, now: ONSET },
    );
  const { summary, investigation } = await found(system({}), {}, [createReportedChanges(store.changes)]);
  await store.close();
  expect(summary).toMatch(/^Degradation of tariffs after a deploy: 7\.3\.0 rolled out at 10:21 UTC/u);
  expect(investigation.results.rootCause.irrelevantEvidence).toContainEqual(
    expect.objectContaining({ title: 'Deploy printer 7.3.0, 10:21 UTC' }),
  );
});
