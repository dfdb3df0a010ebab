import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/log.ts';
import type { Metrics } from '../../../lib/metrics.ts';
import { createWakeup } from '../../../lib/wakeup.ts';
import { createWorkerLoop, type Worker } from '../../../lib/worker-loop.ts';
import type { Blocker } from '../../store/blockers.ts';
import type { Store } from '../../store/open.ts';
import type { Admins } from '../access/admins.ts';
import { channelAccess } from '../access/channel-access.ts';
import { blockedFor } from './blocked.ts';
import { channelOf, channelTrouble, isRestriction, scopeOf, scopeTrouble } from './names.ts';
import { retellTrouble, tellTrouble } from './tell.ts';
import type { Blockers } from './types.ts';

const REST_MS = 30_000;
/** One call each: often enough for who has just mended it and waits, too seldom to be a burden. */
const LOOK_AGAIN_MS = 15 * 60_000;

interface TroublesOptions {
  store: Store;
  client: WebClient;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  admins: Admins;
  /** Wakes whoever posts. */
  ring: () => void;
  /** Deliveries of a channel come in again; they may have been missed from `since` on (milliseconds). */
  onBack: (since: number) => Promise<void>;
}

/**
 * Keeps what does not work in Slack: each trouble is told once to who can mend it, is looked at now and then (a restart
 * looks at once), and ends by an event, a post that gets through, or such a look.
 */
export function createBlockers(options: TroublesOptions): Blockers & Worker {
  const { store, client, clock, log, metrics, ring } = options;
  const open = new Map<string, Blocker>();
  /** When it was last looked whether a trouble is mended, and when nobody could be told of it. */
  const looked = new Map<string, number>();
  const untold = new Map<string, number>();
  const wakeup = createWakeup();

  function count(): void {
    metrics.gauge('gumshoe_slack_troubles', open.size);
  }

  async function begin(name: string, reason: string): Promise<void> {
    if (open.get(name)?.reason === reason) return;
    const { trouble, isNew } = await store.transaction(async (tx) => {
      const before = await tx.blockers.get(name);
      const now = { name, reason, since: before?.since ?? clock.now(), detail: '' };
      const begun = await tx.blockers.begin(now);
      const channel = channelOf(name);
      if (begun && channel !== null) await tx.channels.openGap(channel);
      if (begun) await retellTrouble(tx, now, null);
      return { trouble: now, isNew: begun };
    });
    open.set(name, trouble);
    count();
    if (!isNew) return;
    looked.set(name, clock.now());
    log.warn({ trouble: name, reason }, 'something in Slack needs a person to fix it');
    wakeup.wake();
    ring();
  }

  async function end(name: string): Promise<void> {
    const channel = channelOf(name);
    const scope = scopeOf(name);
    const was = await store.transaction(async (tx) => {
      const ended = await tx.blockers.end(name);
      if (ended === null) return null;
      await retellTrouble(tx, ended, clock.now());
      if (channel !== null) await tx.outbox.unpark(channel, clock.now());
      if (scope !== null) await tx.outbox.unparkFor(blockedFor(scope), clock.now());
      return ended;
    });
    open.delete(name);
    for (const moments of [looked, untold]) moments.delete(name);
    count();
    if (was === null) return;
    log.info({ trouble: name, since: was.since }, 'a problem in Slack has been fixed');
    ring();
    if (channel !== null) await options.onBack(was.since);
  }

  async function lookAtChannel(channel: string, reason: string): Promise<void> {
    const name = channelTrouble(channel);
    const access = await channelAccess(client, channel);
    if (!access.ok && access.why === 'archived') return begin(name, 'is_archived');
    if (!access.ok && access.why === 'not_in_channel') {
      return begin(name, reason === 'channel_not_found' ? reason : 'not_in_channel');
    }
    if (!access.ok && access.why === 'missing_scope') return;
    // Whether a restriction still holds, only a post can tell.
    if (isRestriction(reason) && (await store.outbox.unparkOldest(channel, clock.now()))) return ring();
    await end(name);
  }

  async function lookAtScope(scope: string): Promise<void> {
    const { response_metadata: metadata } = await client.auth.test();
    if (metadata?.scopes?.includes(scope)) await end(scopeTrouble(scope));
  }

  async function look({ name, reason }: Blocker): Promise<void> {
    looked.set(name, clock.now());
    const channel = channelOf(name);
    const scope = scopeOf(name);
    if (channel !== null) await lookAtChannel(channel, reason);
    else if (scope !== null) await lookAtScope(scope);
  }

  async function tell(trouble: Blocker): Promise<void> {
    if ((untold.get(trouble.name) ?? 0) > clock.now() - LOOK_AGAIN_MS) return;
    if (await tellTrouble(trouble, options)) return ring();
    untold.set(trouble.name, clock.now());
    log.warn({ trouble: trouble.name, reason: trouble.reason }, 'nobody could be told what has to be mended');
  }

  async function load(): Promise<void> {
    const stored = await store.blockers.open();
    open.clear();
    for (const trouble of stored) {
      if (channelOf(trouble.name) !== null || scopeOf(trouble.name) !== null) open.set(trouble.name, trouble);
    }
    count();
  }

  async function round(signal: AbortSignal): Promise<void> {
    await load();
    for (const trouble of [...open.values()]) {
      if (signal.aborted) return;
      const isDue = (looked.get(trouble.name) ?? 0) <= clock.now() - LOOK_AGAIN_MS;
      if (isDue) await look(trouble);
      if (open.has(trouble.name)) await tell(trouble);
    }
  }

  const rounds = createWorkerLoop({
    round,
    rest: (signal) => wakeup.wait(REST_MS, signal),
    onError: (error) => log.warn({ err: error }, 'could not check on a problem in Slack'),
  });

  return {
    channelBroke: (channel, reason) => begin(channelTrouble(channel), reason),
    channelWorks: async (channel) => {
      if (open.has(channelTrouble(channel))) await end(channelTrouble(channel));
    },
    channelChanged: async (channel) => {
      const trouble = await store.blockers.get(channelTrouble(channel));
      if (trouble !== null) return look(trouble);
      if ((await store.channels.get(channel)).watched) await options.onBack(clock.now());
    },
    scopesMissing: async (scopes) => {
      for (const scope of scopes) await begin(scopeTrouble(scope), 'missing_scope');
    },
    open: () => [...open.values()],
    start: rounds.start,
    stop: rounds.stop,
  };
}
