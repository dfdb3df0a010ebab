import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { secretsIn, withoutSecrets } from '../../../src/lib/redact.ts';
import { call } from '../../support/call.ts';

function logging(level = 'info') {
  const lines: string[] = [];
  return { lines, log: createLogger(level, { write: (line) => void lines.push(line) }) };
}

// Put together here, so that no scanner of this repository takes them for real ones.
const BOT = ['xoxb', '1234567890', 'AbCdEfGh'].join('-');
const APP = ['xapp', '1', 'A012', '345', 'abcdef0123'].join('-');
const KEY = 'key-7f3a-secret';

/** An error below so many others, and below an object of one. */
function nested(depth: number, message: string): Error {
  if (depth === 0) return Object.assign(new Error(message), { response: { data: { list: [message] } } });
  return new Error('outside', { cause: nested(depth - 1, message) });
}

describe('the log', () => {
  it('is one JSON object a line, with its fields', () => {
    const { log, lines } = logging();
    log.info({ channel: 'C1' }, 'decided on a message');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 30, time: expect.any(Number), channel: 'C1', msg: 'decided on a message' },
    ]);
  });

  it('says nothing below its level', () => {
    const { log, lines } = logging('warn');
    log.info('quiet');
    expect(lines).toEqual([]);
  });

  it.each([
    ['a field of the line', { token: BOT, appToken: APP, apiKey: KEY, signingSecret: KEY }],
    ['a field of an object', { slack: { botToken: BOT }, service: { apiKey: KEY } }],
    ['a header', { request: { headers: { authorization: `Bearer ${KEY}` } } }],
    [
      'a deep header of a library',
      { err: { config: { request: { headers: { Authorization: `Bearer ${KEY}` } } } } },
    ],
    ['an interaction', { body: { response_url: `https://hooks.example/${KEY}`, trigger_id: KEY } }],
    ['a field far down', { a: { b: { c: { d: { token: KEY } } } } }],
    ['a field of a list', { calls: [{ args: [{ api_key: KEY, 'X-Slack-Signature': KEY }] }] }],
    ['a field in another case', { x: { Signing_Secret: KEY, SET_COOKIE: [KEY] } }],
    ['a body that is JSON', { body: JSON.stringify({ view: { deep: [{ token: KEY }] } }) }],
    ['JSON within JSON', { body: JSON.stringify({ payload: JSON.stringify({ response_url: KEY }) }) }],
    ['a form', { body: `team=T1&token=${KEY}&text=x` }],
    ['a deep cause', { err: nested(6, `Bearer ${KEY}`) }],
    ['an incoming webhook', { a: `<https://hooks.slack.com/services/T1/B1/${KEY}|here>` }],
    ['one of GovSlack', { a: [`(https://hooks.slack-gov.com/workflows/T1/A1/${KEY})`] }],
    ['a trigger of a workflow', { a: `curl HTTPS://HOOKS.SLACK.COM/triggers/T1/${KEY}` }],
    ['an encoded webhook', { a: `u=https%3A%2F%2Fhooks.slack.com%2Fservices%2FT1%2F${KEY}` }],
    ['a ticket of Socket Mode', { url: `wss://wss-primary.slack.com/link/?ticket=${KEY}&app_id=1` }],
    ['a ticket by its name', { hello: { ticket: KEY } }],
    ['an address with a password', { err: new Error(`no route to postgres://gumshoe:${KEY}@db/x`) }],
    ['a rotating token', { err: new Error(`xoxe.${BOT} and xoxe-1-${KEY}`) }],
    ['a user token', { said: ['xoxp', KEY].join('-') }],
    ['basic credentials', { line: `authorization: basic ${KEY}` }],
    ['the name of a field', { found: { [BOT]: 1 } }],
    ['an error’s message', { err: new Error(`401 for ${BOT} and ${APP}`) }],
    ['an error’s cause', { err: new Error('outside', { cause: new Error(`401 for ${BOT}`) }) }],
    ['an error’s own property', { err: Object.assign(new Error('no'), { data: { args: { with: BOT } } }) }],
  ])('shows no secret in %s', (_where, fields) => {
    const { log, lines } = logging();
    log.warn(fields, 'a call failed');
    const line = lines.join('');
    expect(line).toContain('[redacted]');
    for (const secret of [BOT, APP, KEY]) expect(line).not.toContain(secret);
    expect(JSON.parse(line)).toMatchObject({ msg: 'a call failed' });
  });

  it('shows none of the program’s own secrets, whatever they look like and wherever they stand', () => {
    const lines: string[] = [];
    const own = ['plain words of a key', 'with"quotes\\', 'abc'];
    const log = createLogger('info', { write: (line) => void lines.push(line) }, own);
    log.warn({ err: new Error(`no: ${own[0]}`), said: { deep: { body: [`<p>${own[1]}</p>`] } } }, 'abc');
    const line = lines.join('');
    expect(line).not.toContain('plain words of a key');
    expect(line).not.toContain('quotes');
    expect(JSON.parse(line)).toMatchObject({ said: { deep: { body: ['<p>[redacted]</p>'] } }, msg: 'abc' });
  });

  it('shows no token in the sentence itself', () => {
    const { log, lines } = logging();
    log.error(`could not connect with ${APP}`);
    expect(JSON.parse(lines.join(''))).toMatchObject({ msg: 'could not connect with [redacted]' });
  });

  it('leaves all else as it is', () => {
    const { log, lines } = logging();
    const fields = {
      list: [1, null, true, 'https://acme.slack.com/archives/C1/p1', '{"kind":"firing"}', '[not json'],
      tokens: 3,
      ticketed: 'yes',
      token: null,
      at: '2026-03-17T10:00:00Z',
      mail: 'who@example.com',
    };
    log.info(fields, 'a line: see https://example.com:8080/a@b?x=1');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 30, time: expect.any(Number), ...fields, msg: 'a line: see https://example.com:8080/a@b?x=1' },
    ]);
    expect(lines.join('').endsWith('}\n')).toBe(true);
  });
});

describe('what a command prints', () => {
  const env = {
    SLACK_BOT_TOKEN: 'token-of-the-bot',
    SERVICE_API_KEYS: 'first-service-key:acme,second-service-key:globex',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-key',
    ALERT_WEBHOOK_SECRET_GRAFANA: 'signing-key-one,signing-key-two',
    DATABASE_URL: 'postgres://gumshoe:pass%2Fword@db/x',
    PORT: '3000-and-more',
  };

  it('is without the secrets of its environment and of its words', async () => {
    expect(secretsIn(env, ['postgres://u:other-password@db/y'])).toEqual(
      expect.arrayContaining([
        'token-of-the-bot',
        'first-service-key',
        'second-service-key',
        'collector-key',
        'signing-key-two',
        'pass/word',
        'other-password',
      ]),
    );
    const command = withoutSecrets(async (words, given, io) => {
      for (const value of [...Object.values(given), ...words]) io.out(`said: ${value}`);
      io.err('{"key": "token-of-the-bot"}');
      io.out('{ "as": "it is" }');
      return 0;
    });
    expect(await call(command, ['postgres://u:other-password@db/y'], env)).toEqual({
      code: 0,
      stdout: [
        'said: [redacted]',
        'said: [redacted],[redacted]',
        'said: authorization=[redacted]',
        'said: [redacted]',
        'said: postgres://[redacted]@db/x',
        'said: 3000-and-more',
        'said: postgres://[redacted]@db/y',
        '{ "as": "it is" }',
        '',
      ].join('\n'),
      stderr: '{"key":"[redacted]"}\n',
    });
  });
});
