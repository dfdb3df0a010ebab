import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../src/bot/config.ts';
import { line, readEnvironment, secretMeta } from '../../src/lib/environment.ts';
import { readServiceSettings } from '../../src/service/settings.ts';

let folder: string;
const path = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-secrets-'));
  writeFileSync(path('token'), '  the-secret\n');
  writeFileSync(path('empty'), '\n');
});

afterAll(() => rmSync(folder, { recursive: true }));

const meta = { example: 'x', description: 'A word' };
const variables = z.object({
  TOKEN: line()
    .optional()
    .meta({ ...meta, ...secretMeta }),
  LOG: line().optional().meta(meta),
});
const read = (env: Record<string, string>) => readEnvironment(variables, env).finish();

describe('a secret in a file', () => {
  it('is read without the space around it, and only for a variable that is a secret', () => {
    expect(read({ TOKEN_FILE: path('token'), LOG_FILE: path('token'), OTHER: 'x' })).toEqual({
      values: { TOKEN: 'the-secret' },
    });
  });

  it('must not be set in the environment, too', () => {
    expect(read({ TOKEN: 'shown', TOKEN_FILE: path('token') })).toEqual({
      problems: ['TOKEN and TOKEN_FILE are both set: remove one of them'],
    });
    expect(read({ TOKEN: ' ', TOKEN_FILE: path('token') })).toEqual({ values: { TOKEN: 'the-secret' } });
  });

  it('is missed where the file is empty, is not there, or is a folder', () => {
    const problems = ['empty', 'none', '.'].map((name) => read({ TOKEN_FILE: `${folder}/${name}` }));
    expect(problems).toEqual([
      { problems: [`TOKEN_FILE must name a file that holds the secret: ${folder}/empty is empty`] },
      {
        problems: [
          `TOKEN_FILE must name a file that holds the secret: ${folder}/none cannot be read (ENOENT)`,
        ],
      },
      {
        problems: [`TOKEN_FILE must name a file that holds the secret: ${folder}/. cannot be read (EISDIR)`],
      },
    ]);
  });

  it('is not repeated where it was put in place of the path', () => {
    const result = read({ TOKEN_FILE: 'xoxb-1-secret' });
    expect(JSON.stringify(result)).toMatch(/^\{"problems"/u);
    expect(JSON.stringify(result)).not.toContain('xoxb');
  });
});

describe('the programs', () => {
  it('take the secrets of the bot from files, those of a source of webhooks included', () => {
    writeFileSync(path('bot'), 'xoxb-1-a\n');
    writeFileSync(path('signing'), 'old-secret, new-secret\n');
    const result = readConfig({
      SLACK_BOT_TOKEN_FILE: path('bot'),
      SLACK_SIGNING_SECRET_FILE: path('signing'),
      ISSUE_SERVICE_URL: 'https://issues.example.com/api/v2',
      ISSUE_SERVICE_API_KEY_FILE: path('token'),
      ALERT_WEBHOOK_SECRET_GRAFANA_FILE: path('token'),
    });
    expect(result).toMatchObject({
      ok: true,
      config: {
        slack: { mode: 'http', botToken: 'xoxb-1-a', signingSecrets: ['old-secret', 'new-secret'] },
        service: { apiKey: 'the-secret' },
        webhooks: { secrets: new Map([['grafana', ['the-secret']]]) },
      },
    });
  });

  it('name a file of the bot that cannot be read', () => {
    expect(readConfig({ SLACK_BOT_TOKEN_FILE: path('none') })).toMatchObject({
      ok: false,
      problems: [
        `SLACK_BOT_TOKEN_FILE must name a file that holds the secret: ${path('none')} cannot be read (ENOENT)`,
      ],
    });
  });

  it('take the secrets of the service, and of its telemetry, from files', () => {
    writeFileSync(path('keys'), 'k1:acme\n');
    const from = (PROMETHEUS_TOKEN_FILE: string) =>
      readServiceSettings({
        SERVICE_API_KEYS_FILE: path('keys'),
        PROMETHEUS_URL: 'http://prometheus:9090',
        PROMETHEUS_TOKEN_FILE,
      });
    expect(from(path('token'))).toMatchObject({
      settings: { keys: { k1: 'acme' }, telemetry: { prometheus: { token: 'the-secret' } } },
    });
    expect(from(path('none'))).toEqual({
      problems: [
        `PROMETHEUS_TOKEN_FILE must name a file that holds the secret: ${path('none')} cannot be read (ENOENT)`,
      ],
    });
  });
});
