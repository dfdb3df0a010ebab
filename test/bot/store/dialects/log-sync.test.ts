import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogSync, type LogSync } from '../../../../src/bot/store/dialects/log-sync.ts';
import { openSqlite } from '../../../../src/bot/store/dialects/sqlite.ts';
import { DurableSqliteDialect } from '../../../../src/bot/store/dialects/sqlite-driver.ts';

const stack: AsyncDisposableStack[] = [];

afterEach(async () => {
  for (const one of stack.splice(0)) await one.disposeAsync();
});

/** Everything has happened that nothing outside is waited for. */
async function settled(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await turn();
}

/** A disk that takes as long as a test wants. */
function slowDisk() {
  const writes: { done: () => void; fail: (error: Error) => void }[] = [];
  const log = createLogSync('log', async () => ({
    datasync: () => new Promise<void>((done, fail) => writes.push({ done, fail })),
    close: async () => undefined,
  }));
  return { log, writes };
}

/** Notes when each of the promises resolves. */
function noting() {
  const noted: string[] = [];
  return {
    noted,
    note: (name: string, promise: Promise<unknown>) =>
      void promise.then(
        () => noted.push(name),
        (error) => noted.push(`${name}: ${error.message}`),
      ),
  };
}

describe('the sync of the log', () => {
  it('is shared by those who ask together, and done once more for those who ask while it runs', async () => {
    const { log, writes } = slowDisk();
    const { noted, note } = noting();
    note('a', log.sync());
    await settled();
    note('b', log.sync());
    note('c', log.sync());
    await settled();
    expect(writes).toHaveLength(1);
    writes[0]?.done();
    await settled();
    expect(noted).toEqual(['a']);
    expect(writes).toHaveLength(2);
    writes[1]?.done();
    await settled();
    expect(noted).toEqual(['a', 'b', 'c']);
    expect(writes).toHaveLength(2);
  });

  it('fails for good where the disk failed once: what the kernel dropped, it would not write the next time', async () => {
    const { log, writes } = slowDisk();
    const { noted, note } = noting();
    note('a', log.sync());
    await settled();
    writes[0]?.fail(new Error('EIO'));
    await settled();
    note('b', log.sync());
    await settled();
    expect(noted).toEqual(['a: EIO', 'b: EIO']);
    expect(writes).toHaveLength(1);
  });
});

interface Tables {
  words: { word: string };
}

async function withTable(log: LogSync) {
  const sqlite = new Sqlite(':memory:');
  let isWritten = false;
  const database = {
    prepare: (query: string) => {
      const statement = sqlite.prepare<unknown[]>(query);
      if (!statement.readonly) isWritten = true;
      return statement;
    },
    close: () => void sqlite.close(),
    wasWritten: () => {
      const was = isWritten;
      isWritten = false;
      return was;
    },
  };
  sqlite.exec('create table words (word text)');
  const db = new Kysely<Tables>({ dialect: new DurableSqliteDialect({ database, log }) });
  const closing = new AsyncDisposableStack();
  closing.defer(() => db.destroy());
  stack.push(closing);
  const add = (word: string) => db.insertInto('words').values({ word }).execute();
  const read = async () => (await db.selectFrom('words').select('word').execute()).map((row) => row.word);
  return { db, add, read };
}

describe('what is written to SQLite', () => {
  it('is on the disk when its promise resolves, and keeps nobody else waiting until then', async () => {
    const { log, writes } = slowDisk();
    const { add, read } = await withTable(log);
    const { noted, note } = noting();
    note('a', add('a'));
    await settled();
    note('b', add('b'));
    expect(await read()).toEqual(['a', 'b']);
    expect(noted).toEqual([]);
    expect(writes).toHaveLength(1);
    writes[0]?.done();
    await settled();
    expect(noted).toEqual(['a']);
    writes[1]?.done();
    await settled();
    expect(noted).toEqual(['a', 'b']);
  });

  it('waits once for a whole transaction, and not at all where nothing was written', async () => {
    const { log, writes } = slowDisk();
    const { db, read } = await withTable(log);
    const { noted, note } = noting();
    note(
      'transaction',
      db.transaction().execute(async (tx) => {
        await tx.insertInto('words').values({ word: 'a' }).execute();
        await tx.insertInto('words').values({ word: 'b' }).execute();
      }),
    );
    note(
      'reading',
      db.transaction().execute((tx) => tx.selectFrom('words').selectAll().execute()),
    );
    await settled();
    await settled();
    expect(noted).toEqual(['reading']);
    expect(writes).toHaveLength(1);
    writes[0]?.done();
    await settled();
    expect(noted).toEqual(['reading', 'transaction']);
    expect(await read()).toEqual(['a', 'b']);
  });

  it('is not counted on where the disk failed', async () => {
    const { log, writes } = slowDisk();
    const { add } = await withTable(log);
    const { noted, note } = noting();
    note('a', add('a'));
    await settled();
    writes[0]?.fail(new Error('EIO'));
    await settled();
    expect(noted).toEqual(['a: EIO']);
  });

  it('is one transaction after the other, though all have one connection', async () => {
    const { log, writes } = slowDisk();
    const { db, read } = await withTable(log);
    const step = (word: string) =>
      db.transaction().execute(async (tx) => {
        await tx.insertInto('words').values({ word }).execute();
        await settled();
        if (word === 'b') throw new Error('rolled back');
        await tx.insertInto('words').values({ word: word.toUpperCase() }).execute();
      });
    const { noted, note } = noting();
    for (const word of ['a', 'b', 'c']) note(word, step(word));
    while (noted.length < 3) {
      await settled();
      for (const { done } of writes) done();
    }
    expect(await read()).toEqual(['a', 'A', 'c', 'C']);
    expect(noted.toSorted()).toEqual(['a', 'b: rolled back', 'c']);
  });

  it('is in the log of a real file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gumshoe-log-'));
    const closing = new AsyncDisposableStack();
    stack.push(closing);
    closing.defer(() => rmSync(folder, { recursive: true }));
    const opened = openSqlite(join(folder, 'test.db'));
    closing.defer(() => opened.close());
    await sql`create table words (word text)`.execute(opened.db);
    await sql`insert into words values ('a')`.execute(opened.db);
    const { rows } = await sql<{ word: string }>`select word from words`.execute(opened.db);
    expect(rows).toEqual([{ word: 'a' }]);
  });
});
