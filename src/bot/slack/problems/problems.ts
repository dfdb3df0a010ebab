import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../../lib/clock.ts';
import { createWorkerLoop, type Worker } from '../../../lib/worker-loop.ts';
import type { Problems } from '../../problems/registry.ts';
import {
  channelOf,
  channelProblem,
  consentOf,
  consentProblem,
  isOfSlack,
  MISSING_KEY,
  NO_CONSENT,
  problemOf,
  scopeOf,
  scopeProblem,
} from '../../problems/stored.ts';
import type { Logger } from '../../shared/log.ts';
import { problemIntent } from '../../store/intents/channel-intents.ts';
import { problemPrefix } from '../../store/intents/keys.ts';
import { personOf } from '../../store/intents/payloads.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { StoredProblem } from '../../store/problems.ts';
import { channelAccess } from '../access/channel-access.ts';
import type { NeedsConsent } from '../access/consent.ts';
import type { Admins } from '../access/people.ts';
import { classifySlackError, isOfTheChannel, isRestriction, lackingScopes } from '../errors.ts';
import { openDm } from '../open-dm.ts';
import { slackTs } from '../timestamp.ts';

/**
 * Notifies those who can fix a problem, each once, by direct message.
 *
 * @returns false if there is nobody
 * @throws the client's error if Slack cannot be reached now
 */
async function notify(
  problem: StoredProblem,
  { store, client, clock, admins }: { store: Store; client: WebClient; clock: Clock; admins: Admins },
): Promise<boolean> {
  if ((await store.outbox.keyed(problemPrefix(problem))).length > 0) return true;
  const people = await admins.adminsToNotify(channelOf(problem.name) ?? consentOf(problem.name) ?? undefined);
  const dms = new Map<string, string>();
  for (const person of people) {
    const dm = await openDm(client, person);
    if (dm !== null) dms.set(person, dm);
  }
  await store.transaction(async (tx) => {
    // It may have been fixed in the meantime, or have another reason now.
    const now = await tx.problems.get(problem.name);
    if (now?.since !== problem.since) return;
    for (const [person, channel] of dms) {
      await tx.outbox.want(problemIntent(now, person, channel, clock.now()));
    }
  });
  return dms.size > 0;
}

/** Whether a person has to fix it. Of a missing key, the cards of its issues say so. */
function needsNotice(problem: StoredProblem): boolean {
  return problemOf(problem).fixedBy !== 'nobody' && problem.name !== MISSING_KEY;
}

const REST_MS = 30_000;
/** One call each: often enough for somebody who has just fixed it and waits, and rare enough not to be a burden. */
const LOOK_AGAIN_MS = 15 * 60_000;

/** The detail of a `consent:` problem whose channel was watched: once a member agrees, it is watched again. */
const WATCHED = 'watched';

interface SlackProblemsOptions {
  store: Store;
  client: WebClient;
  clock: Clock;
  log: Logger;
  admins: Admins;
  problems: Problems;
  /** Deliveries of a channel arrive again; some may have been missed. */
  onBack: () => Promise<void>;
  needsConsent: NeedsConsent;
  /** Channels of `ALERT_CHANNELS` and `ALERT_ROUTES`, which somebody expects to be watched. */
  configured: readonly string[];
  /** Of several replicas, the one that leads checks and notifies. */
  lead: { isHeld(): boolean };
}

/**
 * Tracks what does not work in Slack until somebody fixes it: each such problem is checked regularly (and at startup), and
 * closed by an event, a successful post, or such a check. Notifies of these and of all other problems whoever can fix them.
 */
