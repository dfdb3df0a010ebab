import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PQueue from 'p-queue';
import { type Artifact, IssueContext, StoredFindings } from '../../contract/schema.ts';
import { type Clock, systemClock, withTimeout } from '../../lib/clock.ts';
import { createQueueWorker, createWakeup } from '../../lib/worker-loop.ts';
import type { ServiceLog } from '../log.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { Store } from '../store/store.ts';
import type { IssueRow } from '../store/tables.ts';
import type { Job } from '../store/versions.ts';
import { createBudget } from '../telemetry/budget.ts';
import type { Change } from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import { timeOfDay } from './format.ts';
import { investigate } from './investigate.ts';
import { completeArtifact, type IssueToInvestigate } from './types.ts';
import { contradiction } from './words/nothing.ts';

export interface Runner {
  /** Picks up every unowned investigation, now and later. */
  start(): void;
  /** An investigation was requested: picks it up at once. */
  wake(): void;
  /**
   * Stops immediately; running investigations stay `RUNNING`, and are picked up after a restart or by another replica.
   */
  stop(): Promise<void>;
}

/** Requests and milliseconds. */
export interface TelemetryLimits {
  requests: number;
  ms: number;
}

/** @returns the findings, with what a reading of the changes' code suspects */
type ReadChanges = (
  found: { issue: IssueRow; findings: StoredFindings; changes: readonly Change[] },
  stop: AbortSignal,
) => Promise<StoredFindings>;

interface RunnerOptions {
  store: Store;
  telemetry: TelemetrySource;
  /** The limits for one investigation on the systems that it reads. */
  limits: TelemetryLimits;
  clock: Clock;
  log: ServiceLog;
  metrics?: ServiceMetrics;
  /** Adds what a reading of the changes' code suspects; undefined without a language model. */
  readChanges?: ReadChanges | undefined;
}

/** How many investigations read telemetry at a time; others wait. */
const CONCURRENT = 4;
/** Including waiting, an investigation has finished reading after this time: two minutes are promised in total. */
const READ_WITHIN_MS = 100_000;

/** How often leases are renewed, and abandoned work of other replicas is looked for. */
const POLL_MS = 2_500;
/** How long a busy replica leaves available work to the others. */
const SHARE_MS = 200;
/** A second before others may take over (`LEASE_MS` in the store), a replica stops what it could not renew. */
const OWNED_MS = 9_000;
/** How long a stop waits for the database. */
const STOP_MS = 3_000;

/** How long after a look that came too early for the data the next one comes. */
const AGAIN_MS = 120_000;

interface Result {
  findings: StoredFindings;
  changes: readonly Change[];
  artifacts: Artifact[];
  /** When to look again; null if the data was sufficient. */
  againAt: number | null;
  /** Why there was nothing to look at; `null` if there was. */
  unread: string | null;
}

interface Run {
  ended: Promise<void>;
  lose(): void;
}

/**
 * Runs investigations, each on one replica at a time. Their findings depend on telemetry alone, so an interrupted one
 * starts over, here or elsewhere.
 */
