import type { Clock } from '../../../../lib/clock.ts';
import type { ProgramStatus } from '../../../render/admin/status.ts';
import type { Store } from '../../../store/open.ts';
import type { RuntimeStatus } from '../../status-tracker.ts';

const DAY_MS = 24 * 60 * 60_000;

/** The program's status, for admins. */
export async function programStatus({
  store,
  clock,
  runtimeStatus,
  maxIssuesPerDay,
}: {
  store: Store;
  clock: Clock;
  runtimeStatus: () => RuntimeStatus;
  maxIssuesPerDay: number;
}): Promise<ProgramStatus> {
  const { degraded: _, brokenChannels: __, ...program } = runtimeStatus();
  return {
    ...program,
    outbox: await store.outbox.countDue(),
    // Does not count the delivery of this request.
    inbox: Math.max(0, (await store.inbox.countOpen()) - 1),
    pending: await store.issues.countPending(),
    day: { used: await store.issues.countFromAlerts(clock.now() - DAY_MS), issues: maxIssuesPerDay },
    watchedChannels: (await store.channels.watched()).length,
  };
}
