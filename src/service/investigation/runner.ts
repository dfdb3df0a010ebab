import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { Clock } from '../../lib/clock.ts';
import type { ServiceLog } from '../log.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { Artifact } from '../schema/artifact.ts';
import { IssueContext } from '../schema/issue.ts';
import { Findings } from '../schema/results.ts';
import type { Aggregates, Store } from '../store/store.ts';
import type { Job } from '../store/versions.ts';
import { createBudget } from '../telemetry/budget.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import { completeArtifact } from './artifacts.ts';
import type { IssueToInvestigate } from './investigate.ts';
import { investigate } from './investigate.ts';
import { stagesOf } from './stages.ts';

export interface Runner {
  /** Begins the investigation of a running version; it goes on by itself. */
  start(version: string): void;
  /** Takes up every investigation that had not ended when the process did. */
  resume(): Promise<void>;
  /** Stops where it is; what runs stays `RUNNING` and is taken up by the next `resume`. */
  stop(): Promise<void>;
}

/** Requests and milliseconds. */
export interface TelemetryLimits {
  requests: number;
  ms: number;
}

interface RunnerOptions {
  store: Store;
  telemetry: TelemetrySource;
  /** What an investigation may cost the systems that it reads. */
  limits: TelemetryLimits;
  clock: Clock;
  /** How long an investigation takes from its start to its end, in milliseconds. */
  durationMs: number;
  log: ServiceLog;
  metrics?: ServiceMetrics;
}

/** So many investigations read telemetry at a time; others wait. */
const CONCURRENT = 4;
/** Waiting included, an investigation has read what it reads after this time: two minutes are promised for all of it. */
const READ_WITHIN_MS = 100_000;

/** Shares of the duration after which each stage of the findings can be fetched. */
const STAGE_AT = [0.35, 0.7, 1] as const;

/** Runs investigations. Their findings depend on telemetry alone, so one that was cut off begins anew. */
export function createRunner({
  store,
  telemetry,
  limits,
  clock,
  durationMs,
  log,
  metrics,
}: RunnerOptions): Runner {
  const stopping = new AbortController();
  const runs = new Set<Promise<void>>();
  const searches = new PQueue({ concurrency: CONCURRENT });

  /** Reads telemetry and reasons about it. Reasoning holds the event loop: requests come between two searches. */
  function search(job: Job): Promise<{ findings: Findings; artifacts: Artifact[] }> {
    const asked = clock.now();
    return searches.add(async () => {
      await nextTurn();
      stopping.signal.throwIfAborted();
      const now = clock.now();
      const left = Math.max(0, asked + READ_WITHIN_MS - now);
      const issue = subjectOf(job);
      const budget = createBudget(
        { ...limits, ms: Math.min(limits.ms, left) },
        { clock, stop: stopping.signal },
      );
      try {
        const found = await investigate(issue, telemetry, { id: randomUUID, now, budget });
        for (const { source, what, reason } of found.gaps) {
          metrics?.gap(source, what);
          log.warn({ source, what, reason, version: job.uuid }, 'telemetry is missing from an investigation');
        }
        const outcome = found.results.rootCause.rootCauseSummary === undefined ? 'nothing' : 'found';
        metrics?.investigated(outcome, budget.spent().ms / 1000);
        return {
          findings: Findings.parse(found.results),
          artifacts: found.artifacts.map((artifact) => completeArtifact(artifact, now)),
        };
      } finally {
        const { requests, samples } = budget.spent();
        metrics?.spent(requests, samples);
        budget.end();
      }
    });
  }

  async function run(version: string): Promise<void> {
    const job = await store.versions.job(version);
    if (!job) return;
    const until = (share: number) =>
      clock.sleep(Math.max(0, job.startedAt + share * durationMs - clock.now()), stopping.signal);

    await until(STAGE_AT[0]);
    const { findings, artifacts } = await search(job);
    const [first, second, last] = stagesOf(findings);
    if (!(await save(job, first, artifacts))) return;
    await until(STAGE_AT[1]);
    if (!(await save(job, second))) return;
    await until(STAGE_AT[2]);
    await store.transaction(async (tx) => {
      if (!(await saveIn(tx, job, last))) return;
      await tx.versions.finish(version, 'SUCCESS', 'The investigation is complete.', clock.now());
    });
  }

  /** Answers false where the issue was deleted meanwhile. */
  function save(job: Job, findings: Findings, artifacts?: Artifact[]): Promise<boolean> {
    return store.transaction((tx) => saveIn(tx, job, findings, artifacts));
  }

  async function saveIn(
    tx: Aggregates,
    job: Job,
    findings: Findings,
    artifacts?: Artifact[],
  ): Promise<boolean> {
    if (stopping.signal.aborted || !(await tx.versions.saveFindings(job.uuid, findings))) return false;
    if (artifacts) await tx.artifacts.replace(job.issue.organisation, job.uuid, artifacts);
    return true;
  }

  async function fail(version: string, error: unknown): Promise<void> {
    if (stopping.signal.aborted) return;
    metrics?.investigated('failed', 0);
    log.error({ err: error, version }, 'an investigation failed');
    await store.versions.finish(
      version,
      'FAILED',
      'The investigation failed. Set the status to `investigating` to retry.',
      clock.now(),
    );
  }

  function start(version: string): void {
    const tracked = run(version)
      .catch((error: unknown) => fail(version, error))
      .finally(() => runs.delete(tracked));
    runs.add(tracked);
  }

  return {
    start,
    resume: async () => (await store.versions.running()).forEach(start),
    stop: async () => {
      stopping.abort();
      await Promise.all(runs);
    },
  };
}

function subjectOf({ issue }: Job): IssueToInvestigate {
  const context = IssueContext.parse(JSON.parse(issue.context));
  const { title, description, environment, triggeredAt } = issue;
  return { title, description, environment, triggeredAt, service: context.service ?? null, context };
}
