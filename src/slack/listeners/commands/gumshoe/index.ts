import { dryRun } from './dry-run.ts';
import { pause } from './pause.ts';
import { resume } from './resume.ts';
import type { Subcommand } from './subcommand.ts';
import { unwatch } from './unwatch.ts';
import { watch } from './watch.ts';

/** One line a subcommand of `/gumshoe`, in the order of its help. */
export const subcommands: Record<string, Subcommand> = {
  watch,
  unwatch,
  'dry-run': dryRun,
  pause,
  resume,
};
