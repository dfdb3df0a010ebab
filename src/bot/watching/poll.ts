import { createTask } from 'node-cron';
import PQueue from 'p-queue';
import type { Organization } from '../../contract/client/client.ts';
import { ServiceError, shortCircuitedFor, UnreadableAnswerError } from '../../contract/client/errors.ts';
import { backoffMs, type Clock, hasCome } from '../../lib/clock.ts';
import type { Logger } from '../shared/log.ts';
import type { Metrics } from '../shared/metrics.ts';
import { traced } from '../shared/tracing/spans.ts';
import type { Issue } from '../store/issues.ts';
import { type SyncOptions, syncIssue } from './sync-issue.ts';

const AT_ONCE = 4;
/** Up to this many watched issues are fetched one by one; for more, the list is paged through. */
const FEW = 5;
/**
 * Ended issues, and those listed as under investigation, are still fetched at intervals: up to 200 of them every third
 * poll, so that a change made elsewhere shows within a minute. With more, it takes up to 4.5 minutes at the same
 * request rate; including the poll and the edit, a change shows within five minutes.
 */
const ROTATION = { ofFew: 200, fewMs: 40_000, mostMs: 4.5 * 60_000 };
/** A poll takes at least this many of the rotation, and its share of all if there are many. */
const ROTATION_AT_LEAST = 20;
/** A poll makes one more concurrent request for each of this many issues to fetch. */
const MORE_AT_ONCE_PER = 50;
const MOST_AT_ONCE = 16;
const BACKOFF = { firstMs: 5_000, maxMs: 5 * 60_000 };

interface PollerOptions extends SyncOptions {
  organization: Organization;
  random: () => number;
  metrics: Metrics;
}

export interface Poller {
  /** Polls everything that is due. Polls do not overlap: while one is running, the next is skipped. */
  tick(): Promise<void>;
  /** Checks these issues besides, not at the same time as a poll; not while a failing service is left alone. */
  check(ids: readonly Pick<Issue, 'id' | 'uuid'>[]): Promise<void>;
  /** Nothing is sent to a failing service before this; 0 if it does not fail. Milliseconds. */
  notBefore(): number;
  /** A sentence for `/readyz` while the service fails; otherwise `null`. */
  degraded(): string | null;
  stop(): Promise<void>;
}

