import type { Migration } from 'kysely/migration';
import { up as tables } from './0001-tables.ts';

/**
 * Every migration in order, by name. During a rollout, the previous release still runs on the tables, and may be
 * restarted: so a migration only adds optional things, and removals come a release later, with a new `oldest` in the
 * table `compatibility`.
 */
export const migrations: Record<string, Migration> = {
  '0001-tables': { up: tables },
};
