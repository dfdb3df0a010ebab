import { expect, it } from 'vitest';
import { judgeMysql } from '../../../src/service/databases/mysql-facts.ts';
import { About, grantOf, sessionsOf, waitsOf } from '../../../src/service/databases/mysql-statements.ts';

/* MySQL 8 is not in Debian: what it is asked is held to its documentation here, and what is made of its answers. */

const NOW = Date.UTC(2026, 10, 29, 14, 4);
const ABOUT = About.parse({
  version: '8.0.36',
  user: 'gumshoe@%',
  most: '151',
  digests: 1,
  metadata: 1,
  process: 1,
  now: NOW,
});

const session = {
  host: '10.0.3.7:50000',
  program: 'mysql',
  command: 'Sleep',
  time: 0,
  state: '',
  query: null,
  transaction: null,
  rows: 0,
  statement: '',
};

it('asks MySQL 8 for what its documentation names, and MariaDB for its own tables', () => {
  expect(ABOUT.isMaria).toBe(false);
  expect(waitsOf(ABOUT)).toMatch(
    /performance_schema\.data_lock_waits w .*requesting_engine_transaction_id.*blocking_engine_transaction_id.*performance_schema\.data_locks l on l\.engine_lock_id = w\.requesting_engine_lock_id/su,
  );
  expect(sessionsOf(ABOUT)).toContain('performance_schema.session_connect_attrs');
  const maria = About.parse({ ...ABOUT, version: '10.11.4-MariaDB-1' });
  expect(waitsOf(maria)).toContain('information_schema.innodb_lock_waits');
  expect(grantOf(ABOUT)).toBe("grant process, replication client on *.* to 'gumshoe'@'%';");
});

it('names the root of a chain of waits, with its program, and how to end it', () => {
  const { facts } = judgeMysql('orders', {
    about: ABOUT,
    sessions: [
      { ...session, id: 11, user: 'report', time: 95, transaction: 120 },
      {
        ...session,
        id: 12,
        user: 'shop',
        program: 'storefront',
        command: 'Query',
        time: 90,
        transaction: 90,
        statement: 'update orders set email = ? where id = ?',
      },
      {
        ...session,
        id: 13,
        user: 'shop',
        program: 'storefront',
        command: 'Query',
        time: 60,
        transaction: 60,
        statement: 'update orders set n = ?',
      },
    ],
    waits: [
      { waiting: 12, blocking: 11, table: 'shop.orders', seconds: 90 },
      { waiting: 13, blocking: 12, table: 'shop.orders', seconds: 60 },
    ],
    metadata: [],
    status: { Threads_connected: '12' },
    digests: null,
    replication: [],
    earlier: null,
    now: NOW,
  });
  expect(
    facts.map(({ kind, object, sentence, steps }) => ({
      kind,
      object,
      sentence,
      last: steps.at(-1)?.content,
    })),
  ).toEqual([
    {
      kind: 'blocked-sessions',
      object: 'orders',
      sentence:
        'Session 11 (`mysql`, user `report` from 10.0.3.7) holds locks on rows of `orders` in a transaction since 14:02 UTC and has done nothing for 2 min; 2 sessions wait for it, the oldest for 90 s.'.replace(
          '90 s',
          '2 min',
        ),
      last: 'kill 11;',
    },
  ]);
});
