import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/bot/config.ts';
import { checkStatusPages, checkTelemetry } from '../../../src/tools/checks/connections.ts';
import { checkOwners } from '../../../src/tools/checks/owners.ts';
import { unusedAddress } from '../../support/scripted-service.ts';
import { Refusal, scriptedSource } from '../../support/scripted-source.ts';

/** A file with that text, until the test ends. */
function file(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-checks-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'file');
  writeFileSync(path, text);
  return path;
}

/** What `npm run doctor` says of telemetry that is configured so, where it is wrong. */
async function said(env: Record<string, string>): Promise<string> {
  return (await checkTelemetry(env))
    .flatMap(({ ok, detail, notes = [] }) => [...(ok ? [] : [detail]), ...notes])
    .join('\n');
}

const ONCALL = { ONCALL: 'grafana', ONCALL_TOKEN: 't', ONCALL_URL: 'http://127.0.0.1:1' };

async function ownersSaid(text: string | null, onCall: Record<string, string> = {}): Promise<string> {
  const env = { OWNERS: text === null ? '/nowhere/OWNERS' : file(text), ...onCall };
  const read = readConfig(
    { ALLOW_SIMULATED: 'true', DATABASE_URL: 'sqlite:x.db', ...env },
    { hasTelemetry: false },
  );
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const results = await checkOwners(read.config);
  return results.flatMap(({ ok, detail, notes = [] }) => (ok ? [] : [detail, ...notes])).join('\n');
}

describe('a wrong file, host or format', () => {
  it.each([
    ['that is not there', { ACTIONS: '/nowhere/actions' }, /ACTIONS/u],
    [
      'with a kind of cause that there is not',
      { ACTIONS: 'payments bad-deplo ci' },
      /line 1: "bad-deplo" is not one of \*, /u,
    ],
    [
      'with half a line',
      { ACTIONS: 'payments' },
      /line 1: must be a service, a kind of cause, and a command/u,
    ],
    [
      'with a misspelt placeholder',
      { ACTIONS: 'payments * ci {servise}' },
      /\{servise\} is not a placeholder: did you mean \{service\}\?/u,
    ],
  ])('of ACTIONS, %s, has its sentence', async (_, { ACTIONS }, sentence) => {
    const path = ACTIONS.startsWith('/') ? ACTIONS : file(ACTIONS);
    expect(await said({ PROMETHEUS_URL: 'http://127.0.0.1:1', ACTIONS: path })).toMatch(sentence);
  });

  it.each([
    ['no name', { LOG_FILES: '/var/log/checkout/*.log' }, /LOG_FILES/u],
    ['no file', { LOG_FILES: 'checkout=/nowhere/*.log' }, /\/nowhere\/\*\.log/u],
  ])('of LOG_FILES, %s, has its sentence', async (_, env, sentence) => {
    expect(await said(env)).toMatch(sentence);
  });

  it('of STATUS_PAGES has its sentence: no address, a host that does not answer, a page of another kind', async () => {
    const { url } = await scriptedSource({ '/*': { answer: () => new Refusal(200, '<html>') } });
    expect([
      await said({ STATUS_PAGES: 'api.stripe.com' }),
      await said({ STATUS_PAGES: `api.stripe.com=${await unusedAddress()}` }),
      await said({ STATUS_PAGES: `api.stripe.com=${url}` }),
    ]).toEqual([
      expect.stringContaining('STATUS_PAGES must be host=address pairs'),
      expect.stringMatching(/could not be reached .*: check STATUS_PAGES/u),
      expect.stringMatching(/the status page of api\.stripe\.com.*STATUS_PAGES/u),
    ]);
    const [maintenances] = await checkStatusPages([{ host: 'api.stripe.com', url: await unusedAddress() }]);
    expect(maintenances).toMatchObject({ ok: false, fix: expect.stringContaining('check STATUS_PAGES') });
  });

  it('of TENANT_LABEL has its sentence where no metric has the label', async () => {
    const answers: Record<string, unknown> = {
      '/api/v1/labels': ['__name__', 'job', 'code'],
      '/api/v1/label/__name__/values': ['up'],
    };
    const { url } = await scriptedSource({
      '/*': {
        method: '*',
        parameters: ['query', 'time', 'start', 'end', 'step', 'match[]', 'limit', 'type'],
        answer: ({ path }) => ({
          status: 'success',
          data: answers[path] ?? (path.includes('/query') ? { resultType: 'vector', result: [] } : []),
        }),
      },
    });
    expect(await said({ PROMETHEUS_URL: url, TENANT_LABEL: 'custommer' })).toContain(
      'No metric has the label `custommer` of TENANT_LABEL',
    );
  });

  it.each([
    ['a file that is not there', null, {}, /the file cannot be read/u],
    [
      'a channel by its name',
      'payments team #incidents',
      {},
      /line 1: #incidents is a channel's name; write its ID/u,
    ],
    ['a line without an owner', 'payments', {}, /line 1: no owner follows payments/u],
    [
      'pages without a tool',
      'payments team page:R0UTING',
      {},
      /OWNERS says how people are paged, and nothing pages them/u,
    ],
    [
      'a schedule without a tool',
      'payments team oncall:P1',
      {},
      /OWNERS names schedules, and nothing reads them/u,
    ],
    [
      'an integration that is no address',
      'payments team page:R0UTING',
      ONCALL,
      /what OWNERS names after page: is no address, for team/u,
    ],
    ['a tool that does not answer', 'payments team oncall:P1', ONCALL, /Grafana OnCall cannot be reached/u],
  ])('of OWNERS, %s, has its sentence', async (_, text, onCall, sentence) => {
    expect(await ownersSaid(text, onCall)).toMatch(sentence);
  });
});
