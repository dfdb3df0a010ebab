import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { openStore, type Store } from '../../src/bot/store/open.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { grid, measure } from './measure.ts';

const NOW = 1_795_221_000_000;
const DAY_MS = 86_400_000;
/** Of all issues, however many: what is open at a time does not grow with what has been. */
const WATCHED = 1_000;
const CHANNELS = 100;
const OPERATIONS = 50;
/** As long as a short result. */
const RESULT = JSON.stringify({ summary: 'x'.repeat(500) });

/** What the program asks the database for, by what makes it ask. */
const asked: Readonly<Record<string, (store: Store, n: number) => Promise<unknown>>> = {
  'a message is decided on': async (store, n) => {
    const channel = `C${n % CHANNELS}`;
    await store.channels.get(channel);
    await store.alerts.find(channel, `${n}.2`);
    await store.issues.openByIdentity(`alert ${n}@production`);
    await store.issues.lastClosed(`alert ${n}@production`);
    await store.alerts.countFiledSince(channel, NOW - 10 * 60_000);
    await store.issues.countFromAlerts(NOW - DAY_MS);
  },
  'a poll': async (store) => {
    await store.issues.investigating();
    await store.issues.idle(NOW, 20);
    await store.issues.countWatched();
  },
  'what is to be posted': (store) => store.outbox.due(NOW, 20),
  'a thread is found by a reply': (store, n) => store.issues.byThread(`C${n % CHANNELS}`, `${n}.1`),
  'the history of an issue': (store, n) => store.audit.ofIssue(`i${n}`, 50),
  'a digest': (store, n) => store.digests.filed(`C${n % CHANNELS}`, NOW - DAY_MS, NOW),
  'a sweep that finds nothing': (store) =>
    store.transaction((tx) => tx.sweep.issues({ over: 0, spent: 0 }, 200)),
};

export interface Growth {
  issues: number;
  megabytes: number;
  /** Microseconds for each of what is asked. */
  micros: Record<string, number>;
}

/** The same questions to one database that grows: what has been must not make what is slower. */
export async function benchGrowth(sizes: readonly number[]): Promise<Growth[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-growth-'));
  const file = join(folder, 'store.db');
  const results: Growth[] = [];
  try {
    await (await openStore({ file, clock: systemClock })).close();
    let filled = 0;
    for (const size of sizes) {
      fill(file, filled, size);
      filled = size;
      const store = await openStore({ file, clock: systemClock });
      const micros: Record<string, number> = {};
      for (const [name, ask] of Object.entries(asked)) {
        const measured = await measure(name, OPERATIONS, async () => {
          for (let n = 0; n < OPERATIONS; n += 1) await ask(store, Math.floor((n * size) / OPERATIONS));
        });
        micros[name] = measured.micros;
      }
      await store.close();
      results.push({ issues: size, megabytes: statSync(file).size / 2 ** 20, micros });
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One issue an hour and channel, going back from now; the newest are open. */
function fill(file: string, from: number, to: number): void {
  const db = new Sqlite(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = OFF');
  const issue =
    db.prepare(`insert into issues (id, identity, is_open, state, request, uuid, number, status, status_since, title,
    severity, environment, channel, thread_ts, investigating_since, watched, checked_at, ended_version, created_at)
    values (@id, @identity, @open, 'created', '{}', @uuid, @number, @status, @at, @title, 'high', 'production', @channel, @thread,
    @at, @open, @at, 1, @at)`);
  const alert =
    db.prepare(`insert into alerts (id, channel, ts, decision, reason, kind, format, identity, issue_id, alert, decided_at)
    values (@alert, @channel, @thread, 'filed', 'a new alert', 'firing', 'alertmanager', @identity, @id, '{}', @at)`);
  const card =
    db.prepare(`insert into outbox (key, kind, issue_id, channel, thread_ts, payload, priority, state, next_at,
    delivered_at, created_at) values (@card, 'card', @id, @channel, @thread, '{}', 1, 'idle', @at, @at, @at)`);
  const result = db.prepare(
    'insert into results (issue_id, version, body, fetched_at) values (@id, 1, @result, @at)',
  );
  const audit = db.prepare(
    "insert into audit (id, at, who, what, issue_id) values (@id, @at, 'U1', 'resolved it', @id)",
  );
  db.transaction(() => {
    for (let n = from; n < to; n += 1) {
      const isOpen = n < WATCHED;
      const row = {
        id: `i${n}`,
        alert: `a${n}`,
        card: `card:i${n}`,
        identity: `alert ${n}@production`,
        open: isOpen ? 1 : 0,
        uuid: `u${n}`,
        number: n + 1,
        status: isOpen ? 'ready_to_fix' : 'resolved',
        title: `alert ${n}`,
        channel: `C${n % CHANNELS}`,
        thread: `${n}.1`,
        at: NOW - (n / CHANNELS) * 60 * 60_000,
        result: RESULT,
      };
      for (const statement of [issue, alert, card, result, audit]) statement.run(row);
    }
  })();
  db.close();
}

/** The table as text: microseconds, and how often as long with the most as with the fewest issues. */
export function growthOfStoreTable(grown: readonly Growth[]): string {
  const [first] = grown;
  const last = grown.at(-1);
  const of = (one: Growth | undefined, name: string) => one?.micros[name] ?? Number.NaN;
  return grid([
    ['µs, by issues in the database', ...grown.map(({ issues }) => issues.toLocaleString('en')), 'ratio'],
    ...Object.keys(asked).map((name) => [
      name,
      ...grown.map((one) => of(one, name).toFixed(0)),
      (of(last, name) / of(first, name)).toFixed(2),
    ]),
    ['the file, MB', ...grown.map(({ megabytes }) => megabytes.toFixed(0)), ''],
  ]);
}
