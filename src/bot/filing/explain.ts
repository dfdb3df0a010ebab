import type { Alert } from '../alerts/types.ts';
import type { AlertRow, Decision } from '../store/alerts.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Hold } from '../store/holds.ts';
import type { Issue } from '../store/issues.ts';
import type { Store } from '../store/open.ts';
import { alertOf, type ChannelMessage, type DecideOptions } from './channel-message.ts';
import { type AlertIdentity, alertIdentity } from './identity.ts';
import {
  ALREADY_OPEN,
  firedAgain,
  heldBecause,
  ignored,
  MINUTE_MS,
  NEW_ALERT,
  NO_PROBLEM,
  NOTED,
  PERSONS_RECOVERY,
  RESOLVES,
  refused,
  SUGGESTED,
  SUGGESTED_BEFORE,
  throttled,
  tooMild,
  UNFILED,
} from './rules.ts';
import { throttleReason } from './throttle.ts';

type Options = DecideOptions & { store: Store };

/** An existing issue, or the nth that would be filed. */
export type PreviewedIssue = { id: string } | { nth: number };

/** The outcome that one message would have, and the rule that decides. */
export interface PreviewRow {
  seen: ChannelMessage;
  decision: Decision;
  reason: string;
  /** Filed when it arrived; not decided again. */
  before: boolean;
  issue: PreviewedIssue | null;
}

type Outcome = Pick<PreviewRow, 'decision' | 'reason' | 'issue'>;

/**
 * Which rule decides on each message of one channel, with the current settings and without a pause. It follows only
 * these messages, and the issues that there are now: nothing is stored, and no earlier state of an issue is restored.
 *
 * @param messages oldest first
 */
export async function preview(messages: readonly ChannelMessage[], options: Options): Promise<PreviewRow[]> {
  const [first] = messages;
  if (!first) return [];
  const { settings } = await options.store.channels.get(first.channel);
  const walk = createWalk(settings, options);
  const rows: PreviewRow[] = [];
  for (const seen of messages) {
    const at = Math.floor(Number(seen.ts) * 1_000);
    const record = await options.store.alerts.find(seen.channel, seen.ts);
    const problem = await alertIdentity(options.store, seen.alert, settings, options.defaultEnvironment);
    if (record?.decision === 'filed' && record.issueId !== null) {
      const issue = { id: record.issueId };
      walk.file(problem, issue, at);
      rows.push({ seen, decision: 'filed', reason: record.reason, before: true, issue });
    } else {
      rows.push({ seen, before: false, ...(await walk.decide(seen, problem, at)) });
    }
  }
  return rows;
}

/** What became of a problem so far. */
interface Followed {
  issue: PreviewedIssue;
  /** When a recovery resolved it; `null` while it is open. */
  resolvedAt: number | null;
}

function createWalk(settings: ChannelSettings, options: Options) {
  const followed = new Map<string, Followed>();
  const suggested = new Map<string, number>();
  const filed: number[] = [];
  const problems: { identity: string; at: number }[] = [];
  let fresh = 0;

  /** From these messages, or else from the store if it is older than the message. */
  async function find(identity: string, at: number): Promise<Followed | null> {
    const known = followed.get(identity);
    if (known) return known;
    const open = await options.store.issues.openByIdentity(identity);
    if (open && open.createdAt <= at) return { issue: { id: open.id }, resolvedAt: null };
    const last = await options.store.issues.lastClosed(identity);
    if (last?.status !== 'resolved' || last.joinedInto !== null || last.createdAt > at) return null;
    return { issue: { id: last.id }, resolvedAt: last.statusSince > at ? null : last.statusSince };
  }

  function file(problem: AlertIdentity | null, issue: PreviewedIssue, at: number): void {
    filed.push(at);
    if (problem === null) return;
    followed.set(problem.identity, { issue, resolvedAt: null });
    problems.push({ identity: problem.identity, at });
  }

  function recover(identity: string, one: Followed | null, at: number): Outcome {
    if (one === null || one.resolvedAt !== null) {
      return suggested.delete(identity)
        ? { decision: 'recovered', reason: 'the alert recovered before anybody filed it', issue: null }
        : { decision: 'ignored', reason: UNFILED, issue: null };
    }
    const resolves = settings.onRecovery === 'resolve';
    followed.set(identity, { ...one, resolvedAt: resolves ? at : null });
    return { decision: 'recovered', reason: resolves ? RESOLVES : NOTED, issue: one.issue };
  }

  function suggest(identity: string, at: number): Outcome {
    const before = suggested.get(identity);
    const again = before !== undefined && at - before <= settings.coolDownMinutes * MINUTE_MS;
    if (!again) suggested.set(identity, at);
    return { decision: 'ignored', reason: again ? SUGGESTED_BEFORE : SUGGESTED, issue: null };
  }

  function tooMany(at: number): ReturnType<typeof throttled> {
    const since = (minutes: number) => (time: number) => time > at - minutes * MINUTE_MS;
    const recent = problems.filter((one) => since(1)(one.at));
    const counts = {
      problemsInMinute: new Set(recent.map(({ identity }) => identity)).size,
      filedInWindow: filed.filter(since(settings.budget.minutes)).length,
      filedInDay: filed.filter(since(24 * 60)).length,
    };
    return throttled(counts, settings, options);
  }

  async function decide(seen: ChannelMessage, problem: AlertIdentity | null, at: number): Promise<Outcome> {
    if (seen.alert.kind === 'not_an_alert' || problem === null) {
      return { decision: 'not_an_alert', reason: NO_PROBLEM, issue: null };
    }
    const { identity } = problem;
    const one = await find(identity, at);
    if (seen.alert.kind === 'resolved') {
      return seen.byPerson ? { ...ignored(PERSONS_RECOVERY), issue: null } : recover(identity, one, at);
    }
    const refusal = refused(seen, settings);
    if (refusal !== null) return { ...refusal, issue: null };
    if (one?.resolvedAt === null) return { decision: 'repeat', reason: ALREADY_OPEN, issue: one.issue };
    const mild = tooMild(problem, settings);
    if (mild !== null) return { ...mild, issue: null };
    const again = one === null ? null : firedAgain(one.resolvedAt, at, settings);
    if (one !== null && again !== null) {
      followed.set(identity, { ...one, resolvedAt: null });
      return { decision: 'repeat', reason: again, issue: one.issue };
    }
    if (settings.mode === 'suggest') return suggest(identity, at);
    const flood = tooMany(at);
    if (flood !== null) {
      problems.push({ identity, at });
      return { decision: 'held', reason: heldBecause(flood, settings, options), issue: null };
    }
    fresh += 1;
    const issue = { nth: fresh };
    file(problem, issue, at);
    return { decision: 'filed', reason: NEW_ALERT, issue };
  }

  return { file, decide };
}

