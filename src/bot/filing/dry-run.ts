import type { AlertRow, Decision } from '../store/alerts.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Store } from '../store/open.ts';
import { type Reason, readReason, storedReason } from '../store/reasons.ts';
import type { ChannelMessage, DecideOptions } from './channel-message.ts';
import { decide } from './decide.ts';
import type { Facts, NewAlert, OpenIssue } from './facts.ts';
import { type AlertIdentity, alertIdentity } from './identity.ts';
import { explained, mapFor } from './learned.ts';
import { MINUTE_MS } from './limits.ts';
import type { Outcome } from './outcome.ts';
import type { Looks, Unfiled } from './recover.ts';

type Options = DecideOptions & { store: Store };

/** An existing issue, or the nth that would be filed. */
export type DryRunIssue = { id: string } | { nth: number };

/** The outcome that one message would have, and the rule that decides. */
export interface DryRunDecision {
  seen: ChannelMessage;
  decision: Decision;
  reason: Reason;
  /** Filed when it arrived; not decided again. */
  before: boolean;
  issue: DryRunIssue | null;
}

/**
 * Which rule decides on each message of one channel, with the current settings and without a pause. It follows only
 * these messages, and the issues that there are now: nothing is stored, and no earlier state of an issue is restored.
 *
 * @param messages oldest first
 */
export async function decideInDryRun(
  read: readonly ChannelMessage[],
  options: Options,
): Promise<DryRunDecision[]> {
  const [first] = read;
  if (!first) return [];
  const { settings } = await options.store.channels.get(first.channel);
  const messages = read.map((seen, at) => {
    const map = seen.observed === undefined ? null : mapFor(seen.observed.sender, settings, options);
    return explained(seen, sentBefore(read.slice(0, at), seen), map);
  });
  const channel = new DryRunChannel(settings, options);
  const rows: DryRunDecision[] = [];
  for (const seen of messages) {
    const at = Math.floor(Number(seen.ts) * 1_000);
    const record = await options.store.alerts.find(seen.channel, seen.ts);
    const identity = await alertIdentity(options.store, seen.alert, settings, options.defaultEnvironment);
    if (record?.decision === 'filed' && record.issueId !== null) {
      channel.file(identity, record.issueId, at);
      const issue = { id: record.issueId };
      rows.push({ seen, decision: 'filed', reason: readReason(record.reason), before: true, issue });
    } else {
      const facts = await channel.gather(seen, identity, at);
      const outcome = decide(facts);
      const issue = await channel.follow(facts, outcome);
      rows.push({ seen, decision: outcome.decision, reason: outcome.reason, before: false, issue });
    }
  }
  return rows;
}

/** What its sender wrote before it, among these. */
function sentBefore(
  earlier: readonly ChannelMessage[],
  { observed }: ChannelMessage,
): { ts: string; observation: string }[] {
  return earlier.flatMap((one) =>
    one.observed !== undefined && one.observed.sender === observed?.sender
      ? [{ ts: one.ts, observation: JSON.stringify(one.observed.observation) }]
      : [],
  );
}

/** An issue of the dry run: a stored one, or one that would be filed. */
interface FollowedIssue {
  id: string;
  status: string;
  recoveredAt: number | null;
  /** When its alert began to fire, and whether it was looked at then. */
  episodes: readonly { at: number; isLook: boolean }[];
  /** When it was resolved; `null` while it is open. */
  resolvedAt: number | null;
  settings: ChannelSettings;
}

type Undecided = Pick<AlertRow, 'id' | 'channel' | 'ts' | 'reason'> & {
  holdId: string | null;
  at: number;
  /** Of a suggestion: its alert has recovered. */
  isWithdrawn: boolean;
};

