import type { Artifact } from '../../contract/answers.ts';
import type { Organization, ServiceClient, Services } from '../../contract/client/client.ts';
import { ServiceError, shortCircuitedFor, UnreadableAnswerError } from '../../contract/client/errors.ts';
import { backoffMs, type Checkpoint, type Clock } from '../../lib/clock.ts';
import { createQueueWorker, type Wakeup, type Worker } from '../../lib/worker-loop.ts';
import type { Logger } from '../shared/log.ts';
import { type ArtifactRow, questionOf } from '../store/artifacts.ts';
import type { Aggregates, Store } from '../store/open.ts';

const AT_ONCE = 100;
const RETRY = { firstMs: 5_000, maxMs: 5 * 60_000 };
const MOST_TRIES = 6;
/** The service rejects the request itself; it is not unavailable. */
const REFUSALS = [400, 404, 422];

/** A stored artifact, with what refers to it; `at` in milliseconds. */
export interface StoredArtifact {
  owner: string;
  id: string;
  artifact: Artifact;
  at: number;
}

/** Called in the same transaction. */
type OnKept = (tx: Aggregates, kept: StoredArtifact) => Promise<void>;

export interface FetchOptions {
  store: Store;
  services: Services;
  clock: Clock;
  random: () => number;
  log: Logger;
  checkpoint: Checkpoint;
  onKept: OnKept;
}

/**
 * Fetches the evidence that results and answers refer to, in the background. A failing service is retried a few times,
 * with growing pauses.
 */
export function createArtifactFetcher(options: FetchOptions & { wakeup: Wakeup }): Worker {
  const { log, wakeup } = options;
  return createQueueWorker({
    round: (signal) => fetchDue(options, signal),
    wakeup,
    onError: (error) => log.error({ err: error }, 'could not process evidence'),
  });
}

/** One round: everything due now, one call per owner. @returns how long until the next is due */
export async function fetchDue(options: FetchOptions, signal: AbortSignal): Promise<number> {
  const { artifacts } = options.store;
  const now = options.clock.now();
  const due = await artifacts.due(now, AT_ONCE);
  for (const [owner, rows] of Map.groupBy(due, (row) => row.owner)) {
    if (!signal.aborted) await fetchOrPutOff(owner, rows, options, signal);
  }
  return due.length === AT_ONCE ? 0 : artifacts.untilNext(now);
}

async function fetchOrPutOff(
  owner: string,
  rows: readonly ArtifactRow[],
  options: FetchOptions,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, random, log } = options;
  try {
    const ids = rows.map(({ id }) => id);
    await fetchArtifacts(owner, ids, options, signal);
  } catch (error) {
    if (signal.aborted) return;
    const now = clock.now();
    const notSent = shortCircuitedFor(error);
    if (notSent !== null) {
      const at = now + Math.max(RETRY.firstMs, notSent);
      for (const { id } of rows) await store.artifacts.postpone(owner, id, at);
      return;
    }
    log.warn({ err: error, owner, artifacts: rows.length }, 'could not fetch evidence');
    for (const { id, attempts } of rows) {
      const isLast = attempts + 1 >= MOST_TRIES;
      await store.artifacts.again(owner, id, isLast ? null : now + backoffMs(attempts, RETRY, random));
    }
  }
}

/**
 * Fetches evidence (contract 4.8) and stores it; what the service does not have is stored as missing.
 *
 * @throws ServiceError if the service fails
 */
export async function fetchArtifacts(
  owner: string,
  ids: readonly string[],
  options: Pick<FetchOptions, 'store' | 'services' | 'clock' | 'onKept' | 'checkpoint'>,
  signal?: AbortSignal,
): Promise<void> {
  const { store, services, clock, onKept, checkpoint } = options;
  const found = await ask(ids, services.for(await organizationOf(owner, store)), signal);
  await checkpoint('artifacts: fetched');
  await store.transaction(async (tx) => {
    const now = clock.now();
    for (const id of ids) {
      const artifact = found.get(id);
      if (artifact === undefined) await tx.artifacts.missing(owner, id);
      else if (await tx.artifacts.keep(owner, id, JSON.stringify(artifact), now)) {
        await onKept(tx, { owner, id, artifact, at: now });
      }
    }
  });
  await checkpoint('artifacts: recorded');
}

/** Evidence belongs to the organization of what refers to it. */
async function organizationOf(owner: string, store: Store): Promise<Organization> {
  const questionId = questionOf(owner);
  if (questionId === null) return (await store.issues.get(owner))?.organization ?? 'default';
  const question = await store.questions.get(questionId);
  const conversation = question === null ? null : await store.conversations.get(question.conversation);
  return conversation?.organization ?? 'default';
}

/**
 * An id that the service rejects (it may do so for an unknown one) does not affect the others; a request that is too
 * large is split.
 */
async function ask(
  ids: readonly string[],
  service: ServiceClient,
  signal: AbortSignal | undefined,
): Promise<Map<string, Artifact>> {
  try {
    const artifacts = await service.artifacts.get(ids, signal);
    return new Map(artifacts.flatMap((one) => (one.id === undefined ? [] : [[one.id, one] as const])));
  } catch (error) {
    const isTooLarge = error instanceof UnreadableAnswerError && error.isTooLarge;
    const isRefused =
      error instanceof ServiceError && REFUSALS.includes(error.status ?? 0) && error.type !== null;
    if (!isRefused && !(isTooLarge && ids.length > 1)) throw error;
    if (ids.length === 1) return new Map();
    const half = Math.ceil(ids.length / 2);
    const parts = [ids.slice(0, half), ids.slice(half)];
    const asked: Map<string, Artifact>[] = [];
    for (const part of parts) asked.push(await ask(part, service, signal));
    return new Map(asked.flatMap((part) => [...part]));
  }
}
