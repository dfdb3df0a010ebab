import type { Organization, ServiceClient } from '../../contract/client/client.ts';
import { isRefusal, ServiceError, shortCircuitedFor } from '../../contract/client/errors.ts';
import { explainServiceError } from '../../contract/client/explain-error.ts';
import { backoffMs, type Checkpoint, type Clock } from '../../lib/clock.ts';
import { createQueueWorker, type Wakeup, type Worker } from '../../lib/worker-loop.ts';
import type { Logger } from '../shared/log.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { reinvestigate, stillRuns } from './change-status.ts';

const AT_ONCE = 20;
const RETRY = { firstMs: 1_000, maxMs: 60_000 };
const GOES_ON = 'I will keep trying to update it.';

export interface StatusPusherOptions {
  store: Store;
  /** For the organization whose issues are pushed. */
  service: ServiceClient;
  organization: Organization;
  clock: Clock;
  random: () => number;
  log: Logger;
  checkpoint: Checkpoint;
  /** Wakes the worker when a status is to be pushed. */
  status: Wakeup;
}

/**
 * Pushes the statuses that filing decided on to the service (a recovery that resolves, an alert that fires again, the
 * end of a mute), however often the process is killed: setting a status twice changes nothing.
 */
export function createStatusPusher(options: StatusPusherOptions): Worker {
  const { store, clock, log, status, organization } = options;
  return createQueueWorker({
    round: async (signal) => {
      const now = clock.now();
      const wanting = await store.issues.wanting(now, AT_ONCE, organization);
      for (const issue of wanting) if (!signal.aborted) await notifyOne(issue, options, signal);
      return wanting.length === AT_ONCE ? 0 : store.issues.untilWanting(now, organization);
    },
    wakeup: status,
    onError: (error) => log.error({ err: error }, 'could not push statuses to the service'),
  });
}

async function notifyOne(issue: Issue, options: StatusPusherOptions, signal: AbortSignal): Promise<void> {
  const { store, service, clock, checkpoint } = options;
  const { uuid, wantedStatus: wanted } = issue;
  if (uuid === null || wanted === null) return;
  try {
    await checkpoint('wanted status: before send');
    const isLook = isNewLook(issue);
    const detail = isLook
      ? await reinvestigate(uuid, issue.version, { service, checkpoint })
      : await service.issues.update(
          uuid,
          await harmless({ ...issue, uuid }, wanted, service, signal),
          signal,
        );
    await checkpoint('wanted status: sent');
    await store.transaction(async (tx) => {
      const now = clock.now();
      const fresh = await tx.issues.get(issue.id);
      if (!fresh) return;
      if (fresh.wantedStatus !== wanted) return overtaken(tx, fresh, detail.status);
      const seen = { status: detail.status, version: detail.latestVersion ?? issue.version };
      await tx.issues.apply(
        issue.id,
        isLook
          ? transitions.lookBegun(fresh, seen, now)
          : transitions.statusPushed(fresh, detail.status, now),
      );
      await tx.outbox.refreshCards(issue.id);
    });
    await checkpoint('wanted status: recorded');
  } catch (error) {
    if (signal.aborted) return;
    await notNotified(issue, error, options);
  }
}

/** Whether another investigation is wanted, and not one that runs to be shown again. */
function isNewLook({ wantedStatus, version, endedVersion }: Issue): boolean {
  return wantedStatus === 'investigating' && endedVersion >= version;
}

/**
 * Setting `investigating` would start a new investigation if the last one has ended, whether we have seen that or not.
 * Asked last, right before it is set (docs/decisions.md, *Departures*).
 */
async function harmless(
  issue: Issue & { uuid: string },
  wanted: string,
  service: ServiceClient,
  signal: AbortSignal,
): Promise<string> {
  if (wanted !== 'investigating') return wanted;
  const detail = await service.issues.get(issue.uuid, {}, signal);
  const known = { ...issue, statusBefore: wanted };
  return (await stillRuns(detail, known, service, signal)) ? wanted : 'ready_to_fix';
}

/**
 * Another status is wanted by now, and is pushed next. If none is (the alert fired again, or a person decided), the
 * service must get the one stored here.
 */
async function overtaken(tx: Aggregates, fresh: Issue, pushed: string | null): Promise<void> {
  if (fresh.wantedStatus !== null || fresh.status === pushed) return;
  // Setting `investigating` would start a new investigation if the last one has ended.
  const ended = fresh.status === 'investigating' && fresh.endedVersion >= fresh.version;
  await tx.issues.apply(fresh.id, transitions.wantStatus(ended ? 'ready_to_fix' : fresh.status));
}

async function notNotified(issue: Issue, error: unknown, options: StatusPusherOptions): Promise<void> {
  const { store, clock, log, random } = options;
  const notSent = shortCircuitedFor(error);
  if (notSent !== null) {
    // It waits for the service like everything else: it did not fail itself, and there is nothing new to report.
    const nextAt = clock.now() + Math.max(RETRY.firstMs, notSent);
    await store.issues.apply(issue.id, transitions.postponeStatus(nextAt));
    return;
  }
  const isGone = error instanceof ServiceError && error.status === 404;
  const isFinal = isGone || isRefusal(error);
  log.warn(
    { err: error, issue: issue.id, status: issue.wantedStatus },
    'could not push a status to the service',
  );
  await store.transaction(async (tx) => {
    const fresh = await tx.issues.get(issue.id);
    if (!fresh) return;
    // Whether the service received the earlier status is unknown, so the current one is sent again.
    if (fresh.wantedStatus !== issue.wantedStatus)
      return isFinal ? undefined : overtaken(tx, fresh, issue.wantedStatus);
    const next = {
      nextAt: clock.now() + backoffMs(fresh.attempts, RETRY, random),
      failure: isFinal ? explainServiceError(error) : `${explainServiceError(error)} ${GOES_ON}`,
      isFinal,
    };
    await tx.issues.apply(issue.id, transitions.statusNotPushed(fresh, next));
    await tx.outbox.refreshCards(issue.id);
  });
}
