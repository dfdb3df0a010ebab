import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { doctor } from '../../src/tools/doctor.ts';
import { call } from '../support/call.ts';
import { manualClock } from '../support/manual-clock.ts';
import { startScriptedService } from '../support/scripted-service.ts';
import { testSlack } from '../support/slack.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-doctor-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const ISSUE = {
  number: 1,
  title: 'CPU is high',
  description: 'CPU is high',
  severity: 'high',
  status: 'investigating',
  environment: 'production',
  triggeredAt: '2026-03-17T12:00:00Z',
  seedCount: 1,
};

/** A service on loopback that takes these keys, each with the uuid of the newest issue that it shows; `null` for none. */
async function service(
  newest: Record<string, string | null>,
): Promise<{ url: string; asked: string[] } & AsyncDisposable> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const known = Object.hasOwn(newest, key);
    const uuid = newest[key] ?? null;
    const data = uuid === null ? [] : [{ ...ISSUE, uuid }];
    const refusal = { type: 'authentication_error', message: 'Unknown key', request_id: 'req-7' };
    response.writeHead(known ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(known ? { object: 'list', data, has_more: false } : refusal));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/api/v2`, asked, [Symbol.asyncDispose]: close };
}

describe('npm run doctor', () => {
  it('says that everything is embedded where nothing is configured', async () => {
    const file = join(folder, 'data/gumshoe.db');
    expect(await call(doctor, [], { DATABASE_URL: `sqlite:${file}` })).toEqual({
      code: 0,
      stdout: [
        '✓ configuration: valid: the local workspace is embedded, the service is embedded (simulated systems)',
        `✓ database: ${file} will be created at the first start`,
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  it('has one line for each problem of the configuration, and looks no further', async () => {
    expect(await call(doctor, [], { PORT: 'x', SLACK_BOT_TOKEN: 'xoxb-1', NODE_ENV: 'prod' })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^(✗ configuration: \w+ .*; for example .* → fix the environment .*\n){4}$/,
      ),
      stderr: '',
    });
  });

  it('has Slack check the gallery with --blocks', async () => {
    const file = `sqlite:${folder}/gumshoe.db`;
    expect(await call(doctor, ['--blocks'], { DATABASE_URL: file })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('✗ Slack blocks: nothing was checked: no Slack is configured → '),
    });
    const slack = await startScriptedService(
      { json: { ok: true } },
      { json: { ok: false, error: 'unknown_method' } },
    );
    onTestFinished(() => slack.close());
    const { code, stdout } = await call(doctor, ['--blocks'], {
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_SIGNING_SECRET: 's3cr3t',
      SLACK_API_URL: `${slack.url}/`,
      DATABASE_URL: file,
      ALLOW_SIMULATED: 'true',
    });
    expect(stdout).toContain(
      '✗ Slack blocks: this Slack does not know blocks.validate, so nothing was checked → ',
    );
    expect(code).toBe(1);
    expect(slack.received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/api/v2/auth.test', 'Bearer xoxb-1'],
      ['/api/v2/blocks.validate', 'Bearer xoxb-1'],
    ]);
  });

  it.each([
    ['as it is', (token: string) => token],
    ['in a page', (token: string) => `<html>no Slack here: Authorization: Bearer ${token}</html>`],
    ['encoded', (token: string) => `bad request: ${encodeURIComponent(token).replaceAll('-', '%2D')}`],
    ['in base64', (token: string) => Buffer.from(`user:${token}`).toString('base64')],
    ['cut off', (token: string) => `${' '.repeat(90)}${token}`],
  ])('does not print the bot token where a server’s error says it %s', async (_how, said) => {
    const token = ['xoxb', '123456789012', 'AbCdEfGhIjKl'].join('-');
    const reply = { json: { ok: false, error: said(token) } };
    const slack = await startScriptedService(reply, reply);
    onTestFinished(() => slack.close());
    const { stdout, stderr } = await call(doctor, [], {
      SLACK_BOT_TOKEN: token,
      SLACK_SIGNING_SECRET: 's3cr3t',
      SLACK_API_URL: `${slack.url}/`,
      ALERT_CHANNELS: 'C0AAAAAAA',
      DATABASE_URL: `sqlite:${join(folder, 'gumshoe.db')}`,
      ALLOW_SIMULATED: 'true',
    });
    expect(stdout).toContain('✗ Slack token');
    const parts = [token, token.slice(0, 20), 'AbCdEfGh', Buffer.from(token).toString('base64').slice(4, 24)];
    for (const part of parts) expect(stdout + stderr).not.toContain(part);
  });

  it('tells of a channel that OWNERS names and Gumshoe is not in, of Enterprise Grid, and that agents come later', async () => {
    const slack = await startScriptedService(
      { json: { ok: true, user: 'gumshoe', team: 'Acme', enterprise_id: 'E0123' } },
      { json: { ok: false, error: 'channel_not_found' } },
    );
    onTestFinished(() => slack.close());
    const file = join(folder, 'OWNERS');
    writeFileSync(file, 'payments  team-payments  C0NOTHERE\n');
    const { stdout } = await call(doctor, [], {
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_SIGNING_SECRET: 's3cr3t',
      SLACK_API_URL: `${slack.url}/`,
      OWNERS: file,
      MCP_TOKENS: 'agent:0123456789abcdef0123',
      PORT: '1',
      DATABASE_URL: `sqlite:${join(folder, 'gumshoe.db')}`,
      ALLOW_SIMULATED: 'true',
    });
    expect(stdout).toContain('The workspace is part of an Enterprise Grid');
    expect(stdout).toContain('✗ channel C0NOTHERE: it does not exist, or it is private');
    expect(stdout).toMatch(/✓ agents \(POST \/mcp\): nothing answers at \S+ yet/u);
  });

  it('passes an installation where all is well', async () => {
    const { channels, ...slack } = await testSlack(manualClock()).workspace();
    await using around = await service({ 'key-1': null });
    const result = await call(doctor, [], {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      ISSUE_SERVICE_URL: around.url,
      ISSUE_SERVICE_API_KEY: 'key-1',
      ALERT_CHANNELS: channels.alerts,
      DATABASE_URL: `sqlite:${folder}/gumshoe.db`,
    });
    expect(result).toEqual({
      code: 0,
      stdout: [
        '✓ configuration: valid: Slack through Socket Mode, a real service',
        '✓ Slack token: gumshoe in Local workspace',
        '✓ Slack scopes: all 15 are granted',
        '✓ Socket Mode: Slack offers a connection',
        `✓ channel ${channels.alerts}: Gumshoe is a member`,
        '✓ Issue Investigation Service: it answers',
        `✓ database: ${folder}/gumshoe.db will be created at the first start`,
        '',
      ].join('\n'),
      stderr: '',
    });
    expect(around.asked).toEqual(['GET /api/v2/issues?limit=1']);
  });

  it('names each thing that is wrong, with its fix and without a secret, and ends with 1', async () => {
    const slack = await testSlack(manualClock(), 'xoxb-s3cr3t').workspace();
    slack.grantScopes(['commands']);
    await using around = await service({ 'key-1': null });
    const { code, stdout } = await call(doctor, [], {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_SIGNING_SECRET: 's3cr3t',
      SLACK_API_URL: slack.apiUrl,
      ISSUE_SERVICE_URL: around.url,
      ISSUE_SERVICE_API_KEY: 's3cr3t-key',
      DATABASE_URL: `sqlite:${folder}/gumshoe.db`,
    });
    expect(code).toBe(1);
    expect(stdout.split('\n').map((line) => line.split(':')[0])).toEqual([
      '✓ configuration',
      '✓ Slack token',
      '✗ Slack scopes',
      '✓ Delayed Events',
      '✗ Issue Investigation Service',
      '✓ database',
      '',
    ]);
    expect(stdout).toMatch(
      /Slack scopes: .*users:read are not granted → paste manifest\.yml .* reinstall the app/u,
    );
    expect(stdout).toContain('request req-7');
    expect(stdout).toContain('→ check ISSUE_SERVICE_API_KEY: the service rejects it');
    expect(stdout).not.toContain('s3cr3t');
  });

  describe('with a key for private channels', () => {
    const MAIN = '✓ Issue Investigation Service: it answers';
    const SECOND = '✓ Issue Investigation Service, for private channels: it answers';
    const SAME =
      '✗ API keys: both keys belong to the same organization, so the agent knows private channels’ issues everywhere → ' +
      'set ISSUE_SERVICE_PRIVATE_API_KEY to a key of a second organization';

    it.each([
      ['of the same organization', 'uuid-1', 'uuid-1', 1, [MAIN, SECOND, SAME]],
      ['of another organization', 'uuid-1', 'uuid-2', 0, [MAIN, SECOND]],
      // Of two organizations without an issue it cannot be told.
      ['where there are no issues yet', null, null, 0, [MAIN, SECOND]],
    ])('%s', async (_which, newest, newestPrivate, code, lines) => {
      const slack = await testSlack(manualClock()).workspace();
      await using around = await service({ 'key-1': newest, 'key-2': newestPrivate });
      const result = await call(doctor, [], {
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_SIGNING_SECRET: 's3cr3t',
        SLACK_API_URL: slack.apiUrl,
        ISSUE_SERVICE_URL: around.url,
        ISSUE_SERVICE_API_KEY: 'key-1',
        ISSUE_SERVICE_PRIVATE_API_KEY: 'key-2',
        DATABASE_URL: `sqlite:${folder}/gumshoe.db`,
      });
      expect(result.code).toBe(code);
      expect(result.stdout.split('\n').filter((line) => /Investigation|API keys/u.test(line))).toEqual(lines);
      expect(around.asked).toHaveLength(2);
    });

    it('that the service does not take', async () => {
      const slack = await testSlack(manualClock()).workspace();
      await using around = await service({ 'key-1': 'uuid-1' });
      const { code, stdout } = await call(doctor, [], {
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_SIGNING_SECRET: 's3cr3t',
        SLACK_API_URL: slack.apiUrl,
        ISSUE_SERVICE_URL: around.url,
        ISSUE_SERVICE_API_KEY: 'key-1',
        ISSUE_SERVICE_PRIVATE_API_KEY: 's3cr3t-key',
        DATABASE_URL: `sqlite:${folder}/gumshoe.db`,
      });
      expect(code).toBe(1);
      expect(stdout).toContain(MAIN);
      expect(stdout).toContain('→ check ISSUE_SERVICE_PRIVATE_API_KEY: the service rejects it');
      expect(stdout).not.toMatch(/s3cr3t|API keys/u);
    });
  });
});
