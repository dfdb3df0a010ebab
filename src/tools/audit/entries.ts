import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { z } from 'zod';
import type { Database } from '../../lib/environment.ts';
import { connectionOptions } from '../../lib/postgres/pool.ts';

const AT_ONCE = 1_000;

const Entry = z.object({
  seq: z.coerce.number(),
  id: z.string(),
  at: z.number(),
  who: z.string(),
  what: z.string(),
  issueId: z.string().nullable(),
  channel: z.string().nullable(),
  hash: z.string(),
  /** Of the issue, as long as it is known. */
  number: z.coerce.number().nullable(),
});
export type Entry = z.infer<typeof Entry>;
const Head = z.object({ seq: z.coerce.number(), hash: z.string() });
const Count = z.object({ n: z.coerce.number() });

const PAGE = `select a.seq, a.id, a.at, a.who, a.what, a.issue_id as "issueId", a.channel, a.hash, i.number
  from audit a left join issues i on i.id = a.issue_id`;

/** The audit of a database, read-only, beside a program that runs on it. */
export interface Audit {
  /** In the order of the chain. */
  entries(): AsyncIterable<Entry>;
  /** The last link, as it is stored apart; `null` if nothing is chained yet. */
  head(): Promise<{ seq: number; hash: string } | null>;
  /** How many entries are not chained yet. */
  loose(): Promise<number>;
  close(): Promise<void>;
}

type Ask = (sql: string, values?: readonly unknown[]) => Promise<unknown[]>;

/** @throws what the database says if it cannot be read */
export async function openAudit(database: Database): Promise<Audit> {
  if (database.kind === 'postgres') {
    const client = new pg.Client(connectionOptions({ url: database.url, applicationName: 'gumshoe audit' }));
    client.on('error', () => undefined);
    await client.connect();
    const ask: Ask = async (sql, values = []) => (await client.query(sql, [...values])).rows;
    return reading(
      ask,
      (n) => `$${n}`,
      () => client.end(),
    );
  }
  const db = new Sqlite(database.file, { readonly: true, fileMustExist: true });
  const ask: Ask = async (sql, values = []) => db.prepare(sql).all(...values);
  return reading(
    ask,
    () => '?',
    async () => void db.close(),
  );
}

function reading(ask: Ask, place: (n: number) => string, close: () => Promise<void>): Audit {
  return {
    entries: async function* () {
      let last = 0;
      for (;;) {
        const sql = `${PAGE} where a.seq > ${place(1)} order by a.seq limit ${AT_ONCE}`;
        const page = z.array(Entry).parse(await ask(sql, [last]));
        yield* page;
        if (page.length < AT_ONCE) return;
        last = page.at(-1)?.seq ?? last;
      }
    },
    head: async () => z.array(Head).parse(await ask('select seq, hash from audit_head'))[0] ?? null,
    loose: async () =>
      z.array(Count).parse(await ask('select count(*) as n from audit where seq is null'))[0]?.n ?? 0,
    close,
  };
}
