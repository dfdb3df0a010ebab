import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { openStore } from '../../src/bot/store/open.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { type Measured, measure } from './measure.ts';

const body = JSON.stringify({ type: 'event_callback', event: { text: 'x'.repeat(1_000) } });
const operations = 200;

/** The cost of storing a delivery before it is acknowledged, alone and together, against the bare library. */
export async function benchStore(): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-bench-'));
  const store = await openStore({ file: join(folder, 'store.db'), clock: systemClock });
  const raw = new Sqlite(join(folder, 'raw.db'));
  raw.pragma('journal_mode = WAL');
  raw.pragma('synchronous = FULL');
  raw.exec('CREATE TABLE inbox (key TEXT PRIMARY KEY, body TEXT NOT NULL, received_at INTEGER NOT NULL)');
  const insert = raw.prepare('INSERT INTO inbox VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING key');
  let next = 0;
  const delivery = () => ({ key: `key-${next++}`, body, receivedAt: next });
  try {
    const bare = await measure('bare insert and commit', operations, () => {
      for (let i = 0; i < operations; i++) insert.get(delivery().key, body, next);
    });
    const single = await measure(
      'store a delivery',
      operations,
      async () => {
        for (let i = 0; i < operations; i++) await store.inbox.add([delivery()]);
      },
      bare.name,
    );
    const many = await measure(
      'store a delivery, 50 at once',
      operations,
      async () => {
        for (let i = 0; i < operations; i += 50) await store.inbox.add(Array.from({ length: 50 }, delivery));
      },
      bare.name,
    );
    return [bare, single, many];
  } finally {
    raw.close();
    await store.close();
    rmSync(folder, { recursive: true });
  }
}
