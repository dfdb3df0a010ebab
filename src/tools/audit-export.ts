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

const USAGE = `usage: npm run -s audit-export -- --since 2026-11-01 [--until 2026-12-01] [--format jsonl|csv] [--verdicts]

Prints who did what, and when (with --verdicts, each issue's verdict and what became of it): entries from the first moment up to, but not including, the second. A day begins at
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
    const { since, until, format, report } = options;
    if (format === 'csv') io.out(report.columns.join(','));
    for await (const row of rowsOf(read.config.database, report.between(since, until))) {
      const fields = report.fieldsOf(row);
      io.out(
        format === 'csv' ? csv(report.columns.map((name) => fields[name] ?? null)) : JSON.stringify(fields),
      );
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
      verdicts: { type: 'boolean' },
    } as const;
    const { values } = parseArgs({ args: [...words], options, strict: true });
    const since = Date.parse(values.since ?? '');
    const until = values.until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(values.until);
    const format = values.format ?? 'jsonl';
    if (Number.isNaN(since) || Number.isNaN(until)) return null;
    if (format !== 'jsonl' && format !== 'csv') return null;
    return { since, until, format, report: values.verdicts === true ? VERDICTS : AUDIT } as const;
  } catch {
    return null;
  }
}

type Fields = Readonly<Record<string, string | number | null>>;

/** What is printed: a query, and how its rows are. */
interface Report {
  columns: readonly string[];
  /** Oldest first. */
  between(since: number, until: number): string;
  fieldsOf(row: unknown): Fields;
}

const words = z.string().nullable();
const moment = z.coerce
  .number()
  .nullable()
  .transform((at) => (at === null ? null : new Date(at).toISOString()));
/** Of the issue, as long as it is known. */
const number = z.coerce.number().nullable();

const Entry = z.object({
  at: moment,
  who: z.string(),
  what: z.string(),
  issue: number,
  issueId: words,
  channel: words,
});

const AUDIT: Report = {
  columns: Object.keys(Entry.shape),
  between: (since, until) =>
    `select a.at, a.who, a.what, a.issue_id as "issueId", a.channel, i.number as issue
     from audit a left join issues i on i.id = a.issue_id
     where a.at >= ${since} and a.at < ${until} order by a.at, a.id`,
  fieldsOf: (row) => Entry.parse(row),
};

const Verdict = z.object({
  at: moment,
  issue: number,
  issueId: z.string(),
  channel: z.string(),
  kind: words,
  confidence: z.string(),
  shown: z.string(),
  said: words,
  saidBy: words,
  saidAt: moment,
  outcome: words,
  outcomeAt: moment,
});

const VERDICTS: Report = {
  columns: Object.keys(Verdict.shape),
  between: (since, until) =>
    `select v.at, i.number as issue, v.issue_id as "issueId", v.channel, v.kind, v.confidence, v.shown, v.said,
       v.said_by as "saidBy", v.said_at as "saidAt", v.outcome, v.outcome_at as "outcomeAt"
     from verdicts v left join issues i on i.id = v.issue_id
     where v.at >= ${since} and v.at < ${until} order by v.at, v.issue_id`,
  fieldsOf: (row) => Verdict.parse(row),
};

const AT_ONCE = 1_000;

/** The rows of a query: read-only, beside a program that runs on the database. */
async function* rowsOf(database: Database, query: string): AsyncGenerator<unknown> {
  if (database.kind === 'postgres') {
    const client = new pg.Client(connectionOptions({ url: database.url, applicationName: 'gumshoe audit' }));
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('begin read only');
      await client.query(`declare entries no scroll cursor for ${query}`);
      for (;;) {
        const { rows } = await client.query(`fetch ${AT_ONCE} from entries`);
        yield* rows;
        if (rows.length === 0) return;
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  const db = new Sqlite(database.file, { readonly: true, fileMustExist: true });
  try {
    for (const row of db.prepare(query).iterate()) yield row;
  } finally {
    db.close();
  }
}

/** RFC 4180. */
function csv(values: readonly (string | number | null)[]): string {
  return values.map(cell).join(',');
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
