import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { z } from 'zod';
import { readConfig } from '../bot/config.ts';
import type { Database } from '../lib/environment.ts';
import { type Command, loadEnvFile, processIo } from '../lib/io.ts';
import { reasonOf } from '../lib/postgres/errors.ts';
import { connectionOptions } from '../lib/postgres/pool.ts';
import { withoutSecrets } from '../lib/redact.ts';

const USAGE = `usage: npm run -s audit-export -- --since 2026-11-01 [--until 2026-12-01] [--format jsonl|csv]

Prints who did what, and when: entries from the first moment up to, but not including, the second. A day begins at
midnight UTC; 2026-11-01T09:00:00+01:00 works too. Gumshoe may be running.`;

/** `npm run audit-export`. @returns the exit code */
export const auditExport: Command = withoutSecrets(async (words, env, io) => {
  const options = readOptions(words);
  if (options === null) {
    io.err(USAGE);
    return 2;
  }
  const read = readConfig(env);
  if (!read.ok) {
    for (const problem of read.problems) io.err(problem);
    return 1;
  }
  try {
    const { since, until, format } = options;
    if (format.header !== null) io.out(format.header);
    for await (const entry of entries(read.config.database, since, until)) {
      io.out(format.line(entry));
      await io.drained();
    }
    return 0;
  } catch (error) {
    io.err(`The audit cannot be read (${reasonOf(error)}): check DATABASE_URL.`);
    return 1;
  }
});

function readOptions(words: readonly string[]) {
  try {
    const options = {
      since: { type: 'string' },
      until: { type: 'string' },
      format: { type: 'string' },
    } as const;
    const { values } = parseArgs({ args: [...words], options, strict: true });
    const since = Date.parse(values.since ?? '');
    const until = values.until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(values.until);
    const format = values.format ?? 'jsonl';
    if (Number.isNaN(since) || Number.isNaN(until) || !isFormat(format)) return null;
    return { since, until, format: formats[format] };
  } catch {
    return null;
  }
}

const Entry = z.object({
  at: z.number(),
  who: z.string(),
  what: z.string(),
  issueId: z.string().nullable(),
  channel: z.string().nullable(),
  /** Of the issue, as long as it is known. */
  number: z.coerce.number().nullable(),
});
type Entry = z.infer<typeof Entry>;

const AT_ONCE = 1_000;

const entriesBetween = (since: number, until: number) =>
  `select a.at, a.who, a.what, a.issue_id as "issueId", a.channel, i.number
     from audit a left join issues i on i.id = a.issue_id
     where a.at >= ${since} and a.at < ${until} order by a.at, a.id`;

/** The entries from one moment up to another, the oldest first: read-only, beside a program that runs on the database. */
async function* entries(database: Database, since: number, until: number): AsyncGenerator<Entry> {
  if (database.kind === 'postgres') {
    const client = new pg.Client(connectionOptions({ url: database.url, applicationName: 'gumshoe audit' }));
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('begin read only');
      await client.query(`declare entries no scroll cursor for ${entriesBetween(since, until)}`);
      for (;;) {
        const { rows } = await client.query(`fetch ${AT_ONCE} from entries`);
        yield* z.array(Entry).parse(rows);
        if (rows.length === 0) return;
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  const db = new Sqlite(database.file, { readonly: true, fileMustExist: true });
  try {
    for (const row of db.prepare(entriesBetween(since, until)).iterate()) yield Entry.parse(row);
  } finally {
    db.close();
  }
}

/** How an entry is printed, on one line or more. */
interface Format {
  header: string | null;
  line(entry: Entry): string;
}

const COLUMNS = ['at', 'who', 'what', 'issue', 'issueId', 'channel'] as const;

const fieldsOf = ({ at, who, what, number, issueId, channel }: Entry) => ({
  at: new Date(at).toISOString(),
  who,
  what,
  issue: number,
  issueId,
  channel,
});

const formats = {
  jsonl: { header: null, line: (entry) => JSON.stringify(fieldsOf(entry)) },
  /** RFC 4180. */
  csv: {
    header: COLUMNS.join(','),
    line: (entry) => {
      const fields = fieldsOf(entry);
      return COLUMNS.map((column) => cell(fields[column])).join(',');
    },
  },
} as const satisfies Record<string, Format>;

function isFormat(name: string): name is keyof typeof formats {
  return Object.hasOwn(formats, name);
}

/** What people wrote must not become a formula in a spreadsheet. */
function cell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

if (import.meta.main) {
  // A reader that has seen enough, such as `head`.
  process.stdout.on('error', () => process.exit(0));
  process.exitCode = await auditExport(process.argv.slice(2), loadEnvFile(), processIo);
}
