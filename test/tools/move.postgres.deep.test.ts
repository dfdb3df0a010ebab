import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/bot/store/open.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { openStore as openServiceStore } from '../../src/service/store/store.ts';
import { move, moveCommand } from '../../src/tools/move.ts';
import { seeder } from '../bot/store/sweep/seeding.ts';
import { call } from '../support/call.ts';
import { createDatabase } from '../support/postgres/databases.ts';

const START = Date.UTC(2026, 10, 23);
const ISSUE = {
  title: 'Checkout fails',
  description: 'One in five',
  environment: 'production',
  severity: 'low' as const,
  triggeredAt: START,
  context: {},
};
const ISSUES = 300;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-move-'));
  file = join(folder, 'gumshoe.db');
  await (await openStore({ file, clock: systemClock })).close();
  const db = new Sqlite(file);
  const execute = async (statement: string, values: readonly unknown[] = []) => {
    db.prepare(statement.replaceAll(/\$\d+/gu, '?')).run(...values);
    return [];
  };
  const seed = seeder({ execute }, 1_795_221_000_000.125);
  for (let n = 0; n < ISSUES; n += 1) {
    await seed.issue(`i${n}`, { title: `odd \u0000 \u{1f600} '"${n}` });
    await seed.everythingAbout(`i${n}`, n);
  }
  db.close();
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('moving to PostgreSQL', () => {
  it('copies every row of every table, and a program goes on with them', async () => {
    const { url } = await createDatabase();
    const result = await call(moveCommand, [`sqlite:${file}`, url], {});
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(/^issues: 300 rows, checksum [\da-f]{16}$/mu);
    const store = await openStore({
      url,
      clock: systemClock,
      random: Math.random,
      onConnectionLost: () => undefined,
    });
    expect(await store.issues.get('i7')).toMatchObject({ title: `odd \ufffd \u{1f600} '"7`, isOpen: false });
    await store.close();
  });

  it('goes on where it was interrupted, and copies nothing twice', async () => {
    const { url } = await createDatabase();
    let batches = 0;
    const interrupted = move({
      file,
      url,
      onBatch: async () => {
        batches += 1;
        if (batches === 3) throw new Error('the power went out');
      },
    });
    await expect(interrupted).rejects.toThrow('the power went out');
    const moved: Record<string, number> = {};
    await move({
      file,
      url,
      onTable: (table, { rows }) => {
        moved[table] = rows;
      },
    });
    expect(moved).toMatchObject({ issues: ISSUES, alerts: ISSUES, outbox: 2 * ISSUES });
  });

  it('refuses a target that is not empty, one with another file’s rows, and a file in use', async () => {
    const { url } = await createDatabase();
    await move({ file, url });
    await expect(move({ file, url })).rejects.toThrow(
      /^The target is not empty: \w+ has \d+ rows\. Nothing was copied/u,
    );
    const half = await createDatabase();
    await expect(
      move({ file, url: half.url, onBatch: () => Promise.reject(new Error('stop')) }),
    ).rejects.toThrow('stop');
    const other = join(folder, 'other.db');
    copyFileSync(file, other);
    await expect(move({ file: other, url: half.url })).rejects.toThrow('of another file');
  });

  it('copies the service’s file too, and its ids continue where they were', async () => {
    const path = join(folder, 'service.db');
    const inFile = await openServiceStore({ file: path });
    for (let n = 1; n <= 250; n += 1) {
      const number = await inFile.issues.takeNumber('acme');
      const issue = { ...ISSUE, number, title: `Checkout ${n} fails` };
      const { uuid } = await inFile.issues.create('acme', issue, START);
      if (n % 10 === 0) await inFile.versions.start(uuid, START + n);
      if (n === 250) await inFile.issues.delete('acme', uuid);
    }
    const turn = { question: 'why?', answer: 'a deploy', askedAt: START };
    const conversation = await inFile.conversations.add('acme', undefined, turn, START);
    for (let n = 1; n < 250; n += 1) await inFile.conversations.add('acme', conversation, turn, START);
    await inFile.close();

    const { url } = await createDatabase();
    const { stdout, stderr, code } = await call(moveCommand, [`sqlite:${path}`, url], {});
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout).toMatch(/^issues: 249 rows, checksum [\da-f]{16}$/mu);
    expect(stdout).toMatch(/^turns: 250 rows, checksum [\da-f]{16}$/mu);

    const moved = await openServiceStore({ url, directUrl: url, onConnectionLost: () => undefined });
    const found = await moved.list('acme', { search: 'checkout 240 FAILS' }, null, 10);
    expect(found.issues.map(({ number }) => number)).toEqual([240]);
    expect((await moved.conversations.history('acme', conversation))?.length).toBe(250);
    const number = await moved.issues.takeNumber('acme');
    expect(await moved.issues.create('acme', { ...ISSUE, number }, START)).toMatchObject({
      id: 251,
      number: 251,
    });
    await moved.close();
  });

  it('refuses the service’s file while the service runs', async () => {
    const { url } = await createDatabase();
    const path = join(folder, 'running.db');
    const running = await openServiceStore({ file: path });
    await expect(move({ file: path, url })).rejects.toThrow(
      'running.db is in use by another process: stop it',
    );
    await running.close();
  });

  it('says so where the target has other rows in the end', async () => {
    const { url } = await createDatabase();
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    const spoil = async () => {
      await admin.query("update audit set what = 'something else' where id = 'audit-i1'");
    };
    await expect(move({ file, url, onBatch: spoil })).rejects.toThrow(
      /^audit is not the same in the target: 300 rows with checksum [\da-f]+ in the file, 300 with [\da-f]+ there\./u,
    );
    await admin.end();
  });
});
