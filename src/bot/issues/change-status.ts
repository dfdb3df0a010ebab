import type { IssueDetail } from '../../contract/answers.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { type ChangeOptions, type ChangeRequest, changeIdempotently } from './idempotent-change.ts';
import { reinvestigate } from './reinvestigate.ts';
import { reopenThere } from './reopen.ts';
import { isClosed } from './version-state.ts';

/** A mute has an end (DESIGN section 4, *Filing*). */
export const MUTE_MS = 24 * 60 * 60_000;

/**
 * What people may do to an issue's status, and the status that results; a reopened issue may still be under
 * investigation.
 */
export const statusChanges = {
  resolve: { status: 'resolved', did: 'resolved it' },
  mute: { status: 'muted', did: 'muted it' },
  reopen: { status: 'ready_to_fix', did: 'reopened it' },
  ready: { status: 'ready_to_fix', did: 'marked it ready to fix' },
  investigateAgain: { status: 'investigating', did: 'had it investigated again' },
} as const;
export type StatusChange = keyof typeof statusChanges;

/**
 * Sets an issue's status at the service (contract 4.3; repeating it changes nothing), and stores who did it. After a
 * crash at any point, repeating the request leaves it done once.
 *
 * @param options `until` is when a mute ends, in milliseconds since the epoch; 24 hours from now by default.
 * @returns the resulting status
 * @throws ServiceError if the service rejects it.
 */
export async function changeStatus(
  issue: Issue & { uuid: string },
  change: StatusChange,
  wish: ChangeRequest,
  options: ChangeOptions & { until?: number | undefined },
): Promise<string> {
  const { store, checkpoint } = options;
  const done = await changeIdempotently(wish, issue.version, options, async ({ version }) => {
    await checkpoint('status: before send');
    return { detail: await changeThere(issue, change, version, options), version };
  });
  if (done === null) return ((await store.issues.get(issue.id)) ?? issue).status;
  await checkpoint('status: sent');
  await store.transaction((tx) => record(tx, { ...done, issue, change, wish, options }));
  await checkpoint('status: recorded');
  return done.detail.status;
}

function changeThere(
  issue: Issue & { uuid: string },
  change: StatusChange,
  version: number,
  { services, checkpoint }: ChangeOptions,
): Promise<IssueDetail> {
  const service = services.for(issue.organization);
  if (change === 'investigateAgain') return reinvestigate(issue.uuid, version, { service, checkpoint });
  if (change === 'reopen') return reopenThere(issue.uuid, issue, service);
  return service.issues.update(issue.uuid, statusChanges[change].status);
}

/** What the service answered, and the issue's version when the change was requested. */
interface Done {
  issue: Issue;
  change: StatusChange;
  detail: IssueDetail;
  version: number;
  wish: ChangeRequest;
  options: Pick<ChangeOptions, 'clock'> & { until?: number | undefined };
}

async function record(
  tx: Aggregates,
  { issue, change, detail, version, wish, options }: Done,
): Promise<void> {
  const now = options.clock.now();
  const before = (await tx.issues.get(issue.id)) ?? issue;
  const other = issue.identity === null ? null : await tx.issues.openByIdentity(issue.identity);
  const open = detail.status !== 'resolved' && (other === null || other.id === issue.id);
  const { did } = statusChanges[change];
  const isQuieted = isClosed(detail.status) && !isClosed(before.status);
  const set = {
    status: detail.status,
    what: did,
    isOpen: open,
    mutedUntil: detail.status === 'muted' ? (options.until ?? now + MUTE_MS) : null,
    statusBefore: isQuieted ? before.status : null,
    newVersion:
      change === 'investigateAgain' ? begun(before, version, detail.latestVersion ?? version) : null,
  };
  await tx.issues.apply(issue.id, transitions.setStatus(set, { by: wish.who, at: now }));
  await tx.audit.add({ at: now, who: wish.who, what: did, issueId: issue.id });
  if (change === 'investigateAgain') await tx.progress.begin(issue.id);
  await tx.changes.recorded(wish.cause);
  await tx.outbox.refreshCards(issue.id);
}

/**
 * A service may give the new investigation its version at once, or when it ends: its end must be reported either way.
 * What the poller has already seen of it stays.
 */
function begun(before: Issue, from: number, version: number) {
  if (before.version > from) return null;
  return { version, endedVersion: Math.min(before.endedVersion, version - 1) };
}
