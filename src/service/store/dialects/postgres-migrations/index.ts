import type { Migration } from 'kysely/migration';
import { up as tables } from './0001-tables.ts';

/**
 * Every migration in order, by name. While a release is rolled out, the one before it still runs on the tables, and may be
 * started: a migration adds what that one can do without, and what it needs is taken away a release later, with a new
 * `oldest` in the table `compatibility`.
 */
export const migrations: Record<string, Migration> = {
  '0001-tables': { up: tables },
};
