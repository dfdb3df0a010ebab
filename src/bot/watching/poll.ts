import PQueue from 'p-queue';
import type { ServiceClient } from '../../contract/client/client.ts';
import { ServiceError, UnreadableAnswerError } from '../../contract/client/errors.ts';
import { shortCircuitedFor } from '../../contract/client/short-circuited.ts';
import { backoffMs } from '../../lib/backoff.ts';
import type { Checkpoint } from '../../lib/checkpoint.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Organization } from '../../lib/issue-number.ts';
import type { Logger } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Issue } from '../store/issues.ts';
import type { Store } from '../store/open.ts';
import { type OnResults, syncIssue } from './sync-issue.ts';

const AT_ONCE = 4;
/** Fewer watched issues than this are fetched one by one; more, and the list of all is walked. */
const FEW = 5;
/**
 * Ended issues, and those that the list shows as under investigation, are fetched this often all the same: of up to 200,
 * each at every third tick, so that a change made elsewhere shows within a minute. More take longer, at the same number
 * of requests, up to 4.5 minutes: with what a tick and an edit take, it shows within five.
 */
const ROTATION = { ofFew: 200, fewMs: 40_000, mostMs: 4.5 * 60_000 };
/** A tick takes at least so many of the rotation, and its share of all where they are many. */
const ROTATION_AT_LEAST = 20;
/** A tick with this many more to fetch asks for one more at the same time. */
const MORE_AT_ONCE_PER = 50;
const MOST_AT_ONCE = 16;
const BACKOFF = { firstMs: 5_000, maxMs: 5 * 60_000 };

export interface PollerOptions {
  store: Store;
  /** Of the organisation whose issues are watched. */
  service: ServiceClient;
  organization: Organization;
  clock: Clock;
  random: () => number;
  log: Logger;
  metrics: Metrics;
  checkpoint: Checkpoint;
  onResults: OnResults;
}

export interface Poller {
  /** One look at everything that is due. Ticks do not overlap: one under way swallows the next. */
  tick(): Promise<void>;
  /** The sentence for `/readyz` while the service fails, else `null`. */
  degraded(): string | null;
  stop(): Promise<void>;
}

/** Watches the investigations (DESIGN section 4, *Watching*). A failing service is asked less often. */
export function createPoller(options: PollerOptions): Poller {
  const { store, clock, log, metrics, organization } = options;
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let failures = 0;
  let notBefore = 0;
  let pagesOfLastWalk = 1;
  let lastLookAt = clock.now();
  /** Issues of which the service says what cannot be used, and when each is asked for again. */
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
    const idle = await store.issues.idle(rotated, share, organization);
    const listed = investigating.length > Math.max(FEW, pagesOfLastWalk) ? await walk() : new Set<string>();
    const isListed = ({ uuid }: Pick<Issue, 'uuid'>) => listed.has(uuid ?? '');
    const toFetch = [
      ...investigating.filter((issue) => !isListed(issue)),
      ...investigating.filter((issue) => isListed(issue) && issue.checkedAt <= rotated).slice(0, share),
      ...idle,
    ].filter(({ id }) => (putOff.get(id)?.until ?? 0) <= now);
    const more = Math.floor(toFetch.length / MORE_AT_ONCE_PER);
    const queue = new PQueue({ concurrency: Math.min(AT_ONCE + more, MOST_AT_ONCE) });
    const outcomes = await Promise.allSettled(toFetch.map(({ id }) => queue.add(() => observeOne(id))));
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    if (reasons.length === 0) return;
    // One broken issue is not a broken service: the others are not to be asked about less often for it.
    if (reasons.length * 2 > outcomes.length) throw reasons[0];
    log.warn({ err: reasons[0], failed: reasons.length }, 'could not check an issue');
  }

  /** The issues that the service lists as under investigation; what the list does not show is rotated. */
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

  async function observeOne(id: string): Promise<void> {
    if (stopping.signal.aborted) return;
    const issue = await store.issues.get(id);
    try {
      if (issue !== null) await syncIssue(issue, options, stopping.signal);
      putOff.delete(id);
    } catch (error) {
      // The same question has the same answer: what a busy or failing service says passes, and is as due as before.
      if (error instanceof UnreadableAnswerError) {
        const before = putOff.get(id)?.failures ?? 0;
        const until = clock.now() + backoffMs(before, BACKOFF, options.random);
        putOff.set(id, { failures: before + 1, until });
      }
      throw error;
    }
  }

  async function run(): Promise<void> {
    if (stopping.signal.aborted || clock.now() < notBefore) return;
    try {
      await look();
      failures = 0;
      metrics.count('gumshoe_polls_total', { outcome: 'ok' });
    } catch (error) {
      if (stopping.signal.aborted) return;
      const notSent = shortCircuitedFor(error);
      if (notSent !== null) {
        // Nothing was asked: the next look is when the service is tried again.
        notBefore = clock.now() + Math.max(BACKOFF.firstMs, notSent);
        return;
      }
      notBefore = clock.now() + backoffMs(failures, BACKOFF, options.random);
      failures += 1;
      metrics.count('gumshoe_polls_total', { outcome: error instanceof ServiceError ? 'service' : 'failed' });
      log.warn({ err: error, failures }, 'the poller could not check every issue; backing off');
    }
  }

  return {
    tick: () => {
      running ??= run().finally(() => {
        running = null;
      });
      return running;
    },
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

/** How long it takes until all had their turn. */
function rotationOf(watched: number): number {
  const { ofFew, fewMs, mostMs } = ROTATION;
  return Math.min(mostMs, fewMs * Math.max(1, watched / ofFew));
}

/** How many a tick fetches of the rotation, so that after `rotationMs` all had their turn, however often ticks come. */
function shareOf(watched: number, sinceMs: number, rotationMs: number): number {
  return Math.max(ROTATION_AT_LEAST, Math.ceil((watched * Math.min(sinceMs, rotationMs)) / rotationMs));
}
