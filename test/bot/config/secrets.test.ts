import { expect, it } from 'vitest';
import { secretsOf } from '../../../src/bot/config/secrets.ts';

const apiUrl = 'https://slack.com/api/';
const service = { url: 'https://issues.example.com/api/v2', apiKey: 'the-key', version: '2026-03-17' };

const database = { kind: 'sqlite', file: './data/gumshoe.db' } as const;
const webhooks = { token: null, secrets: new Map<string, string[]>(), topics: [], maps: new Map() };
const plain = { database, databaseDirectUrl: null, webhooks, alertmanager: null, tracing: null };

it('names every secret of a configuration', () => {
  const socket = { mode: 'socket', botToken: 'xoxb-1', appToken: 'xapp-1', apiUrl } as const;
  const proxy = { https: 'http://user:p%40ss@proxy.example.com:3128', except: null };
  expect(secretsOf({ ...plain, slack: socket, service, proxy })).toEqual([
    'xapp-1',
    'xoxb-1',
    'the-key',
    'p%40ss',
    'p@ss',
  ]);
  const two = { ...service, privateApiKey: 'second-key' };
  expect(secretsOf({ ...plain, slack: null, service: two, proxy: null })).toEqual(['the-key', 'second-key']);
  const http = { mode: 'http', botToken: 'xoxb-1', signingSecrets: ['signs', 'signed'], apiUrl } as const;
  expect(secretsOf({ ...plain, slack: http, service, proxy: null })).toEqual([
    'signs',
    'signed',
    'xoxb-1',
    'the-key',
  ]);
  const tracing = { endpoint: 'http://otel:4318', headers: { authorization: 'Bearer a-token' } };
  expect(secretsOf({ ...plain, slack: null, service: null, proxy: null, tracing })).toEqual([
    'Bearer a-token',
    'a-token',
  ]);
});

it('names the passwords of databases', () => {
  const shared = { kind: 'postgres', url: 'postgres://gumshoe:s%26cret@db.example.com/gumshoe' } as const;
  const urls = {
    ...plain,
    database: shared,
    databaseDirectUrl: 'postgres://gumshoe:direct@db.example.com/gumshoe',
  };
  expect(secretsOf({ ...urls, slack: null, service: null, proxy: null })).toEqual([
    's%26cret',
    's&cret',
    'direct',
    'direct',
  ]);
});

it('names none where there are none', () => {
  const proxy = { https: 'http://proxy.example.com:3128', except: null };
  expect(secretsOf({ ...plain, slack: null, service: null, proxy })).toEqual([]);
  const broken = { https: 'http://user:p%zz@proxy.example.com:3128', except: null };
  expect(secretsOf({ ...plain, slack: null, service: null, proxy: broken })).toEqual(['p%zz', 'p%zz']);
});

it('names what webhooks are authenticated with, and what an Alertmanager wants', () => {
  const alertmanager = {
    url: 'https://alertmanager.example.com',
    token: 'am-token',
    user: 'gumshoe',
    password: 'am-password',
    silences: false,
  };
  const own = { ...webhooks, token: 'hook-token', secrets: new Map([['grafana', ['old-key', 'new-key']]]) };
  expect(
    secretsOf({ ...plain, webhooks: own, alertmanager, slack: null, service: null, proxy: null }),
  ).toEqual(['hook-token', 'old-key', 'new-key', 'am-token', 'am-password']);
});