/** The channel as the messages before would have left it: gives facts instead of the store's, and follows outcomes. */
class DryRunChannel {
  readonly #settings: ChannelSettings;
  readonly #options: Options;
  readonly #issues = new Map<string, FollowedIssue>();
  readonly #suggested = new Map<string, Undecided>();
  readonly #held = new Map<string, Undecided>();
  /** When issues were filed, and problems filed or held. */
  readonly #filed: number[] = [];
  readonly #problems: { identity: string; at: number }[] = [];
  /** The issues that would be filed, by id. */
  readonly #fresh = new Map<string, number>();

  constructor(settings: ChannelSettings, options: Options) {
    this.#settings = settings;
    this.#options = options;
  }

  async gather(seen: ChannelMessage, identity: AlertIdentity | null, now: number): Promise<Facts> {
    return {
      // The history has each message as it is now: its edits are not decided one by one.
      seen: { ...seen, edited: false },
      settings: this.#settings,
      maxIssuesPerDay: this.#options.maxIssuesPerDay,
      now,
      needsConsent: false,
      earlier: null,
      identity,
      asNear: null,
      recoveredAt: null,
      report: null,
      about: identity === null ? { kind: 'nothing' } : await this.#about(seen, identity.identity, now),
    };
  }

  file(identity: AlertIdentity | null, id: string, at: number): void {
    this.#filed.push(at);
    if (identity === null) return;
    const settings = this.#settings;
    const issue = {
      id,
      status: 'investigating',
      recoveredAt: null,
      episodes: [{ at, isLook: true }],
      resolvedAt: null,
      settings,
    };
    this.#issues.set(identity.identity, issue);
    this.#problems.push({ identity: identity.identity, at });
  }

  /** What the next messages find once this outcome is carried out; returns the message's issue. */
  async follow(
    { seen, identity, now }: Facts,
    { issueId, reason, action }: Outcome,
  ): Promise<DryRunIssue | null> {
    if (identity === null) return null;
    const key = identity.identity;
    const { channel, ts } = seen;
    const undecided = { id: ts, channel, ts, reason: storedReason(reason), at: now, isWithdrawn: false };
    switch (action.kind) {
      case 'file': {
        const id = `new ${this.#fresh.size + 1}`;
        this.#fresh.set(id, this.#fresh.size + 1);
        this.file(identity, id, now);
        return this.#named(id);
      }
      case 'hold':
        this.#problems.push({ identity: key, at: now });
        this.#held.set(key, { ...undecided, holdId: 'held' });
        break;
      case 'suggest':
        this.#suggested.set(key, { ...undecided, holdId: null });
        break;
      case 'suggest_again':
        this.#withdraw(key, false);
        break;
      case 'end_unfiled':
        this.#withdraw(key, true);
        this.#held.delete(key);
        break;
      case 'recover':
        await this.#change(key, now, { recoveredAt: now, resolvedAt: action.resolves ? now : null });
        break;
      case 'reopen':
      case 'count':
      case 'look_anew': {
        const isLook = action.kind === 'look_anew';
        const begins = isLook || action.kind === 'reopen' || typeof reason !== 'string';
        const before = (await this.#issueOf(key, now))?.episodes ?? [];
        const episodes = begins ? [...before, { at: now, isLook }] : before;
        await this.#change(key, now, { recoveredAt: null, resolvedAt: null, episodes });
        break;
      }
      default:
        break;
    }
    return issueId === null ? null : this.#named(issueId);
  }

  #withdraw(identity: string, isWithdrawn: boolean): void {
    const suggestion = this.#suggested.get(identity);
    if (suggestion !== undefined) this.#suggested.set(identity, { ...suggestion, isWithdrawn });
  }

