import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';

/** An event in an issue's history, replayed at its time. */
interface Happening {
  at: number;
  issue: Issue;
  what: 'began' | 'ended';
}

/** The issues as they were at an earlier moment, which can be moved forward. */
export interface ReplayedState {
  /** Replays events up to a moment (milliseconds since 1970). */
  upTo(at: number): Promise<void>;
  /** Replays the start of an issue: the message that it was filed for has been reached. */
  begin(issueId: string): Promise<void>;
}

/**
 * Sets every issue back to an earlier moment, so that the messages since can be decided again: issues filed since are
 * hidden, and those closed since accept repeats again. Only within a transaction that is rolled back.
 *
 * @param to milliseconds since 1970
 */
export async function replay(tx: Aggregates, to: number): Promise<ReplayedState> {
  const happenings: Happening[] = [];
  for (const issue of await tx.issues.changedSince(to)) {
    const isLater = issue.createdAt > to;
    const ended = !issue.isOpen && issue.status === 'resolved' && issue.joinedInto === null;
    // Without its identity it cannot be found, and it does not count toward the day's limit.
    if (isLater) await tx.issues.rewrite(issue.id, { identity: null, isOpen: false, createdAt: 0 });
    else if (ended) await begin(tx, issue);
    if (isLater && (ended || issue.isOpen)) {
      happenings.push({ at: issue.createdAt, issue, what: 'began' });
    }
    if (ended) happenings.push({ at: issue.statusSince, issue, what: 'ended' });
  }
  happenings.sort((a, b) => a.at - b.at);

  return {
    upTo: async (at) => {
      for (let next = happenings[0]; next !== undefined && next.at <= at; next = happenings[0]) {
        happenings.shift();
        await play[next.what](tx, next.issue);
      }
    },
    begin: async (issueId) => {
      const index = happenings.findIndex(({ issue, what }) => issue.id === issueId && what === 'began');
      const [first] = index < 0 ? [] : happenings.splice(index, 1);
      if (first) await begin(tx, first.issue);
    },
  };
}

const play = { began: begin, ended: end } as const;

async function begin(tx: Aggregates, issue: Issue): Promise<void> {
  // Decided again, its alert may have another issue by now.
  if (issue.identity !== null && (await tx.issues.openByIdentity(issue.identity)) !== null) return;
  await tx.issues.rewrite(issue.id, {
    identity: issue.identity,
    isOpen: true,
    createdAt: issue.createdAt,
    status: issue.status === 'resolved' ? (issue.statusBefore ?? 'investigating') : issue.status,
    statusSince: issue.createdAt,
    recoveredAt: null,
    wantedStatus: null,
  });
}

async function end(tx: Aggregates, issue: Issue): Promise<void> {
  await tx.issues.rewrite(issue.id, {
    isOpen: false,
    status: issue.status,
    statusSince: issue.statusSince,
    statusBefore: issue.statusBefore,
    wantedStatus: null,
  });
}
