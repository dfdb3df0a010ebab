import type { Ledger } from '../ledger.ts';
import type { SystemState } from '../read-state.ts';
import { judgeArtifacts } from './artifacts.ts';
import { judgeAudit } from './audit.ts';
import { judgeDeletions } from './deletions.ts';
import type { Difference, Judge } from './difference.ts';
import { judgeInbox } from './inbox.ts';
import { judgeCards, judgeIssues } from './issues.ts';
import { judgeMessages } from './messages.ts';
import { judgeHomes, judgeStatuses, judgeTicks, judgeVotes } from './presses.ts';
import { judgeProblems, judgeWanted } from './problems.ts';
import { judgeQuestions } from './questions.ts';

const judges: readonly Judge[] = [
  judgeInbox,
  judgeIssues,
  judgeCards,
  judgeMessages,
  judgeProblems,
  judgeWanted,
  judgeQuestions,
  judgeTicks,
  judgeStatuses,
  judgeVotes,
  judgeHomes,
  judgeDeletions,
  judgeAudit,
  judgeArtifacts,
];

/** Everything in the end that is not as it must be. */
export function judge(system: SystemState, ledger: Ledger): Difference[] {
  return judges.flatMap((one) => one(system, ledger));
}
