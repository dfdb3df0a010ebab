import { existsSync } from 'node:fs';
import { readConfig } from '../bot/config/config.ts';
import { loadEnvFile } from '../lib/env-file.ts';
import { backUp } from './backup/copy.ts';

/** `npm run backup -- FILE`: a consistent copy of the database, while Gumshoe runs or not. */
function run(target: string | undefined): string[] {
  if (target === undefined) return ['Name the backup file: npm run backup -- ./gumshoe-backup.db'];
  const read = readConfig(process.env);
  if (!read.ok) return read.problems;
  const { databaseFile } = read.config;
  if (!existsSync(databaseFile)) return [`There is no database at ${databaseFile}: check DATABASE_URL`];
  const problem = backUp(databaseFile, target);
  if (problem === null) console.log(`copied ${databaseFile} to ${target}`);
  return problem === null ? [] : [problem];
}

loadEnvFile();
const problems = run(process.argv[2]);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