export function createSlackProblems(options: SlackProblemsOptions): SlackProblems & Worker {
  const { store, client, clock, log, problems } = options;
  const looked = new Map<string, number>();
  /** When somebody is looked for again to notify of a problem, by its name; `since` tells its occurrences apart. */
  const notices = new Map<string, { since: number; nextAt: number }>();

  async function begin(name: string, reason: string): Promise<void> {
    const unconfirmed = consentOf(name);
    const channel = channelOf(name);
    const isNew = await problems.begin({ name, reason }, async (tx) => {
      if (channel !== null) await tx.channels.openGap(channel);
      if (unconfirmed === null || !(await tx.channels.get(unconfirmed)).watched) return undefined;
      await tx.channels.unwatch(unconfirmed);
      return WATCHED;
    });
    if (!isNew) return;
    looked.set(name, clock.now());
    log.warn(
      { problem: name, reason },
      reason === NO_CONSENT
        ? 'a private channel is not watched until a member agrees that its issues may be named in answers elsewhere'
        : 'a problem in Slack needs somebody to fix it',
    );
  }

  async function end(name: string): Promise<void> {
    const channel = channelOf(name);
    const scope = scopeOf(name);
    const agreed = consentOf(name);
    const was = await problems.end(name, async (tx, { detail }) => {
      if (agreed !== null && detail === WATCHED) {
        const { watched, settings } = await tx.channels.get(agreed);
        if (!watched) await tx.channels.watch(agreed, settings, slackTs(clock.now()));
      }
      if (channel !== null) await tx.outbox.unpark(channel);
      if (scope !== null) await tx.outbox.unparkFor(blockedFor(scope));
    });
    looked.delete(name);
    if (was === null) return;
    log.info({ problem: name, since: was.since }, 'a problem in Slack has been fixed');
    if (channel !== null) await options.onBack();
  }

  async function lookAtChannel(channel: string, reason: string): Promise<void> {
    const name = channelProblem(channel);
    const access = await channelAccess(client, channel);
    if (!access.ok && access.why === 'archived') return begin(name, 'is_archived');
    if (!access.ok && access.why === 'not_in_channel') {
      return begin(name, reason === 'channel_not_found' ? reason : 'not_in_channel');
    }
    if (!access.ok && access.why === 'missing_scope') return;
    // Only a post can tell whether a restriction still holds.
    if (isRestriction(reason) && (await store.outbox.unparkOldest(channel))) return;
    await end(name);
  }

  async function lookAtConsent(channel: string, { detail }: StoredProblem): Promise<void> {
    const isExpected = detail === WATCHED || options.configured.includes(channel);
    if (isExpected && (await options.needsConsent(channel))) return;
    await end(consentProblem(channel));
  }

  /** Private channels that are to be watched, or have become private since. */
  async function lookForConsent(): Promise<void> {
    const watched = (await store.channels.watched()).map(({ channel }) => channel);
    for (const channel of new Set([...watched, ...options.configured])) {
      if (problems.isOpen(consentProblem(channel)) || !(await options.needsConsent(channel))) continue;
      await begin(consentProblem(channel), NO_CONSENT);
    }
  }

  async function lookAtScope(scope: string): Promise<void> {
    const { response_metadata: metadata } = await client.auth.test();
    if (metadata?.scopes?.includes(scope)) await end(scopeProblem(scope));
  }

  async function look(problem: StoredProblem): Promise<void> {
    const { name, reason } = problem;
    looked.set(name, clock.now());
    const channel = channelOf(name);
    const scope = scopeOf(name);
    const unconfirmed = consentOf(name);
    if (unconfirmed !== null) return lookAtConsent(unconfirmed, problem);
    if (channel !== null) await lookAtChannel(channel, reason);
    else if (scope !== null) await lookAtScope(scope);
  }

  async function notifyOnce(problem: StoredProblem): Promise<void> {
    const { name, since, reason } = problem;
    const before = notices.get(name);
    if (before?.since === since && before.nextAt > clock.now()) return;
    const isNotified = await notify(problem, options);
    notices.set(name, { since, nextAt: isNotified ? Number.POSITIVE_INFINITY : clock.now() + LOOK_AGAIN_MS });
    if (!isNotified) log.warn({ problem: name, reason }, 'could not notify anybody of a problem');
  }

  async function round(signal: AbortSignal): Promise<void> {
    await problems.load();
    if (!options.lead.isHeld()) return;
    await lookForConsent();
    for (const problem of problems.open()) {
      if (signal.aborted) return;
      const isDue = (looked.get(problem.name) ?? 0) <= clock.now() - LOOK_AGAIN_MS;
      if (isDue && isOfSlack(problem.name)) await look(problem);
      if (problems.isOpen(problem.name) && needsNotice(problem)) await notifyOnce(problem);
    }
  }

  const rounds = createWorkerLoop({
    round,
    rest: (signal) => problems.wakeup.wait(REST_MS, signal),
    onError: (error) => log.warn({ err: error }, 'could not check on a problem'),
  });

  return {
    channelBroke: (channel, reason) => begin(channelProblem(channel), reason),
    channelWorks: async (channel) => {
      if (problems.isOpen(channelProblem(channel))) await end(channelProblem(channel));
    },
    channelChanged: async (channel) => {
      const unconfirmed = await store.problems.get(consentProblem(channel));
      if (unconfirmed !== null) await look(unconfirmed);
      const problem = await store.problems.get(channelProblem(channel));
      if (problem !== null) return look(problem);
      if ((await store.channels.get(channel)).watched) await options.onBack();
    },
    scopesMissing: async (scopes) => {
      for (const scope of scopes) await begin(scopeProblem(scope), 'missing_scope');
    },
    start: rounds.start,
    stop: rounds.stop,
  };
}