/** Watches investigations. A failing service is polled less often. */
export function createPoller(options: PollerOptions): Poller {
  const { store, clock, log, metrics, organization } = options;
  const stopping = new AbortController();
  let ticking: Promise<void> | null = null;
  let running: Promise<void> = Promise.resolve();
  let failures = 0;
  let notBefore = 0;
  let pagesOfLastWalk = 1;
  let lastLookAt = clock.now();
  /** Issues for which the service sends unusable answers, and when each is retried. */
  const putOff = new Map<string, { failures: number; until: number }>();

  async function look(): Promise<void> {
    const investigating = await store.issues.investigating(organization);
    const watched = await store.issues.countWatched(organization);
    metrics.gauge('gumshoe_issues_watched', await store.issues.countWatched());
    const now = clock.now();
    const rotationMs = rotationOf(watched);
    const rotated = now - rotationMs;
    const share = shareOf(watched, now - lastLookAt, rotationMs);
    lastLookAt = now;
    const idle = await store.issues.idle(rotated, share, organization, now);
    const listed = investigating.length > Math.max(FEW, pagesOfLastWalk) ? await walk() : new Set<string>();
    const isListed = ({ uuid }: Pick<Issue, 'uuid'>) => listed.has(uuid ?? '');
    const toFetch = [
      ...investigating.filter((issue) => !isListed(issue)),
      ...investigating
        .filter((issue) => isListed(issue) && hasCome(issue.checkedAt + rotationMs, now, rotationMs))
        .slice(0, share),
      ...idle,
    ];
    await observe(toFetch);
  }

  /** Those of some young issues that the service no longer lists as under investigation, or all if they are few. */
  async function lookAt(young: readonly Pick<Issue, 'id' | 'uuid'>[]): Promise<void> {
    const listed = young.length > FEW ? await walk() : new Set<string>();
    try {
      await observe(
        young.filter(({ uuid }) => !listed.has(uuid ?? '')),
        true,
      );
    } catch (error) {
      // It concerns that issue alone, which is put off: the rest of the service may be well.
      if (!(error instanceof UnreadableAnswerError)) throw error;
      log.warn({ err: error }, 'could not check an issue');
    }
  }

  async function observe(issues: readonly Pick<Issue, 'id'>[], isEarly = false): Promise<void> {
    const now = clock.now();
    const toFetch = issues.filter(({ id }) => hasCome(putOff.get(id)?.until ?? 0, now, BACKOFF.maxMs));
    const more = Math.floor(toFetch.length / MORE_AT_ONCE_PER);
    const queue = new PQueue({ concurrency: Math.min(AT_ONCE + more, MOST_AT_ONCE) });
    const outcomes = await Promise.allSettled(
      toFetch.map(({ id }) => queue.add(() => observeOne(id, isEarly))),
    );
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    if (reasons.length === 0) return;
    // One broken issue is not a broken service: the others must not be polled less often for it.
    if (reasons.length * 2 > outcomes.length) throw reasons[0];
    log.warn({ err: reasons[0], failed: reasons.length }, 'could not check an issue');
  }

  /** The issues that the service lists as under investigation; the rest are polled in rotation. */
  async function walk(): Promise<Set<string>> {
    const listed = new Set<string>();
    let count = 0;
    for await (const issue of options.service.issues.list(
      { status: 'investigating', limit: 100 },
      stopping.signal,
    )) {
      listed.add(issue.uuid);
      count += 1;
    }
    pagesOfLastWalk = Math.max(1, Math.ceil(count / 100));
    return listed;
  }

  async function observeOne(id: string, isEarly: boolean): Promise<void> {
    if (stopping.signal.aborted) return;
    const issue = await store.issues.get(id);
    try {
      if (issue !== null) {
        await traced(`issue:${id}`, 'poll issue', () => syncIssue(issue, options, stopping.signal, isEarly));
      }
      putOff.delete(id);
    } catch (error) {
      // The same request gets the same answer; the errors of a busy or failing service are transient, and their issues
      // stay due.
      if (error instanceof UnreadableAnswerError) {
        const before = putOff.get(id)?.failures ?? 0;
        const until = clock.now() + backoffMs(before, BACKOFF, options.random);
        putOff.set(id, { failures: before + 1, until });
      }
      throw error;
    }
  }

  async function run(work: () => Promise<void>): Promise<void> {
    if (stopping.signal.aborted || !hasCome(notBefore, clock.now(), BACKOFF.maxMs)) return;
    try {
      await work();
      failures = 0;
    } catch (error) {
      if (stopping.signal.aborted) return;
      const notSent = shortCircuitedFor(error);
      if (notSent !== null) {
        // Nothing was sent: poll again when the circuit breaker tries the service again.
        notBefore = clock.now() + Math.max(BACKOFF.firstMs, notSent);
        return;
      }
      notBefore = clock.now() + backoffMs(failures, BACKOFF, options.random);
      failures += 1;
      metrics.count('gumshoe_polls_total', { outcome: error instanceof ServiceError ? 'service' : 'failed' });
      log.warn({ err: error, failures }, 'the poller could not check every issue; backing off');
    }
  }

  async function poll(): Promise<void> {
    const began = clock.now();
    await look();
    metrics.observe('gumshoe_poll_seconds', (clock.now() - began) / 1000);
    metrics.count('gumshoe_polls_total', { outcome: 'ok' });
  }

  /** One after the other: two looks at the same issue would each find its end. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    running = running.then(() => run(work));
    return running;
  }

  return {
    tick: () => {
      ticking ??= inTurn(poll).finally(() => {
        ticking = null;
      });
      return ticking;
    },
    check: (ids) => inTurn(() => lookAt(ids)),
    notBefore: () => notBefore,
    degraded: () => {
      if (failures > 0) {
        return `the investigation service failed ${failures === 1 ? 'the last poll' : `${failures} polls in a row`}`;
      }
      const issues = putOff.size === 1 ? 'one issue' : `${putOff.size} issues`;
      return putOff.size === 0
        ? null
        : `the investigation service sent unusable answers about ${issues}; polling it less often`;
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** How long a full rotation takes. */
function rotationOf(watched: number): number {
  const { ofFew, fewMs, mostMs } = ROTATION;
  return Math.min(mostMs, fewMs * Math.max(1, watched / ofFew));
}

/**
 * How many issues of the rotation a poll fetches, so that each is fetched within `rotationMs`, however often polls
 * run.
 */
function shareOf(watched: number, sinceMs: number, rotationMs: number): number {
  return Math.max(ROTATION_AT_LEAST, Math.ceil((watched * Math.min(sinceMs, rotationMs)) / rotationMs));
}

const SECOND_MS = 1_000;
/** How far ahead the next poll is looked for at once: a rare one is looked for again a minute later. */
const HORIZON_MS = 60_000;
/** A poll that starts later than this is worth a line in the log. */
const TOLERATED_MS = 1_000;

/**
 * Runs `poll` at the times of a cron expression, in the process's time zone, until it is stopped. After the process was busy,
 * or the machine asleep, it polls once for all the times that went by. A poll is not waited for: the poller itself skips one
 * while another is running.
 */
export function createPollSchedule(
  expression: string,
  poll: () => Promise<unknown>,
  { clock, log }: { clock: Clock; log: Logger },
): { stop(): void } {
  // It is never started: node-cron knows which times match, and our own clock does the waiting.
  const times = createTask(expression, () => undefined);
  const stopping = new AbortController();

  /** The first match after a moment, or the end of the horizon where there is none. */
  function lookAhead(from: number): { at: number; isMatch: boolean } {
    let at = Math.floor(from / SECOND_MS) * SECOND_MS;
    let isMatch = false;
    while (!isMatch && at < from + HORIZON_MS) {
      at += SECOND_MS;
      isMatch = times.match(new Date(at));
    }
    return { at, isMatch };
  }

  async function run(): Promise<void> {
    let from = clock.now();
    for (;;) {
      const { at, isMatch } = lookAhead(from);
      await clock.sleep(Math.max(0, at - clock.now()), stopping.signal);
      const lateMs = clock.now() - at;
      if (isMatch) {
        if (lateMs > TOLERATED_MS) {
          log.warn({ lateMs }, 'missed a scheduled poll because the process was busy; polling now');
        }
        poll().catch((error: unknown) => log.error({ err: error }, 'a scheduled poll failed'));
      }
      // A timer may end a moment early, which must not make the same time match twice; a clock that was set back is followed.
      from = lateMs < -SECOND_MS ? clock.now() : at + (isMatch ? Math.max(0, lateMs) : 0);
    }
  }

  run().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.error({ err: error }, 'the poll schedule ended: restart Gumshoe');
  });
  return {
    stop: () => {
      stopping.abort();
      void times.destroy();
    },
  };
}
