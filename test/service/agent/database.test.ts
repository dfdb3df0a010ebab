import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../src/service/agent/answer.ts';
import { insideAsked } from '../../../src/service/agent/database.ts';
import type { Databases, LookedInside, NamedDatabase } from '../../../src/service/databases/databases.ts';
import { type DatabaseFact, proofOf } from '../../../src/service/databases/fact.ts';
import { createDatabasesSource } from '../../../src/service/databases/source.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';

const at = (minute: number) => Date.UTC(2026, 10, 29, 10, minute);
const ALL: readonly NamedDatabase[] = [
  {
    name: 'orders',
    system: 'postgres',
    title: 'PostgreSQL',
    host: 'db.example.com',
    port: 5432,
    database: 'shop',
  },
  { name: 'sessions', system: 'redis', title: 'Redis', host: 'cache', port: 6379, database: null },
];
const BLOCKED: DatabaseFact = {
  database: 'orders',
  system: 'postgres',
  kind: 'blocked-sessions',
  object: 'orders',
  sentence:
    'Session 4711 (`psql`, user `report`) has held an exclusive lock on `orders`; 12 sessions wait for it.',
  since: at(2),
  weight: 0.9,
  steps: [
    { title: 'Check what it is', type: 'check', content: 'select * from pg_stat_activity where pid = 4711;' },
    {
      title: 'End the session',
      type: 'command',
      content: 'select pg_terminate_backend(4711);',
      note: 'It is rolled back.',
    },
  ],
  proof: proofOf('pg_stat_activity', [{ pid: 4711, state: 'idle in transaction' }]),
};
const ORDERS: LookedInside = {
  database: 'orders',
  system: 'postgres',
  facts: [BLOCKED],
  comparedWith: at(0),
  unread: ['Heavy statements of orders were not read: create extension pg_stat_statements;'],
  read: ['20 of 40 connections', 'locks', 'replication'],
  connected: [
    { who: 'storefront (user shop)', connections: 18, doing: 'idle' },
    { who: 'psql (user report)', connections: 2, doing: 'idle in transaction' },
  ],
  changes: [
    {
      database: 'orders',
      part: 'index',
      name: 'reviews_product on reviews',
      was: 'CREATE INDEX …',
      is: null,
      after: at(0),
      before: at(4),
    },
  ],
};
const SESSIONS: LookedInside = {
  ...ORDERS,
  database: 'sessions',
  system: 'redis',
  facts: [],
  unread: [],
  changes: [],
  connected: [],
  read: ['memory (12 MiB of 60 MiB)', '9,000 keys', '3 connections'],
};

async function ask(question: string, more: Partial<LookedInside> = {}) {
  const looks: string[] = [];
  const inside: Databases = {
    all: ALL,
    look: async (name, reason) => {
      looks.push(`${name} ${reason}`);
      return name === 'orders' ? ORDERS : { ...SESSIONS, ...more };
    },
    changes: async () => [],
    takeFingerprints: async () => undefined,
  };
  const issues = { byNumber: async () => null, list: async () => ({ total: 0, newest: [] }) };
  let id = 0;
  const { answer } = await answerOf(
    question,
    { now: at(5), before: null, issues },
    createDatabasesSource(inside),
    {
      id: () => `id-${++id}`,
      budget: UNLIMITED,
    },
  );
  return { answer, looks };
}

describe('questions about the inside of a database', () => {
  it('who blocks whom: the session, who waits, and what to run', async () => {
    const { answer, looks } = await ask('who blocks whom?');
    expect(answer).toBe(
      [
        '**orders**',
        '- Session 4711 (`psql`, user `report`) has held an exclusive lock on `orders`; 12 sessions wait for it.',
        '  - Check what it is: `select * from pg_stat_activity where pid = 4711;`',
        '  - End the session: `select pg_terminate_backend(4711);` (It is rolled back)',
        'Heavy statements of orders were not read: create extension pg_stat_statements;',
      ].join('\n'),
    );
    expect(looks).toEqual(['orders question', 'sessions question']);
  });

  it('of one that is named, that one alone is looked into', async () => {
    expect((await ask('what is slow in orders?')).looks).toEqual(['orders question']);
    expect((await ask('why is redis full?')).looks).toEqual(['sessions question']);
  });

  it('says what it looked at where nothing is wrong, and no more', async () => {
    expect((await ask('why is redis full?')).answer).toBe(
      'Memory is within its limit in sessions now: I looked at memory (12 MiB of 60 MiB) and 9,000 keys.',
    );
    expect((await ask('is the replica of orders behind?')).answer).toContain(
      'No replica is behind in orders now: I looked at replication.',
    );
    expect((await ask('which queries are slow in orders?')).answer).toContain('has held an exclusive lock');
  });

  it('who is connected', async () => {
    expect((await ask('who is connected to postgres?')).answer).toContain(
      'Connected:\n- storefront (user shop): 18 (idle)\n- psql (user report): 2 (idle in transaction)',
    );
  });

  it('what changed inside, with the time span', async () => {
    expect((await ask('what changed in the database?')).answer).toContain(
      '- index `reviews_product on reviews` was dropped between 10:00 UTC and 10:04 UTC',
    );
  });

  it('nothing changed only where there is a time to compare with', async () => {
    expect((await ask('what changed in redis?')).answer).toMatch(
      /^Nothing that I track changed inside sessions since 10:00 UTC/u,
    );
    expect((await ask('what changed in redis?', { comparedWith: null })).answer).toBe(
      'I can’t tell what changed inside sessions: I have no earlier state to compare with.',
    );
  });

  it('what is about to break looks inside all of them', async () => {
    const { answer, looks } = await ask('what is about to break?');
    expect(looks).toEqual(['orders watch', 'sessions watch']);
    expect(answer).toContain('- **orders**: Session 4711');
  });
});

describe('what is asked of the inside', () => {
  const asked = (question: string, named: readonly string[] = []) => insideAsked({ question, named }, ALL);

  it.each([
    ['who blocks whom'],
    ['what is slow in orders', 'orders'],
    ['who is connected to postgres'],
    ['why is redis full'],
    ['is the replica behind'],
    ['what changed in the database'],
    ['who holds a lock on the orders table?'],
    ['which queries are slow in the db?'],
    ['what fills the cache?'],
    ['is anything blocked in postgres?'],
    ['who uses all the connections of the database?'],
  ])('%s', (question, ...named) => expect(asked(question, named)).toBe(true));

  it.each([
    ['how many connections does postgres have, and how many are allowed?'],
    ['how much memory may redis use at most?'],
    ['how many keys are in redis?'],
    ['how many queries per second does mysql handle?'],
    ['is the database healthy?'],
    ['is the database ok?'],
    ['what is the cache hit rate of redis?'],
    ['why is storefront slow?', 'storefront'],
    ['what changed?'],
    ['how many pods does orders have?', 'orders'],
    ['is payments blocked?', 'payments'],
  ])('not: %s', (question, ...named) => expect(asked(question, named)).toBe(false));

  it('nothing, where none is configured', () => {
    expect(insideAsked({ question: 'who blocks whom', named: [] }, [])).toBe(false);
  });
});
