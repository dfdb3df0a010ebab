import type { Organization, ServiceClient } from '../../contract/client/client.ts';
import type { ServiceHealth } from '../../contract/client/guard.ts';
import { type Clock, timeoutSignal } from '../../lib/clock.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import type { Problems, Source } from '../problems/registry.ts';
import {
  isOfKey,
  MISSING_KEY,
  problemOf,
  rightOf,
  rightProblem,
  serviceProblem,
  serviceProblemOf,
} from '../problems/stored.ts';
import type { Logger } from '../shared/log.ts';
import type { Metrics } from '../shared/metrics.ts';
import type { Aggregates, Store } from '../store/open.ts';
import type { StoredProblem } from '../store/problems.ts';

const EVERY_MS = 5_000;
/** While all is well, the database is asked for what is pending no more often. */
const LOAD_EVERY_MS = 60_000;
/**
 * Probes with the cheapest read while something is wrong, so that a recovery is noticed even if nothing else calls the
 * service.
 */
const PROBE_EVERY_MS = 60_000;
const PROBE_MS = 10_000;
/** How often the service is asked whether its sources answer. */
const SOURCES_EVERY_MS = 60_000;

interface ServiceWatchOptions {
  store: Store;
  /** For the organization that is watched. */
  service: ServiceClient;
  organization: Organization;
  problems: Problems;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
}

interface ServiceWatch extends Worker {
  /** What the registry asks it besides what it stores. */
  sources: readonly Source[];
}

/** Stores the problems with the service in the registry, and notices when they are fixed. */
export function createServiceWatch(options: ServiceWatchOptions): ServiceWatch {
  const { store, service, problems, clock, log, metrics, organization } = options;
  let pending = 0;
  let probedAt = Number.NEGATIVE_INFINITY;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let silent: readonly string[] = [];

  const open = () =>
    problems.open().filter(({ name }) => serviceProblemOf(name)?.organization === organization);

  function isWell(): boolean {
    const { key, filing, reading, refused } = service.health();
    return key === null && filing === null && reading === null && refused.size === 0 && open().length === 0;
  }

  async function probe(signal: AbortSignal): Promise<void> {
    if (isWell() || clock.now() < probedAt + PROBE_EVERY_MS) return;
    probedAt = clock.now();
    // The answer shows in the service's health.
    await service.issues.page({ limit: 1 }, timeoutSignal(PROBE_MS, signal)).catch(() => undefined);
  }

  /** Both organizations have the same sources. */
  async function askForSources(signal: AbortSignal): Promise<void> {
    if (organization !== 'default' || clock.now() < askedAt + SOURCES_EVERY_MS) return;
    askedAt = clock.now();
    // Where the service does not answer, that is the problem.
    const answer = await service.sources(timeoutSignal(PROBE_MS, signal)).catch((error: unknown) => {
      log.debug({ err: error }, 'the service did not say whether its sources answer');
      return null;
    });
    silent = (answer?.sources ?? []).flatMap(({ ok, summary }) => (ok ? [] : [summary]));
  }

  async function begin(health: ServiceHealth): Promise<void> {
    for (const problem of wrong(health, clock.now(), organization)) {
      const { name, reason } = problem;
      if (problems.isOpen(name) || !(await problems.begin(problem))) continue;
      const kind = rightOf(name) === null ? (serviceProblemOf(name)?.kind ?? '') : 'right';
      metrics.count('gumshoe_service_troubles_total', { trouble: kind });
      log.warn({ problem: name, reason }, 'the investigation service has a problem');
    }
  }

  async function end(health: ServiceHealth): Promise<void> {
    const hasQueued = (await store.queued.lines(organization)).length > 0;
    for (const { name, since } of open().filter((problem) => isFixed(problem.name, health, hasQueued))) {
      await problems.end(name);
      log.info({ problem: name, since }, 'the investigation service has recovered');
    }
  }

  async function load(): Promise<void> {
    loadedAt = clock.now();
    await problems.load();
    pending = await store.issues.countPending(organization);
    metrics.gauge('gumshoe_issues_pending', await store.issues.countPending());
  }

  const rounds = createWorkerLoop({
    round: async (signal) => {
      await askForSources(signal);
      if (isWell() && clock.now() < loadedAt + LOAD_EVERY_MS) return;
      await load();
      await probe(signal);
      if (signal.aborted) return;
      const now = service.health();
      // The issues that failed may have been withdrawn; then nothing shows whether filing would succeed.
      const health = pending === 0 ? { ...now, filing: null } : now;
      await end(health);
      await begin(health);
    },
    rest: (signal) => clock.sleep(EVERY_MS, signal),
    onError: (error) => log.warn({ err: error }, 'could not record the health of the investigation service'),
  });

  return {
    start: rounds.start,
    stop: rounds.stop,
    sources: [
      {
        // Before it is stored, and while it cannot be.
        name: serviceProblem(organization, 'key'),
        fixedBy: 'operator',
        sentence: () => {
          const [refused] = wrong(service.health(), clock.now(), organization).filter(({ name }) =>
            isOfKey(name),
          );
          return refused === undefined ? null : problemOf(refused).sentence;
        },
      },
      {
        name: serviceProblem(organization, 'sources'),
        fixedBy: 'operator',
        sentence: () =>
          silent.length === 0 ? null : `Investigations see less than they should: ${silent.join(' ')}`,
      },
      {
        name: serviceProblem(organization, 'queue'),
        fixedBy: 'nobody',
        sentence: () => {
          if (pending === 0 || open().length === 0) return null;
          return pending === 1 ? '1 issue waits to be filed' : `${pending} issues wait to be filed, in order`;
        },
      },
    ],
  };
}