  #named(id: string): DryRunIssue {
    const nth = this.#fresh.get(id);
    return nth === undefined ? { id } : { nth };
  }

  async #change(identity: string, now: number, change: Partial<FollowedIssue>): Promise<void> {
    const issue = await this.#issueOf(identity, now);
    if (issue !== null) this.#issues.set(identity, { ...issue, ...change });
  }

  async #about(seen: ChannelMessage, identity: string, now: number): Promise<Facts['about']> {
    const issue = await this.#issueOf(identity, now);
    if (issue !== null && issue.resolvedAt === null) return openFacts(issue, now);
    const held = this.#held.get(identity);
    const suggested = this.#suggested.get(identity);
    if (seen.alert.kind === 'resolved') return unfiledFacts(held, suggested);
    return this.#newAlert({ held, suggested, issue, now });
  }

  #newAlert({
    held,
    suggested,
    issue,
    now,
  }: {
    held: Undecided | undefined;
    suggested: Undecided | undefined;
    issue: FollowedIssue | null;
    now: number;
  }): NewAlert {
    const since = (minutes: number) => (at: number) => at > now - minutes * MINUTE_MS;
    const { budget, coolDownMinutes } = this.#settings;
    const recent = this.#problems.filter(({ at }) => since(1)(at));
    const isRecent = suggested !== undefined && now - suggested.at <= coolDownMinutes * MINUTE_MS;
    return {
      kind: 'new',
      heldIn: held?.holdId ?? null,
      plan: null,
      paused: false,
      resolved:
        issue === null || issue.resolvedAt === null
          ? null
          : {
              id: issue.id,
              at: issue.resolvedAt,
              looks: looksOf(issue, now),
              isSteered: false,
            },
      offered: {
        before: isRecent ? { row: suggested.id, ts: suggested.ts, isWithdrawn: suggested.isWithdrawn } : null,
        inMinute: [...this.#suggested.values()].filter(({ at }) => since(1)(at)).length,
      },
      counts: {
        problemsInMinute: new Set(recent.map((one) => one.identity)).size,
        filedInWindow: this.#filed.filter(since(budget.minutes)).length,
        filedInDay: this.#filed.filter(since(24 * 60)).length,
      },
      isStorming: false,
    };
  }

  /** From these messages, or else from the store if it is older than the message. */
  async #issueOf(identity: string, at: number): Promise<FollowedIssue | null> {
    const known = this.#issues.get(identity);
    if (known) return known;
    const { issues, channels } = this.#options.store;
    const open = await issues.openByIdentity(identity);
    const last = open !== null && open.createdAt <= at ? open : await issues.lastClosed(identity);
    if (last === null || last.createdAt > at || last.joinedInto !== null) return null;
    if (!last.isOpen && last.status !== 'resolved') return null;
    const { settings } = await channels.get(last.channel);
    return {
      id: last.id,
      status: last.status,
      recoveredAt: last.recoveredAt,
      episodes: [],
      resolvedAt: last.isOpen || last.statusSince > at ? null : last.statusSince,
      settings,
    };
  }
}

function openFacts(issue: FollowedIssue, now: number): OpenIssue {
  const { id, status, settings } = issue;
  const { onRecovery } = settings;
  return {
    kind: 'open',
    id,
    identity: null,
    isCreated: true,
    status,
    looks: looksOf(issue, now),
    onRecovery,
    isSteered: false,
    hasFiredSince: false,
  };
}

function looksOf({ recoveredAt, episodes, settings }: FollowedIssue, now: number): Looks {
  const { coolDownMinutes, recoveryMinutes } = settings;
  const within = episodes.filter(({ at }) => at > now - coolDownMinutes * MINUTE_MS);
  const recent = within.filter(({ isLook }) => isLook).length;
  return {
    recoveredAt,
    isFree: true,
    episodes: within.length,
    recent,
    coolDownMinutes,
    recoveryMinutes,
  };
}

function unfiledFacts(held: Undecided | undefined, suggested: Undecided | undefined): Unfiled {
  return {
    kind: 'unfiled',
    held: held === undefined ? [] : [held],
    suggested: suggested === undefined || suggested.isWithdrawn ? [] : [suggested],
    firesAgain: false,
  };
}
