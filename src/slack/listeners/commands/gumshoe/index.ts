import { ask } from './ask.ts';
import { audit } from './audit.ts';
import { digest } from './digest.ts';
import { dryRun } from './dry-run.ts';
import { investigate } from './investigate.ts';
import { issue } from './issue.ts';
import { pause } from './pause.ts';
import { resume } from './resume.ts';
import { status } from './status.ts';
import type { Subcommand } from './subcommand.ts';
import { unwatch } from './unwatch.ts';
import { watch } from './watch.ts';

/** One line a subcommand of `/gumshoe`, in the order of its help. */
export const subcommands: Record<string, Subcommand> = {
  watch,
  unwatch,
  'dry-run': dryRun,
  digest,
  status,
  audit,
  pause,
  resume,
  investigate,
  issue,
  ask,
};
