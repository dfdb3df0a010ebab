import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../src/bot/store/dialects/sqlite.ts';
import { migrate } from '../../../src/bot/store/migrate.ts';
import { up as spine } from '../../../src/bot/store/migrations/0001-spine.ts';
import { openStore } from '../../../src/bot/store/open.ts';
import { instantClock } from '../../support/manual-clock.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-upgrade-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A database as the first version left it: an issue filed for a message, and a card. */
async function firstVersion(file: string): Promise<void> {
  const opened = openSqlite(file);
  await migrate(opened.db.withoutPlugins(), { name: 'it', known: { '0001-spine': { up: spine } } });
  await opened.close();
  const db = new Sqlite(file);
  db.exec(`
    insert into issues (id, identity, is_open, state, request, uuid, number, status, status_since, title, severity,
      environment, channel, thread_ts, investigating_since, created_at)
    values ('i1', 'cpu@production', 1, 'created', '{}', 'u1', 7, 'ready_to_fix', 5, 'CPU', 'medium', 'production', 'C1',
      '1.0', 5, 5);
    insert into alerts (id, channel, ts, decision, reason, kind, format, fingerprint, issue_id, alert, decided_at)
    values ('C1:1.0', 'C1', '1.0', 'filed', 'a new alert', 'firing', 'alertmanager', 'cpu', 'i1', '{}', 5);
    insert into outbox (key, kind, issue_id, channel, thread_ts, payload, priority, state, next_at, created_at)
    values ('card:i1', 'card', 'i1', 'C1', '1.0', '{}', 1, 'idle', 5, 5);
    insert into conversations (id, channel, thread_ts, conversation_id, issue_id, started_by, created_at, updated_at)
    values ('C1:2.0', 'C1', '1.0', 'conversation-1', 'i1', 'U1', 5, 5);
    insert into questions (id, conversation, asker, text, state, created_at, updated_at)
    values ('C1:2.0', 'C1:2.0', 'U1', 'why?', 'queued', 5, 5);
  `);
  db.close();
}

describe('a database of the version before', () => {
  it('keeps in no file what that version deleted without overwriting it', async () => {
    const file = join(folder, 'gumshoe.db');
    await firstVersion(file);
    const marker = 'quokka-deleted-long-ago';
    const old = new Sqlite(file);
    old.pragma('secure_delete = OFF');
    old.exec(
      `create table gone (text text); insert into gone values ('${`${marker} `.repeat(2_000)}'); drop table gone`,
    );
    old.close();
    const holding = () =>
      readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(marker));
    expect(holding()).toEqual(['gumshoe.db']);
    const store = await openStore({ file, clock: instantClock() });
    expect(readdirSync(folder)).toContainEqual(expect.stringContaining('.before-'));
    expect(holding()).toEqual([]);
    await store.close();
    expect(holding()).toEqual([]);
  });

  it('keeps its issues and decisions, and has the defaults in what is new', async () => {
    const file = join(folder, 'gumshoe.db');
    await firstVersion(file);
    const store = await openStore({ file, clock: instantClock() });
    expect(await store.issues.openByIdentity('cpu@production')).toMatchObject({
      id: 'i1',
      number: 7,
      hidden: 0,
      wantedStatus: null,
      raisedSeverity: null,
      mutedUntil: null,
    });
    expect(await store.alerts.find('C1', '1.0')).toMatchObject({
      decision: 'filed',
      holdId: null,
      outcome: null,
    });
    expect(await store.channels.get('C1')).toMatchObject({ watched: false, isPrivate: true });
    expect(await store.channels.position('C1')).toEqual({ seenTs: null, gapFrom: null });
    expect(await store.conversations.byThread('C1', '1.0')).toMatchObject({ id: 'C1:2.0', listening: true });
    expect(await store.questions.next(1)).toEqual([
      expect.objectContaining({ id: 'C1:2.0', files: '[]', askedAt: null, stoppedBy: null, offer: null }),
    ]);
    await store.outbox.refreshCards('i1');
    expect(await store.outbox.countDue()).toBe(1);
    await store.close();
  });
});