export function createRunner({
  store,
  telemetry,
  limits,
  clock,
  log,
  metrics,
  readChanges,
}: RunnerOptions): Runner {
  const owner = randomUUID();
  const stopping = new AbortController();
  const runs = new Map<string, Run>();
  const searches = new PQueue({ concurrency: CONCURRENT });
  const wakeup = createWakeup();
  let leaseEnd: NodeJS.Timeout | undefined;
  let listening: { stop(): Promise<void> } | undefined;

  /** Returns how long to rest. */
  async function round(): Promise<number> {
    const untilAgain = await store.versions.startAgain(clock.now());
    const most = store.isShared ? Math.max(1, CONCURRENT - runs.size) : Number.MAX_SAFE_INTEGER;
    const claimed = await store.versions.claim(owner, most);
    // Last, so that nothing starts without a monitored lease.
    const asked = performance.now();
    const owned = new Set(await store.versions.renew(owner));
    if (store.isShared) loseAfter(OWNED_MS - (performance.now() - asked));
    // Its issue was deleted, or another replica has it.
    for (const [version, { lose }] of runs) if (!owned.has(version)) lose();
    // Including those cut off by a database outage: they start over.
    for (const version of owned) begin(version);
    if (claimed.length === most) return SHARE_MS;
    // One process alone has nobody's work to take over: it sleeps until it is woken.
    return store.isShared || runs.size > 0 ? Math.min(POLL_MS, untilAgain) : untilAgain;
  }

  const loop = createQueueWorker({
    round,
    wakeup,
    onError: (error) => {
      metrics?.databaseFailed();
      log.error({ err: error }, 'could not look for queued investigations');
    },
  });

  function loseAfter(ms: number): void {
    clearTimeout(leaseEnd);
    leaseEnd = setTimeout(() => {
      if (runs.size === 0) return;
      const versions = [...runs.keys()];
      log.warn(
        { versions },
        'stopped investigations: the database was unavailable for too long to renew their leases',
      );
      for (const { lose } of runs.values()) lose();
    }, ms);
    leaseEnd.unref();
  }

  /** Reads telemetry and analyses it. Analysis blocks the event loop, so requests are handled between two searches. */
  function search(job: Job, stop: AbortSignal): Promise<Result> {
    const asked = clock.now();
    return searches.add(async () => {
      await nextTurn();
      stop.throwIfAborted();
      const now = clock.now();
      const left = Math.max(0, asked + READ_WITHIN_MS - now);
      const refuted = job.version > 1 ? await store.versions.refuted(job.issue.uuid) : [];
      const issue = { ...subjectOf(job), refuted };
      const budget = createBudget({ ...limits, ms: Math.min(limits.ms, left) }, { clock, stop });
      try {
        const found = await investigate(issue, telemetry, { id: randomUUID, now, budget });
        // What was cut off found less than there is.
        stop.throwIfAborted();
        for (const { source, what, reason } of found.gaps) {
          metrics?.gap(source, what);
          log.warn({ source, what, reason, version: job.uuid }, 'telemetry is missing from an investigation');
        }
        const isFound = found.results.rootCause.rootCauseSummary !== undefined;
        const outcome = found.unread !== null ? 'failed' : isFound ? 'found' : 'nothing';
        metrics?.investigated(outcome, budget.spent().ms / 1000);
        const findings = StoredFindings.parse(found.results);
        // What is older than the pause will not have more data after it.
        const isFirst = job.version === 1 && now - issue.triggeredAt < AGAIN_MS;
        const againAt = found.isEarly && isFirst ? clock.now() + AGAIN_MS : null;
        return {
          againAt,
          unread: found.unread,
          changes: found.changes,
          findings: againAt === null ? findings : announcing(againAt, findings),
          artifacts: found.artifacts.map((artifact) => completeArtifact(artifact, now)),
        };
      } finally {
        const { requests, samples } = budget.spent();
        metrics?.spent(requests, samples);
        budget.end();
      }
    });
  }

  async function run(version: string, stop: AbortSignal): Promise<void> {
    const job = await store.versions.job(version, owner);
    if (!job) return;
    const { artifacts, againAt, unread, ...searched } = await search(job, stop);
    const { issue } = job;
    const found = { ...searched, findings: await comparedWithLast(job, searched.findings) };
    const findings = readChanges ? await readChanges({ issue, ...found }, stop) : found.findings;
    // Once it is read, the rest takes milliseconds: what is shown of it is whole, or not there.
    await store.transaction(async (tx) => {
      // Its issue was deleted meanwhile, or another replica has taken over.
      if (!(await tx.versions.saveFindings(version, owner, findings))) return;
      await tx.artifacts.replace(issue.organization, version, artifacts, clock.now());
      const end =
        unread === null
          ? ({ status: 'SUCCESS', description: 'The investigation is complete.' } as const)
          : ({ status: 'FAILED', description: unread } as const);
      await tx.versions.finish(version, owner, { ...end, now: clock.now(), againAt });
    });
  }

  /** A later look that contradicts the one before says so. */
  async function comparedWithLast(
    { issue, version }: Job,
    findings: StoredFindings,
  ): Promise<StoredFindings> {
    const last = version > 1 ? await store.versions.find(issue.uuid, version - 1) : undefined;
    if (last?.findings == null) return findings;
    const differs = contradiction(StoredFindings.parse(JSON.parse(last.findings)), findings, version - 1);
    const { rootCause } = findings;
    const incidentOverview = `${differs}${rootCause.incidentOverview}`;
    return differs === '' ? findings : { ...findings, rootCause: { ...rootCause, incidentOverview } };
  }

  async function fail(version: string, error: unknown): Promise<void> {
    metrics?.investigated('failed', 0);
    log.error({ err: error, version }, 'an investigation failed');
    await store.versions.finish(version, owner, {
      status: 'FAILED',
      description: 'The investigation failed.',
      now: clock.now(),
    });
  }

  function begin(version: string): void {
    if (runs.has(version) || stopping.signal.aborted) return;
    const losing = new AbortController();
    const stop = AbortSignal.any([stopping.signal, losing.signal]);
    const ended = run(version, stop)
      .catch((error: unknown) => (stop.aborted ? undefined : fail(version, error)))
      .catch((error: unknown) =>
        log.error({ err: error, version }, 'could not store the end of an investigation'),
      )
      .finally(() => runs.delete(version));
    runs.set(version, { ended, lose: () => losing.abort() });
  }

  async function end(): Promise<void> {
    await Promise.all([loop.stop(), listening?.stop(), ...[...runs.values()].map((one) => one.ended)]);
    await store.versions.release(owner);
  }

  return {
    start: () => {
      listening = store.listen(wakeup.wake);
      loop.start();
    },
    wake: wakeup.wake,
    stop: async () => {
      stopping.abort();
      clearTimeout(leaseEnd);
      const ended = end().catch((error: unknown) =>
        log.error({ err: error }, 'could not release the leases of investigations; they will expire'),
      );
      // If the database is down, leases expire anyway.
      await withTimeout(ended, { ms: STOP_MS, clock: systemClock, onTimeout: () => undefined });
    },
  };
}

function announcing(againAt: number, { rootCause, ...rest }: StoredFindings): StoredFindings {
  const incidentOverview = `${rootCause.incidentOverview} This look came early, with fewer than three samples from after the alert: I look again at ${timeOfDay(againAt)}.`;
  return { ...rest, rootCause: { ...rootCause, incidentOverview } };
}

/** The first version is about the moment of the alert; who asks again asks about now. */
function subjectOf({ issue, version, startedAt }: Job): IssueToInvestigate {
  const context = IssueContext.parse(JSON.parse(issue.context));
  const { title, description, environment, triggeredAt } = issue;
  const moment = version > 1 ? Math.max(triggeredAt, startedAt) : triggeredAt;
  return { title, description, environment, triggeredAt, moment, service: context.service ?? null, context };
}
