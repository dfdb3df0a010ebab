import type { Organization, ServiceClient } from '../../contract/client/client.ts';
import {
  isRefusal,
  MissingKeyError,
  RateLimitedError,
  RejectedError,
  ServiceError,
  shortCircuitedFor,
} from '../../contract/client/errors.ts';
import { explainServiceError } from '../../contract/client/explain-error.ts';
import { IssueCreate } from '../../contract/schema.ts';
import { backoffMs, type Checkpoint, type Clock, systemClock, withTimeout } from '../../lib/clock.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import { createQueueWorker, type Wakeup, type Worker } from '../../lib/worker-loop.ts';
import type { Logger } from '../shared/log.ts';
import { traced } from '../shared/tracing/spans.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { type AdmissionControl, createAdmissionControl } from './admission-control.ts';
import type { OriginOf } from './privacy.ts';
import { leaveLine, QUEUED } from './queued-line.ts';
import { type FoundIssue, findByReference } from './reference.ts';
import { refreshIssue } from './throttle.ts';

/** Per round; more than may be sent at once, so that one channel's backlog does not hide another's. */
const LOOKED_AT = 50;
/** For one issue; longer than admission control waits after a failure, so that a bad issue lets the next one pass. */
const RETRY = { firstMs: 2_000, maxMs: 60_000 };
const DAMAGED =
  'The data I stored for this is damaged, so it was not filed. File it again with “Investigate this” in the menu of its ' +
  'message, or with /investigate.';
const GOES_ON = 'I will keep trying to file this.';
/** Wait before trusting an empty search: the service may list a new issue with a delay. */
const LOOK_AGAIN_MS = 1_500;
/** How long a create call in progress may take when the process stops. */
const GRACE_MS = 3_000;

interface CreatorOptions {
  store: Store;
  /** For the organization whose issues are created. */
  service: ServiceClient;
  organization: Organization;
  originOf: OriginOf;
  clock: Clock;
  random: () => number;
  log: Logger;
  /** Wakes the worker when an issue is to be created. */
  filed: Wakeup;
  checkpoint: Checkpoint;
}

/** What an attempt says about the service. */
type Outcome =
  | { kind: 'answered' }
  | { kind: 'failed'; retryAfterMs: number | null }
  /** Nothing: it was cancelled, or never sent. */
  | { kind: 'dropped' };

/**
 * Creates pending issues at the service, with one create call each, however often the process is killed. While the
 * service fails they wait in order, and are then sent at a pace that a recovering service can handle.
 */
export function createCreator(options: CreatorOptions): Worker {
  const { store, clock, log, filed, organization } = options;
  const cutting = new AbortController();
  const running = new Map<string, Promise<void>>();
  const lane = createAdmissionControl(options);
  let isFresh = true;

  // A call that hangs takes one slot, and does not block other channels.
  function begin(issue: Issue, signal: AbortSignal): void {
    lane.begin(issue.channel);
    const create = () => createOne(issue, lane, options, signal, cutting.signal);
    const work = traced(`issue:${issue.id}`, 'create issue', create)
      .then((outcome) => end(issue.channel, outcome))
      .catch((error) => {
        lane.failed(issue.channel, null);
        log.error({ err: error, issue: issue.id }, 'could not record the outcome of a create');
      })
      .finally(() => {
        running.delete(issue.id);
        filed.wake();
      });
    running.set(issue.id, work);
  }

  async function end(channel: string, outcome: Outcome): Promise<void> {
    if (outcome.kind === 'dropped') return lane.dropped(channel);
    if (outcome.kind === 'failed') return lane.failed(channel, outcome.retryAfterMs);
    if (lane.answered(channel)) await retryAll();
  }

  /** Makes everything that was postponed during an outage due again, in order. */
  async function retryAll(): Promise<void> {
    try {
      await store.issues.retryPending(organization);
    } catch (error) {
      log.warn({ err: error }, 'could not bring forward the retries of pending issues');
    }
  }

  const rounds = createQueueWorker({
    round: async (signal) => {
      if (isFresh) await retryAll();
      isFresh = false;
      const now = clock.now();
      const pending = (await store.issues.pending(now, LOOKED_AT, organization)).filter(
        ({ id }) => !running.has(id),
      );
      const later = await store.issues.untilPending(now, organization);
      if (pending.length === 0) lane.caughtUp();
      for (const issue of pending) if (lane.isFree(issue.channel)) begin(issue, signal);
      // Those that were left wait for the lane, or for one that ends.
      return pending.length === 0 ? later : Math.min(later, lane.waitMs() || later);
    },
    wakeup: filed,
    onError: (error) => log.error({ err: error }, 'could not process pending issues'),
  });

  return {
    start: rounds.start,
    stop: async () => {
      const ended = rounds.stop().then(() => Promise.allSettled([...running.values()]));
      await withTimeout(ended, { ms: GRACE_MS, clock: systemClock, onTimeout: () => cutting.abort() });
      await ended;
    },
  };
}

