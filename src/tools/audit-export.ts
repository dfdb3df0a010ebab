import { parseArgs } from 'node:util';
import { readConfig } from '../bot/config.ts';
import { loadEnvFile } from '../lib/env-file.ts';
import { type Environment, type Io, processIo } from '../lib/io.ts';
import { reasonOf } from '../lib/postgres/errors.ts';
import { openAudit } from './audit/entries.ts';
import { formats, isFormat } from './audit/formats.ts';

const USAGE = `usage: npm run -s audit-export -- --since 2026-11-01 [--until 2026-12-01] [--format jsonl|csv]

Prints who did what, and when: entries from the first moment up to, but not including, the second. A day begins at
midnight UTC; 2026-11-01T09:00:00+01:00 works too. Gumshoe may be running.`;

/** `npm run audit-export`. @returns the exit code */
export async function auditExport(words: readonly string[], env: Environment, io: Io): Promise<number> {
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
    const audit = await openAudit(read.config.database);
    try {
      const { since, until, format } = options;
      if (format.header !== null) io.out(format.header);
      for await (const entry of audit.entries()) {
        if (entry.at < since || entry.at >= until) continue;
        io.out(format.line(entry));
        await io.drained();
      }
    } finally {
      await audit.close();
    }
    return 0;
  } catch (error) {
    io.err(`The audit cannot be read (${reasonOf(error)}): check DATABASE_URL.`);
    return 1;
  }
}

function readOptions(words: readonly string[]) {
  try {
    const options = {
      since: { type: 'string' },
      until: { type: 'string' },
      format: { type: 'string' },
    } as const;
    const { values } = parseArgs({ args: [...words], options, strict: true });
    const since = Date.parse(values.since ?? '');
    const until = values.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(values.until);
    const format = values.format ?? 'jsonl';
    if (Number.isNaN(since) || Number.isNaN(until) || !isFormat(format)) return null;
    return { since, until, format: formats[format] };
  } catch {
    return null;
  }
}

if (import.meta.main) {
  // A reader that has seen enough, such as `head`.
  process.stdout.on('error', () => process.exit(0));
  process.exitCode = await auditExport(process.argv.slice(2), loadEnvFile(), processIo);
}
