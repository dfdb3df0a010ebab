import { existsSync } from 'node:fs';
import { readConfig } from '../bot/config.ts';
import { loadEnvFile } from '../lib/env-file.ts';
import { type Environment, type Io, processIo } from '../lib/io.ts';
import { backUp } from './backup/copy.ts';

/** `npm run backup -- FILE`: a consistent copy of the database, while Gumshoe runs or not. @returns the exit code */
export async function backup(words: readonly string[], env: Environment, io: Io): Promise<number> {
  const problems = problemsOf(words[0], env, io);
  for (const problem of problems) io.err(problem);
  return problems.length === 0 ? 0 : 1;
}

function problemsOf(target: string | undefined, env: Environment, io: Io): string[] {
  if (target === undefined || target.startsWith('-'))
    return ['Name the backup file: npm run backup -- ./gumshoe-backup.db'];
  const read = readConfig(env);
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
  if (problem === null) io.out(`copied ${file} to ${target}`);
  return problem === null ? [] : [problem];
}

if (import.meta.main) process.exitCode = await backup(process.argv.slice(2), loadEnvFile(), processIo);