/** Everything that answers *Why was this (not) filed?* */
export interface Explanation {
  /** As parsed when it was decided, otherwise as parsed now. */
  alert: Alert;
  sender: string | null;
  /** The identity it counts toward; `null` if it is not an alert. */
  identity: string | null;
  /** The stored decision; `null` if there is none. */
  record: Pick<AlertRow, 'decision' | 'reason' | 'decidedAt' | 'outcome'> | null;
  /** Without a stored decision: why there is none, and what would be decided now (`null` if nothing would be). */
  missed: { why: string; would: Pick<PreviewRow, 'decision' | 'reason'> | null } | null;
  /** The issue that it belongs to, or would. */
  issue: Issue | null;
  hold: Hold | null;
}

/** Looks up the decision on a message. If there is none, says what it would be now. */
export async function explainDecision(seen: ChannelMessage, options: Options): Promise<Explanation> {
  const { store } = options;
  const row = await store.alerts.find(seen.channel, seen.ts);
  if (row === null) return explainMissed(seen, options);
  return {
    alert: alertOf(row),
    sender: row.sender,
    identity: row.identity,
    record: row,
    missed: null,
    issue: row.issueId === null ? null : await store.issues.get(row.issueId),
    hold: row.holdId === null ? null : await store.holds.get(row.holdId),
  };
}

async function explainMissed(seen: ChannelMessage, options: Options): Promise<Explanation> {
  const { store } = options;
  const { watched, settings } = await store.channels.get(seen.channel);
  const { seenTs } = await store.channels.position(seen.channel);
  const problem = await alertIdentity(store, seen.alert, settings, options.defaultEnvironment);
  const isTalk = seen.byPerson && seen.threadTs !== null;
  const would = isTalk ? null : await decidedNow(seen, problem, settings, options);
  return {
    alert: seen.alert,
    sender: seen.sender,
    identity: problem?.identity ?? null,
    record: null,
    missed: {
      why: isTalk ? TALK : whyMissed(watched, seenTs !== null && Number(seen.ts) <= Number(seenTs)),
      would: would === null ? null : { decision: would.decision, reason: would.reason },
    },
    issue: would?.issue && 'id' in would.issue ? await store.issues.get(would.issue.id) : null,
    hold: null,
  };
}

async function decidedNow(
  seen: ChannelMessage,
  problem: AlertIdentity | null,
  settings: ChannelSettings,
  options: Options,
): Promise<Outcome> {
  const outcome = await createWalk(settings, options).decide(seen, problem, options.clock.now());
  if (outcome.decision !== 'filed') return outcome;
  const isPaused = (await options.store.flags.paused()) !== null;
  const why = isPaused ? 'paused' : await throttleReason(options.store, seen.channel, settings, options);
  return why === null
    ? outcome
    : { decision: 'held', reason: heldBecause(why, settings, options), issue: null };
}

const TALK = 'a person’s reply in a thread is never read as an alert';

function whyMissed(watched: boolean, older: boolean): string {
  if (!watched) return 'this channel is not watched; `/gumshoe watch` turns it on';
  return older
    ? 'it was posted before this channel was watched, or while I was not in it'
    : 'it has not reached me yet; I catch up on what was posted while I was down';
}
