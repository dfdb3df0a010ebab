import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../src/bot/store/dialects/sqlite.ts';
import { StoreError } from '../../../src/bot/store/errors.ts';
import { openStore } from '../../../src/bot/store/open.ts';
import { errorOf } from '../../contract/client/harness.ts';
import { instantClock } from '../../support/manual-clock.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-open-'));
  file = join(folder, 'gumshoe.db');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function mode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

describe('opening the store', () => {
  it('makes the folder, and files that only this user may read', async () => {
    const deep = join(folder, 'a/b/gumshoe.db');
    const store = await openStore({ file: deep, clock: instantClock() });
    await store.inbox.add([{ key: 'one', body: '{}', receivedAt: 1 }]);
    expect({ database: mode(deep), log: mode(`${deep}-wal`) }).toEqual({ database: '600', log: '600' });
    await store.close();
  });

  it('takes from others what they could read before', async () => {
    writeFileSync(file, '', { mode: 0o644 });
    await (await openStore({ file, clock: instantClock() })).close();
    expect(mode(file)).toBe('600');
  });

  it('opens its file in WAL mode, with foreign keys, waiting for locks outside of SQLite, and has each commit on disk', async () => {
    const opened = openSqlite(file);
    const asked = await Promise.all(
      ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'].map(async (name) => {
        const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(opened.db);
        return [name, Object.values(rows[0] ?? {})[0]];
      }),
    );
    await opened.close();
    expect(Object.fromEntries(asked)).toEqual({
      journal_mode: 'wal',
      synchronous: 2,
      foreign_keys: 1,
      busy_timeout: 0,
    });
  });

  it('finds again what was stored before', async () => {
    const first = await openStore({ file, clock: instantClock() });
    await first.inbox.add([{ key: 'one', body: '{"a":1}', receivedAt: 7 }]);
    await first.close();
    const second = await openStore({ file, clock: instantClock() });
    expect(await second.inbox.open(7, { most: 9 })).toEqual([
      { key: 'one', body: '{"a":1}', receivedAt: 7, attempts: 0 },
    ]);
    await second.close();
  });

  it('says that it takes writes while it does, and that it does not once it is closed', async () => {
    const store = await openStore({ file, clock: instantClock() });
    expect(await store.writable()).toBe(true);
    await store.close();
    expect(await store.writable()).toBe(false);
  });

  it('keeps nothing of a transaction that fails', async () => {
    const store = await openStore({ file, clock: instantClock() });
    const failing = store.transaction(async (tx) => {
      await tx.inbox.add([{ key: 'one', body: '{}', receivedAt: 1 }]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await store.inbox.countOpen()).toBe(0);
    await store.close();
  });
});

describe('a database that cannot be used is refused with what to do', () => {
  async function refusal(path: string): Promise<string> {
    const error = await errorOf(openStore({ file: path, clock: instantClock() }));
    expect(error).toBeInstanceOf(StoreError);
    return error instanceof StoreError ? error.message : '';
  }

  it('where its folder is a file', async () => {
    writeFileSync(join(folder, 'taken'), '');
    expect(await refusal(join(folder, 'taken/gumshoe.db'))).toMatch(
      /^Cannot open the database .*taken\/gumshoe\.db \(E(?:EXIST|NOTDIR).*Check that the folder exists and that this user can write to it, or set DATABASE_URL=/u,
    );
  });

  it('where nobody may write', async () => {
    expect(await refusal('/proc/gumshoe.db')).toMatch(
      /^Cannot open the database \/proc\/gumshoe\.db \(E[A-Z]+.*that this user can write to it/u,
    );
  });

  it('where it is a folder, whose mode stays as it is', async () => {
    const before = mode(folder);
    expect(await refusal(folder)).toBe(
      `Cannot open the database ${folder} (it is not a file). Check that the folder exists and that this ` +
        'user can write to it, or set DATABASE_URL=sqlite:/path/to/gumshoe.db.',
    );
    expect(mode(folder)).toBe(before);
  });

  it('where the lock cannot be made beside it', async () => {
    await (await openStore({ file, clock: instantClock() })).close();
    writeFileSync(`${file}.lock`, 'something else entirely, by somebody else. '.repeat(20));
    expect(await refusal(file)).toContain(`Cannot take the lock ${file}.lock (file is not a database)`);
  });
});
