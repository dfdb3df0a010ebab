import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createApp } from '../../../src/bot/slack/app.ts';
import { boltLogger } from '../../../src/bot/slack/bolt-logger.ts';
import { clientOptions } from '../../../src/bot/slack/client.ts';
import { UnreadableError } from '../../../src/bot/slack/receivers/inbox.ts';

const identity = { botUserId: 'U0BOT', botId: 'B0BOT', teamId: 'T1' };

function anApp() {
  const log = createLogger('silent');
  const gaps = { caughtUp: async () => undefined };
  return createApp({ identity, botToken: 'xoxb-1', apiUrl: 'https://slack.test/api/', log, gaps });
}

const body = { type: 'event_callback', team_id: 'T1', event: { type: 'message', channel: 'C1', ts: '1.0' } };
const ack = async () => undefined;

/** What a logger of this level writes. */
function logged() {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write: (line, _encoding, done) => {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
  return { lines, log: createLogger('trace', stream) };
}

describe('the app', () => {
  it('lets the failure of a listener out, so that the inbox can try again', async () => {
    const { app, handle } = anApp();
    app.event('message', () => Promise.reject(new Error('the store is full')));
    await expect(handle({ body, ack })).rejects.toThrow('the store is full');
  });

  it('calls an interaction unreadable that a listener cannot read: tried again, it could not either', async () => {
    const { app, handle } = anApp();
    const unreadable = async () => void z.object({ value: z.string() }).parse({ value: 7 });
    app.action('issue:resolve', unreadable);
    app.event('message', unreadable);
    const actions = [{ type: 'button', action_id: 'issue:resolve', block_id: 'b', value: 7 }];
    const press = { type: 'block_actions', team: { id: 'T1' }, user: { id: 'U1' }, actions };
    await expect(handle({ body: press, ack })).rejects.toBeInstanceOf(UnreadableError);
    await expect(handle({ body, ack })).rejects.toThrow('value');
  });

  it('lets the failures of two listeners out, and runs a third one all the same', async () => {
    const { app, handle } = anApp();
    const ran: string[] = [];
    app.event('message', () => Promise.reject(new Error('first')));
    app.event('message', () => Promise.reject(new Error('second')));
    app.event('message', async () => void ran.push('third'));
    await expect(handle({ body, ack })).rejects.toMatchObject({
      originals: [{ message: 'first' }, { message: 'second' }],
    });
    expect(ran).toEqual(['third']);
  });

  it('hands our own messages to the listeners, which know all their shapes', async () => {
    const { app, handle } = anApp();
    const seen: unknown[] = [];
    app.event('message', async ({ event }) => void seen.push(event.ts));
    await handle({ body: { ...body, event: { ...body.event, user: 'U0BOT', bot_id: 'B0BOT' } }, ack });
    expect(seen).toEqual(['1.0']);
  });
});

describe('the options of a Web API client', () => {
  const log = createLogger('silent');
  const options = () => clientOptions({ apiUrl: 'https://slack.test/api/', log });

  it('repeat nothing by themselves, and leave a 429 to us', () => {
    expect(options()).toMatchObject({
      slackApiUrl: 'https://slack.test/api/',
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: 20_000,
    });
  });

  it('are a new object each time, since Socket Mode writes into it, and bear no headers', () => {
    expect(options()).not.toBe(options());
    expect(options().retryConfig).not.toBe(options().retryConfig);
    expect(options()).not.toHaveProperty('headers');
  });
});

describe('what the Slack library says', () => {
  it('is a field of a line of ours, cut, and never what it says in passing', () => {
    const { lines, log } = logged();
    const logger = boltLogger(log);
    logger.debug('the body: {"text":"secret plans"}');
    logger.info('secret plans');
    logger.warn('slow', new Error('down'));
    logger.error('x'.repeat(2_000));
    expect(lines.map(({ level, msg, slack }) => ({ level, msg, slack }))).toEqual([
      { level: 40, msg: 'Slack SDK', slack: 'slow Error: down' },
      { level: 50, msg: 'Slack SDK', slack: 'x'.repeat(500) },
    ]);
  });

  it('holds no token', () => {
    const { lines, log } = logged();
    boltLogger(log).error('request failed with Authorization: Bearer xoxb-12-34-abc and xapp-1-A0-55-def');
    expect(lines.map(({ slack }) => slack)).toEqual([
      'request failed with Authorization: Bearer [redacted] and [redacted]',
    ]);
  });
});
