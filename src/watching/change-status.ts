import type { Clock } from '../lib/clock.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Issue } from '../store/issues.ts';
import type { Store } from '../store/open.ts';

/** A mute has an end (DESIGN section 4, *Filing*). */
export const MUTE_MS = 24 * 60 * 60_000;

/** What a person may do to an issue's status, and the status that it becomes. */
export const statusChanges = {
  resolve: { status: 'resolved', did: 'resolved it' },
  mute: { status: 'muted', did: 'muted it' },
  reopen: { status: 'ready_to_fix', did: 'reopened it' },
  ready: { status: 'ready_to_fix', did: 'marked it ready to fix' },
  investigateAgain: { status: 'investigating', did: 'had it investigated again' },
} as const;
export type StatusChange = keyof typeof statusChanges;

/**
 * Sets an issue's status at the service (contract 4.3; a repeat changes nothing more), and keeps who did it.
 *
 * @param options `until` is when a mute ends, in milliseconds since the epoch; in 24 hours, if not said.
 * @throws ServiceError when the service does not take it.
 */
export async function changeStatus(
  issue: Issue & { uuid: string },
  change: StatusChange,
  who: string,
  options: { store: Store; service: ServiceClient; clock: Clock; until?: number | undefined },
): Promise<void> {
  const { status, did } = statusChanges[change];
  const detail = await options.service.issues.update(issue.uuid, status);
  await options.store.transaction(async (tx) => {
    const now = options.clock.now();
    const before = (await tx.issues.get(issue.id)) ?? issue;
    const other = issue.identity === null ? null : await tx.issues.openByIdentity(issue.identity);
    const open = detail.status !== 'resolved' && (other === null || other.id === issue.id);
    await tx.issues.update(issue.id, {
      status: detail.status,
      status_since: now,
      is_open: open ? 1 : 0,
      watched: 1,
      last_action: JSON.stringify({ userId: who, what: did, at: now }),
      wanted_status: null,
      muted_until: detail.status === 'muted' ? (options.until ?? now + MUTE_MS) : null,
      hidden: 0,
      ...(isQuiet(detail.status) && !isQuiet(before.status) ? { status_before: before.status } : {}),
      ...(change === 'investigateAgain' ? begun(before, detail.latestVersion ?? before.version, now) : {}),
    });
    await tx.audit.add({ at: now, who, what: did, issueId: issue.id });
    await tx.outbox.refreshCards(issue.id);
  });
}

/** A service may give the new investigation its version at once, or once it ends: its end is to be told either way. */
function begun(before: Issue, version: number, now: number) {
  const ended_version = Math.min(before.ended_version, version - 1);
  return { version, ended_version, investigating_since: now };
}

/** What an issue returns from, when its alert fires again or a mute ends. */
function isQuiet(status: string): boolean {
  return status === 'resolved' || status === 'muted';
}
