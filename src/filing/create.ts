import { backoffMs } from '../lib/backoff.ts';
import type { Bell } from '../lib/bell.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import { createRounds, type Worker } from '../lib/rounds.ts';
import type { Step } from '../lib/step.ts';
import type { ServiceClient } from '../service/client.ts';
import { CircuitOpenError, ServiceError } from '../service/errors.ts';
import { isRefusal } from '../service/refusal.ts';
import { IssueCreate } from '../service/schema/issue.ts';
import { explainServiceError } from '../service/words.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { type FoundIssue, findByReference } from './find.ts';
import { refreshIssue } from './flood.ts';

const AT_ONCE = 4;
const IDLE_MS = 1_000;
/** Issues that were held back together do not come back at one moment. */
const SPREAD_MS = 2_000;
const RETRY = { firstMs: 1_000, maxMs: 60_000 };
/** Before an empty search counts: the service may show a new issue a moment later. */
const GOES_ON = 'Gumshoe goes on trying to file this by itself.';
const LOOK_AGAIN_MS = 1_500;
/** How long a create call under way may take to end when the process stops. */
const GRACE_MS = 3_000;

export interface CreatorOptions {
  store: Store;
  service: ServiceClient;
  clock: Clock;
  random: () => number;
  log: Logger;
  /** Rung when there is something to say in Slack. */
  outbox: Bell;
  /** Rings when an issue waits to be created. */
  filed: Bell;
  step: Step;
}

/** Brings pending issues to the service, one create call each, however often the process dies in between. */
export function createCreator(options: CreatorOptions): Worker {
  const { store, clock, log, filed } = options;
  const cutting = new AbortController();
  const running = new Map<string, Promise<void>>();

  // A call that hangs takes one place, and holds up no other issue.
  function begin(issue: Issue, signal: AbortSignal): void {
    const work = createOne(issue, options, signal, cutting.signal)
      .catch((error) =>
        log.error({ err: error, issue: issue.id }, 'what became of an issue could not be kept'),
      )
      .finally(() => {
        running.delete(issue.id);
        filed.ring();
      });
    running.set(issue.id, work);
  }

  const rounds = createRounds({
    round: async (signal) => {
      const free = AT_ONCE - running.size;
      for (const issue of free > 0 ? await store.issues.pending(clock.now(), AT_ONCE * 2) : []) {
        if (running.size < AT_ONCE && !running.has(issue.id)) begin(issue, signal);
      }
    },
    rest: (signal) => filed.wait(IDLE_MS, signal),
    onError: (error) => log.error({ err: error }, 'pending issues could not be worked through'),
  });

  return {
    start: rounds.start,
    stop: async () => {
      const cut = setTimeout(() => cutting.abort(), GRACE_MS);
      await rounds.stop();
      await Promise.allSettled([...running.values()]);
      clearTimeout(cut);
    },
  };
}

async function createOne(
  issue: Issue,
  options: CreatorOptions,
  signal: AbortSignal,
  cut: AbortSignal,
): Promise<void> {
  const { store, clock, service, step } = options;
  if (signal.aborted) return;
  try {
    const found = issue.attempted_at === null ? null : await findAgain(issue, options, signal, cut);
    if (!found) {
      await store.issues.update(issue.id, { attempted_at: clock.now() });
      await step('create: before send');
    }
    const created = found ?? (await service.issues.create(IssueCreate.parse(JSON.parse(issue.request)), cut));
    if (!found) await step('create: sent');
    await store.transaction(async (tx) => {
      const now = clock.now();
      await tx.issues.update(issue.id, {
        state: 'created',
        failure: null,
        uuid: created.uuid,
        number: created.number,
        status: created.status,
        status_since: now,
        investigating_since: now,
        version: created.latestVersion ?? 1,
      });
      await refreshIssue(tx, issue.id);
      await refreshRelated(tx, issue.id);
    });
    await step('create: recorded');
    options.outbox.ring();
  } catch (error) {
    // Cut off by a shutdown: the next start looks whether it got there.
    if (cut.aborted || (signal.aborted && !(error instanceof ServiceError))) return;
    await notCreated(issue, error, options);
  }
}

/** The cards of what it was filed apart from, or attached to meanwhile, name it by its number. */
async function refreshRelated(tx: Aggregates, issueId: string): Promise<void> {
  const issue = await tx.issues.get(issueId);
  for (const related of [issue?.apart_from, issue?.joined_into]) {
    if (related != null) await tx.outbox.refreshCards(related);
  }
}

async function findAgain(
  issue: Issue,
  { service, clock }: CreatorOptions,
  signal: AbortSignal,
  cut: AbortSignal,
): Promise<FoundIssue | null> {
  const found = await findByReference(service, issue.id, cut);
  if (found) return found;
  await clock.sleep(LOOK_AGAIN_MS, signal);
  return findByReference(service, issue.id, cut);
}

async function notCreated(issue: Issue, error: unknown, options: CreatorOptions): Promise<void> {
  const { store, clock, log } = options;
  if (error instanceof CircuitOpenError) return held(issue, error, options);
  const refused = isRefusal(error);
  const failure = refused ? explainServiceError(error) : `${explainServiceError(error)} ${GOES_ON}`;
  const wait = backoffMs(issue.attempts, RETRY, options.random);
  log.warn(
    { err: error, issue: issue.id, attempts: issue.attempts + 1, refused },
    'an issue was not created',
  );
  const happened = !(error instanceof ServiceError) || error.ambiguous;
  await store.transaction(async (tx) => {
    await tx.issues.update(issue.id, {
      ...(refused ? { state: 'failed' as const, is_open: 0 } : {}),
      failure,
      attempts: issue.attempts + 1,
      next_at: clock.now() + wait,
      // What certainly did not happen need not be searched for.
      ...(happened || issue.attempted_at !== null ? {} : { attempted_at: null }),
    });
    if (failure !== issue.failure) await refreshIssue(tx, issue.id);
  });
  options.outbox.ring();
}

/** Nothing was sent, since the service fails for everybody: again when it is tried again, a little spread. */
async function held(issue: Issue, error: CircuitOpenError, options: CreatorOptions): Promise<void> {
  const { store, clock, random } = options;
  const wait = Math.max(RETRY.firstMs, error.retryAfterMs) + SPREAD_MS * random();
  await store.transaction(async (tx) => {
    await tx.issues.update(issue.id, {
      next_at: clock.now() + Math.round(wait),
      ...(issue.failure === null ? { failure: `${explainServiceError(error)} ${GOES_ON}` } : {}),
      ...(issue.attempted_at === null ? { attempted_at: null } : {}),
    });
    if (issue.failure === null) await tx.outbox.refreshCards(issue.id);
  });
  options.outbox.ring();
}