/** What does not work in Slack until somebody fixes it. */
export interface SlackProblems {
  /** Nothing can be posted in a channel, for Slack's own reason (`is_archived`, …): messages wait from now on. */
  channelBroke(channel: string, reason: string): Promise<void>;
  /** Slack accepted a post there. */
  channelWorks(channel: string): Promise<void>;
  /** A channel may have been fixed, or the bot may have joined it: checks with Slack. */
  channelChanged(channel: string): Promise<void>;
  /** Slack does not grant these scopes. */
  scopesMissing(scopes: readonly string[]): Promise<void>;
}

const AGAIN_MS = 1_000;

interface BlockedOptions {
  store: Store;
  clock: Clock;
  slackProblems: Pick<SlackProblems, 'channelBroke' | 'scopesMissing'>;
}

/** Why a message that needs a scope waits. */
const blockedFor = (scope: string) => `missing_scope:${scope}`;

/**
 * Makes a message that Slack refuses wait until its problem is fixed, without retries.
 *
 * @returns false if nobody can fix it
 */
export async function blockUntilRepaired(
  row: OutboxRow,
  error: unknown,
  { store, clock, slackProblems }: BlockedOptions,
): Promise<boolean> {
  const [scope, ...others] = lackingScopes(error);
  if (scope !== undefined) {
    await slackProblems.scopesMissing([scope, ...others]);
    await park(row, scopeProblem(scope), blockedFor(scope), { store, clock });
    return true;
  }
  const failure = classifySlackError(error);
  if (failure.kind !== 'refused' || !isOfTheChannel(row.channel, failure.error)) return false;
  if (isOfAnOutsider(row)) return false;
  await slackProblems.channelBroke(row.channel, failure.error);
  await park(row, channelProblem(row.channel), failure.error, { store, clock });
  return true;
}

/** Somebody ran a command in a channel that Gumshoe is not part of: no need to tell anyone. */
function isOfAnOutsider(row: OutboxRow): boolean {
  return row.threadTs === null && row.sent === '[]' && personOf(row).requester !== undefined;
}

/** A problem that has been fixed in the meantime wakes nothing: the message is retried. */
function park(
  row: OutboxRow,
  problem: string,
  error: string,
  { store, clock }: Pick<BlockedOptions, 'store' | 'clock'>,
): Promise<void> {
  return store.transaction(async (tx) => {
    if ((await tx.problems.get(problem)) !== null) await tx.outbox.park(row.key, error);
    else await tx.outbox.postpone(row.key, clock.now() + AGAIN_MS, error);
  });
}