async function createOne(
  issue: Issue,
  lane: AdmissionControl,
  options: CreatorOptions,
  signal: AbortSignal,
  cut: AbortSignal,
): Promise<Outcome> {
  const { store, clock, checkpoint } = options;
  if (signal.aborted) return { kind: 'dropped' };
  try {
    const found = issue.attemptedAt === null ? null : await findAgain(issue, options, signal, cut);
    const created = found ?? (await send(issue, options, cut));
    if (created === null) return await endDamaged(issue, options);
    await store.transaction(async (tx) => {
      const now = clock.now();
      const { uuid, number, status, latestVersion: version = 1 } = created;
      await tx.issues.apply(issue.id, transitions.markCreated({ uuid, number, status, version }, now));
      await refreshIssue(tx, issue.id);
      await refreshRelated(tx, issue.id);
      await leaveLine(tx, (await tx.issues.get(issue.id))?.waitsIn ?? null, now);
    });
    await checkpoint('create: recorded');
    return { kind: 'answered' };
  } catch (error) {
    // Cancelled by a shutdown: the next start checks whether it arrived.
    if (cut.aborted || (signal.aborted && !(error instanceof ServiceError))) return { kind: 'dropped' };
    return notCreated(issue, error, lane.isFailing(), options);
  }
}

/** @returns `null` if the stored request is damaged, so that nothing can be sent. */
async function send(issue: Issue, options: CreatorOptions, cut: AbortSignal): Promise<FoundIssue | null> {
  const { store, clock, service, checkpoint } = options;
  const request = decodeStored(IssueCreate, issue.request);
  if (request === null) return null;
  await store.issues.apply(issue.id, transitions.attemptCreate(clock.now()));
  await checkpoint('create: before send');
  const created = await service.issues.create(request, cut, await options.originOf(issue));
  await checkpoint('create: sent');
  return created;
}

/** Retrying cannot help: the card says so, and the next firing is filed as a new issue. */
async function endDamaged(issue: Issue, { store, clock, log }: CreatorOptions): Promise<Outcome> {
  log.error({ issue: issue.id }, 'stored data of an issue is damaged; not filing it');
  await store.transaction(async (tx) => {
    await tx.issues.apply(issue.id, transitions.failDamaged(DAMAGED));
    await refreshIssue(tx, issue.id);
    await leaveLine(tx, (await tx.issues.get(issue.id))?.waitsIn ?? null, clock.now());
  });
  return { kind: 'dropped' };
}

/** Updates the cards of issues that this one was split off from, attached to, or is a symptom of: they show its number. */
async function refreshRelated(tx: Aggregates, issueId: string): Promise<void> {
  const issue = await tx.issues.get(issueId);
  for (const related of [issue?.apartFrom, issue?.joinedInto]) {
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
  // Anything an earlier process sent has long arrived.
  if (found || issue.attemptedAt === 0) return found;
  await clock.sleep(LOOK_AGAIN_MS, signal);
  return findByReference(service, issue.id, cut);
}

/** @param othersQueued whether other issues already failed, so that one more card need not explain why */
async function notCreated(
  issue: Issue,
  error: unknown,
  othersQueued: boolean,
  options: CreatorOptions,
): Promise<Outcome> {
  const { store, clock, log } = options;
  const openForMs = shortCircuitedFor(error);
  if (openForMs !== null) {
    await notSent(issue, error, options);
    return { kind: 'failed', retryAfterMs: openForMs };
  }
  const refused = isRefusal(error);
  const failure = refused
    ? explainServiceError(error)
    : (issue.failure ?? whyItWaits(issue, error, othersQueued));
  // If reads fail too, it is not this issue's fault: it stays first. Otherwise the next one is tried.
  const isEverybodys = options.service.health().reading !== null;
  const wait = isEverybodys ? 0 : backoffMs(issue.attempts, RETRY, options.random);
  log.warn(
    { err: error, issue: issue.id, attempts: issue.attempts + 1, refused },
    'could not create an issue',
  );
  const happened = !(error instanceof ServiceError) || error.ambiguous;
  await store.transaction(async (tx) => {
    const next = { failure, nextAt: clock.now() + wait, isCertainlyNotSent: !happened };
    const transition = refused ? transitions.fail(issue, next) : transitions.postponeCreate(issue, next);
    await tx.issues.apply(issue.id, transition);
    if (failure !== issue.failure) await refreshIssue(tx, issue.id);
    if (refused) await leaveLine(tx, (await tx.issues.get(issue.id))?.waitsIn ?? null, clock.now());
  });
  if (!refused) return { kind: 'failed', retryAfterMs: retryAfterOf(error) };
  return { kind: error instanceof ServiceError && error.status !== null ? 'answered' : 'dropped' };
}

/** Somebody who requested an issue sees why on its card; for alerts, the first card explains it for all. */
function whyItWaits({ requestedBy }: Issue, error: unknown, othersQueued: boolean): string {
  if (error instanceof MissingKeyError) return explainServiceError(error);
  if (requestedBy === null && othersQueued) return QUEUED;
  return `${explainServiceError(error)} ${GOES_ON}`;
}

function retryAfterOf(error: unknown): number | null {
  return error instanceof RateLimitedError || error instanceof RejectedError ? error.retryAfterMs : null;
}

/** Nothing was sent, because the service is failing: the issue keeps its place. */
async function notSent(issue: Issue, error: unknown, options: CreatorOptions): Promise<void> {
  await options.store.transaction(async (tx) => {
    await tx.issues.apply(issue.id, transitions.awaitService(issue, whyItWaits(issue, error, true)));
    if (issue.failure === null) await refreshIssue(tx, issue.id);
  });
}
