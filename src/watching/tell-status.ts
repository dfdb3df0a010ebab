import { backoffMs } from '../lib/backoff.ts';
import type { Bell } from '../lib/bell.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { ServiceClient } from '../service/client.ts';
import { ServiceError } from '../service/errors.ts';
import { explainServiceError } from '../service/words.ts';
import type { Issue } from '../store/issues.ts';
import type { Store } from '../store/open.ts';

const AT_ONCE = 20;
const IDLE_MS = 1_000;
const RETRY = { firstMs: 1_000, maxMs: 60_000 };
/** Statuses that an operator mends, or that pass. */
const GO_ON_AFTER = [401, 403, 408, 409, 425, 429];

export interface StatusTellerOptions {
  store: Store;
  service: ServiceClient;
  clock: Clock;
  random: () => number;
  log: Logger;
  /** Rung when there is something to say in Slack. */
  outbox: Bell;
  /** Rings when a status waits to be told. */
  status: Bell;
}

/**
 * Tells the service the statuses that filing decided on (a recovery that resolves, an alert that fires again, the
 * end of a mute), however often the process dies in between: to set a status twice changes nothing more.
 */
export function createStatusTeller(options: StatusTellerOptions): { start(): void; stop(): Promise<void> } {
  const { store, clock, log, status } = options;
  const stopping = new AbortController();
  let loop: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        for (const issue of await store.issues.wanting(clock.now(), AT_ONCE)) {
          if (!stopping.signal.aborted) await tellOne(issue, options, stopping.signal);
        }
      } catch (error) {
        log.error({ err: error }, 'statuses could not be told to the service');
      }
      await status.wait(IDLE_MS, stopping.signal);
    }
  }

  return {
    start: () => {
      loop = run();
    },
    stop: async () => {
      stopping.abort();
      await loop;
    },
  };
}

async function tellOne(issue: Issue, options: StatusTellerOptions, signal: AbortSignal): Promise<void> {
  const { store, service, clock, outbox } = options;
  const { uuid, wanted_status: wanted } = issue;
  if (uuid === null || wanted === null) return;
  try {
    const detail = await service.issues.update(uuid, wanted, signal);
    await store.transaction(async (tx) => {
      const fresh = await tx.issues.get(issue.id);
      // Overtaken meanwhile: what is wanted now is told next.
      if (!fresh || fresh.wanted_status !== wanted) return;
      const resolved = detail.status === 'resolved';
      await tx.issues.update(issue.id, {
        wanted_status: null,
        attempts: 0,
        failure: null,
        ...(resolved ? { is_open: 0 } : {}),
        ...(fresh.status === detail.status
          ? {}
          : {
              status: detail.status,
              status_since: clock.now(),
              ...(resolved ? { status_before: fresh.status } : {}),
            }),
      });
      await tx.outbox.refreshCards(issue.id);
    });
  } catch (error) {
    if (signal.aborted) return;
    await notTold(issue, error, options);
  }
  outbox.ring();
}

async function notTold(issue: Issue, error: unknown, options: StatusTellerOptions): Promise<void> {
  const { store, clock, log, random } = options;
  const status = error instanceof ServiceError ? error.status : null;
  const isFinal = status !== null && status >= 400 && status < 500 && !GO_ON_AFTER.includes(status);
  log.warn(
    { err: error, issue: issue.id, status: issue.wanted_status },
    'a status was not told to the service',
  );
  await store.transaction(async (tx) => {
    await tx.issues.update(issue.id, {
      attempts: issue.attempts + 1,
      next_at: clock.now() + backoffMs(issue.attempts, RETRY, random),
      failure: explainServiceError(error),
      ...(isFinal ? { wanted_status: null } : {}),
    });
    await tx.outbox.refreshCards(issue.id);
  });
}
