import { expect, it } from 'vitest';
import { secretsIn } from '../../../src/lib/redact.ts';
import { readTelemetrySettings } from '../../../src/service/telemetry/settings.ts';

function read(env: Record<string, string>) {
  const result = readTelemetrySettings(env);
  return 'problems' in result ? result.problems : result.settings.databases;
}

const BASE = { path: '', tls: false, password: '' };

it('reads every kind of database and broker, with the usual ports', () => {
  const DATABASES =
    'orders=postgres://gumshoe@db.example.com/orders?sslmode=require, cache=redis://cache:6380/2, mq=http://guest@mq.example.com:15672/rabbit?vhost=shop, ledger=mysql://gumshoe@ledger.example.com';
  expect(read({ DATABASES })).toEqual([
    {
      ...BASE,
      name: 'orders',
      system: 'postgres',
      host: 'db.example.com',
      port: 5432,
      user: 'gumshoe',
      database: 'orders',
      tls: true,
    },
    { ...BASE, name: 'cache', system: 'redis', host: 'cache', port: 6380, user: '', database: '2' },
    {
      ...BASE,
      name: 'mq',
      system: 'rabbitmq',
      host: 'mq.example.com',
      port: 15672,
      user: 'guest',
      database: 'shop',
      path: '/rabbit',
    },
    {
      ...BASE,
      name: 'ledger',
      system: 'mysql',
      host: 'ledger.example.com',
      port: 3306,
      user: 'gumshoe',
      database: null,
    },
  ]);
});

it('takes a password from the address, or from a variable of its own', () => {
  const DATABASES = 'orders-db=postgres://gumshoe@db/orders,cache=rediss://gumshoe:s3cret%2F@cache';
  expect(read({ DATABASES, DATABASES_PASSWORD_ORDERS_DB: 'hush-hush' })).toMatchObject([
    { name: 'orders-db', password: 'hush-hush', tls: false },
    { name: 'cache', password: 's3cret/', tls: true },
  ]);
});

it('says what is wrong, and never a password', () => {
  const problems = [
    read({ DATABASES: 'postgres://gumshoe:hush-hush@db/orders' }),
    read({ DATABASES: 'orders=oracle://gumshoe:hush-hush@db/orders' }),
    read({ DATABASES: 'a=redis://x,a=redis://y' }),
    read({ DATABASES: 'a=postgres://x/y?sslmode=no-verify' }),
    read({ DATABASES: 'a=redis://x', DATABASES_PASSWORD_B: 'hush-hush' }),
  ];
  const example =
    'for example DATABASES=orders=postgres://gumshoe@db.example.com/orders,cache=redis://gumshoe@cache.example.com';
  expect(problems).toEqual([
    [`DATABASES must be name=address, separated by commas (number 1); ${example}`],
    [
      `DATABASES must have an address such as postgres://user@host/database for orders (number 1); ${example}`,
    ],
    [`DATABASES names a twice; ${example}`],
    [
      `DATABASES must have an sslmode of disable, require or verify-full for a: a certificate is always verified (number 1); ${example}`,
    ],
    [
      'DATABASES_PASSWORD_B belongs to none of DATABASES: its end must be one of their names; for example DATABASES_PASSWORD_B=a-password',
    ],
  ]);
});

it('has every password redacted, also in a list of addresses', () => {
  const DATABASES = 'orders=postgres://gumshoe:first-secret@db/orders, cache=redis://:second%2Fsecret@cache';
  expect(secretsIn({ DATABASES })).toEqual(
    expect.arrayContaining(['first-secret', 'second%2Fsecret', 'second/secret']),
  );
});
