import type { Subcommand } from '../listening/subcommand.ts';
import { audit } from './admin/audit-subcommand.ts';
import { status } from './admin/status-subcommand.ts';
import { ask } from './asking/ask-subcommand.ts';
import { digest } from './digest/digest-subcommand.ts';
import { investigate } from './issues/investigate-subcommand.ts';
import { issue } from './issues/issue-subcommand.ts';
import { dryRun } from './settings/dry-run-subcommand.ts';
import { pause } from './settings/pause-subcommand.ts';
import { resume } from './settings/resume-subcommand.ts';
import { unwatch } from './settings/unwatch-subcommand.ts';
import { watch } from './settings/watch-subcommand.ts';

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
