import { existsSync } from 'node:fs';
import { readConfig } from '../bot/config/config.ts';
import { loadEnvFile } from '../lib/env-file.ts';
import { backUp } from './backup/copy.ts';

/** `npm run backup -- FILE`: a consistent copy of the database, while Gumshoe runs or not. */
function run(target: string | undefined): string[] {
  if (target === undefined || target.startsWith('-'))
    return ['Name the backup file: npm run backup -- ./gumshoe-backup.db'];
  const read = readConfig(process.env);
  if (!read.ok) return read.problems;
  const { database } = read.config;
  if (database.kind === 'postgres') {
    return [
      'DATABASE_URL is a PostgreSQL database. Back it up with pg_dump: pg_dump --format=custom --file=gumshoe.dump "$DATABASE_URL"',
    ];
  }
  const { file } = database;
  if (!existsSync(file)) return [`There is no database at ${file}: check DATABASE_URL`];
  const problem = backUp(file, target);
  if (problem === null) console.log(`copied ${file} to ${target}`);
  return problem === null ? [] : [problem];
}

loadEnvFile();
const problems = run(process.argv[2]);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