/** A service restart, or a single rejected call, is over within this time. */
const NOTICE_DELAY_MS = 60_000;
/** What Gumshoe does on its own: a key without permission to delete may be intended, and is no problem. */
const NEEDED = [
  'issues.create',
  'issues.page',
  'issues.get',
  'issues.results',
  'issues.update',
  'query.stream',
];
/** A key that is not even allowed this, and nothing else, has no permissions at all. */
const PLAIN_READ = 'issues.page';

export function wrong(
  { key: refusal, refused, working, filing, reading }: ServiceHealth,
  now: number,
  organization: Organization = 'default',
): StoredProblem[] {
  const key = serviceProblem(organization, 'key');
  // Nothing is sent while the key is rejected, so everything else that is known is out of date.
  if (refusal !== null) return [{ name: key, reason: '401', since: refusal.since, detail: '' }];
  const lasts = (since: number) => since <= now - NOTICE_DELAY_MS;
  const unread = refused.get(PLAIN_READ);
  if (unread !== undefined && working.size === 0) {
    return lasts(unread) ? [{ name: key, reason: '403', since: unread, detail: '' }] : [];
  }
  const rights = [...refused]
    .filter(([operation, since]) => NEEDED.includes(operation) && lasts(since))
    .map(([operation, since]) => ({
      name: rightProblem(organization, operation),
      reason: 'refused',
      since,
      detail: '',
    }));
  const failing = [filing, reading]
    .filter((one) => one !== null)
    .filter(({ since }) => lasts(since))
    .sort((a, b) => a.since - b.since);
  const down = failing
    .slice(0, 1)
    .map(({ reason, since }) => ({ name: serviceProblem(organization, 'down'), reason, since, detail: '' }));
  return [...rights, ...down];
}

/**
 * Whether a problem is over: only a successful call in this process proves it.
 *
 * @param hasQueued whether alerts are queued for the service; it is then back when it accepts one
 */
export function isFixed(name: string, health: ServiceHealth, hasQueued: boolean): boolean {
  const { key, working, filing, reading } = health;
  if (key !== null || working.size === 0) return false;
  if (isOfKey(name)) return true;
  const right = rightOf(name);
  if (right !== null) return working.has(right);
  if (filing !== null || reading !== null) return false;
  return !hasQueued || working.has('issues.create');
}

/**
 * At startup: without the private organization's key, its remaining issues cannot be reached. That is stored as a
 * problem, and their cards say so until there is a key again.
 */
export function lookForPrivateKey({ store, clock }: { store: Store; clock: Clock }): Promise<void> {
  return store.transaction(async (tx) => {
    const names = (await tx.problems.open()).map(({ name }) => name);
    const isOpen = names.includes(MISSING_KEY);
    const affected = await tx.issues.unended('private');
    const isMissing = !tx.hasPrivateOrganization && affected.length > 0;
    if (!tx.hasPrivateOrganization) await endOthers(tx, names);
    if (isMissing === isOpen) return;
    if (isMissing) {
      await tx.problems.begin({ name: MISSING_KEY, reason: 'missing', since: clock.now(), detail: '' });
    } else await tx.problems.end(MISSING_KEY);
    for (const { id } of affected) await tx.outbox.refreshCards(id);
  });
}

/** A key that is no longer configured is no longer rejected. */
async function endOthers(tx: Aggregates, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (name !== MISSING_KEY && serviceProblemOf(name)?.organization === 'private')
      await tx.problems.end(name);
  }
}
