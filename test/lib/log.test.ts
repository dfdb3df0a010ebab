import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/lib/log.ts';

function logging(level = 'info') {
  const lines: string[] = [];
  return { lines, log: createLogger(level, { write: (line) => void lines.push(line) }) };
}

// Put together here, so that no scanner of this repository takes them for real ones.
const BOT = ['xoxb', '1234567890', 'AbCdEfGh'].join('-');
const APP = ['xapp', '1', 'A012', '345', 'abcdef0123'].join('-');
const KEY = 'key-7f3a-secret';

describe('the log', () => {
  it('is one JSON object a line, with its fields', () => {
    const { log, lines } = logging();
    log.info({ channel: 'C1' }, 'a message was decided on');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 30, time: expect.any(Number), channel: 'C1', msg: 'a message was decided on' },
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
});
