import type { Store } from '../store/open.ts';
import { recordDecision } from './consider.ts';
import { fileAlert } from './file.ts';
import { problemOf } from './problem.ts';
import { countRepeat, wantShortCard } from './repeat.ts';
import type { Decided, DecideOptions, Seen } from './seen.ts';

/** What came of a person's wish to have a message filed. */
export interface Requested {
  issueId: string;
  /** It belonged to that issue before anybody asked. */
  already: boolean;
}

/**
 * Files a message because a person asks for it: *File it*, *Investigate this*, 🔍. Neither the channel's rules nor a
 * budget nor a pause stand against that; but an open issue of the same alert takes it in.
 */
export function fileOnRequest(
  seen: Seen,
  by: string,
  options: DecideOptions & { store: Store },
): Promise<Requested> {
  return options.store.transaction(async (tx) => {
    const now = options.clock.now();
    const row = await tx.alerts.find(seen.channel, seen.ts);
    if (row?.issue_id != null && (row.decision === 'filed' || row.decision === 'repeat')) {
      return { issueId: row.issue_id, already: true };
    }
    const { settings } = await tx.channels.get(seen.channel);
    const problem = await problemOf(tx, seen.alert, settings, options.defaultEnvironment);
    const open = problem === null ? null : await tx.issues.openByIdentity(problem.identity);
    let decided: Decided & { issueId: string };
    if (open) {
      await countRepeat(tx, open, problem, now);
      await wantShortCard(tx, seen, open, now);
      decided = {
        decision: 'repeat',
        reason: 'a person asked for it; an issue of the same alert is open',
        issueId: open.id,
      };
    } else {
      // What is asked for a second time was filed once before, and its issue is closed since.
      const again = row?.issue_id == null ? {} : { again: String(now) };
      const toFile = { ...seen, ...again, problem, requestedBy: by, eyes: true };
      const issueId = await fileAlert(tx, toFile, settings, options);
      decided = { decision: 'filed', reason: 'a person asked for it', issueId };
    }
    await recordDecision(tx, seen, problem, decided, now);
    await tx.audit.add({ at: now, who: by, what: 'filed it', issueId: decided.issueId });
    return { issueId: decided.issueId, already: false };
  });
}
