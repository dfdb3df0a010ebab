import type { Facts, OpenIssue } from './facts.ts';
import type { AlertIdentity } from './identity.ts';
import { heldReason, MINUTE_MS, roomOf, STORM } from './limits.ts';
import {
  type Effect,
  NOTHING,
  type Outcome,
  outcome,
  type Receipt,
  type ReceivedOutcome,
} from './outcome.ts';
import type { ReportFacts } from './report-facts.ts';

/** How a report is stored, and what becomes of it; `settled` is `null` where the rules of messages say that. */
interface Reported {
  settled: Outcome | null;
  receipt: Receipt;
}

/**
 * What becomes of a report: one that is known already, here or from the tool's own Slack app, is counted or has recovered;
 * a new one gets a message in the channel that its route names.
 */
export function ofReport(facts: Facts, report: ReportFacts): Reported {
  const { identity, now } = facts;
  const known = identity?.identity ?? null;
  if (identity === null) return nothingMore('ignored', known);
  if (facts.asNear !== null) return nothingMore('ambiguous', known, [], now);
  const reported = reportedBy(facts, report, identity);
  const joins: Effect[] = report.joined === null ? [] : [{ kind: 'join', ...report.joined }];
  const { receipt } = reported;
  return { ...reported, receipt: { ...receipt, effects: [...joins, ...receipt.effects] } };
}

function reportedBy(facts: Facts, report: ReportFacts, identity: AlertIdentity): Reported {
  switch (facts.seen.alert.kind) {
    case 'firing':
      return fires(facts, report, identity);
    case 'resolved':
      return recovers(facts, report, identity.identity);
    case 'not_an_alert': {
      const isNoted = facts.seen.note !== null && facts.about.kind === 'open';
      return asMessage(isNoted ? 'noted' : 'ignored', identity.identity);
    }
  }
}

/** It is stored, has no message of its own, and changes no more than these. */
function nothingMore(
  what: ReceivedOutcome,
  identity: string | null,
  effects: readonly Effect[] = [],
  overAt: number | null = null,
): Reported {
  const settled = outcome('ignored', 'decided_before', null, NOTHING, { isRecorded: false });
  return { ...asMessage(what, identity, effects, overAt), settled };
}

/** It has no message of its own, and means what a message would. */
function asMessage(
  what: ReceivedOutcome,
  identity: string | null,
  effects: readonly Effect[] = [],
  overAt: number | null = null,
): Reported {
  return {
    settled: null,
    receipt: { outcome: what, state: 'noted', identity, overAt, effects, isPosted: false },
  };
}

function fires(facts: Facts, report: ReportFacts, { identity }: AlertIdentity): Reported {
  const { about, recoveredAt } = facts;
  const { shown, aliases } = report;
  const open = about.kind === 'open' ? about : null;
  const isShown = shown !== null && !shown.hadIssue;
  // A tool sends all alerts of a group whenever one of them changes.
  if ((open !== null || isShown) && isNotifiedAgain(facts, report)) {
    return counted('known', identity, open, firesAgain(facts, report), 'escalate');
  }
  if (open !== null && !comesBack(facts, identity)) {
    // Its Slack app was first: from now on both count for one issue.
    const joins: Effect[] =
      open.identity === null || open.identity === identity
        ? []
        : [{ kind: 'join', identity, target: open.identity }];
    const effects = [...joins, ...firesAgain(facts, report)];
    return counted('counted', open.identity, open, effects, 'count');
  }
  if (isShown) return nothingMore('counted', identity);
  // The closed issue's message is about an episode that is over.
  const ended: Effect[] = shown === null ? [] : [{ kind: 'over', id: shown.id, refresh: false }];
  if (report.channel === null) {
    const isKept = report.history.some((one) => isUnrouted(one) && one.overAt === null);
    const kept = nothingMore(isKept ? 'counted' : 'unrouted', identity, ended, recoveredAt);
    return isKept ? kept : { ...kept, receipt: { ...kept.receipt, state: 'waiting' } };
  }
  const joins = aliases
    .filter((alias) => alias.isFree && alias.identity !== identity)
    .map((alias): Effect => ({ kind: 'join', identity: alias.identity, target: identity }));
  const receipt = { identity, overAt: recoveredAt, state: 'decided', effects: [...ended, ...joins] } as const;
  // What has an issue is never put on hold as a new one.
  const by = comesBack(facts, identity) ? null : floodReason(facts, report);
  if (by === null) return { settled: null, receipt: { ...receipt, outcome: 'posting', isPosted: true } };
  const reason = heldReason(by, facts.settings, facts, recoveredAt !== null);
  return {
    settled: outcome('held', reason, null, { kind: 'hold', by }, { recoveredAt }),
    receipt: { ...receipt, outcome: 'held', isPosted: false },
  };
}

function counted(
  what: ReceivedOutcome,
  identity: string | null,
  open: OpenIssue | null,
  effects: readonly Effect[],
  kind: 'count' | 'escalate',
): Reported {
  const action = open === null ? NOTHING : { kind };
  const settled = outcome('repeat', 'already_open', open?.id ?? null, action, { isRecorded: false });
  return { ...asMessage(what, identity, effects), settled };
}

/** A firing after its issue's recovery has held, or within the cool-down of one that was resolved: it gets a message. */
function comesBack({ about, now }: Facts, identity: string): boolean {
  if (about.kind === 'new') {
    const { resolved } = about;
    return resolved !== null && now - resolved.at <= resolved.looks.coolDownMinutes * MINUTE_MS;
  }
  if (about.kind !== 'open' || !about.isCreated || about.status === 'muted' || about.identity !== identity)
    return false;
  const { recoveredAt, recoveryMinutes } = about.looks;
  return recoveredAt !== null && now - recoveredAt >= recoveryMinutes * MINUTE_MS;
}

/** Of a delivery that is too large, so many have messages of their own: the most severe, which come first. */
const FEW = 3;

/**
 * Why an alert gets no message of its own; `null` if it does. A delivery that exceeds the channel's room leaves some of it
 * to others, and a severe alert has room of its own: nothing waits behind a flood.
 */
function floodReason(
  { about, settings, maxIssuesPerDay, identity, needsConsent }: Facts,
  { delivery: { firing, own }, unposted }: ReportFacts,
): 'storm' | 'budget' | 'day' | null {
  if (about.kind !== 'new' || needsConsent) return null;
  const rooms = [
    ...roomOf(about.counts, settings, { maxIssuesPerDay }),
    ['storm', STORM - unposted] as const,
  ];
  const [reason, left] = rooms.reduce((least, one) => (one[1] < least[1] ? one : least));
  const total = left + own + (identity?.severity === 'high' ? STORM : 0);
  return own < (firing <= total ? total : Math.min(FEW, total)) ? null : reason;
}

function recovers({ about, now }: Facts, report: ReportFacts, identity: string): Reported {
  const { aliases, history, shown, groupResolved } = report;
  const settled = history.filter(isUnrouted).map(({ id }): Effect => ({ kind: 'settle', id }));
  const stands = aliases.filter((alias) => alias.identity === identity);
  const isOver = stands.length === 0 || stands.some(({ alone }) => alone) || groupResolved;
  if (!isOver) return nothingMore('noted', identity, settled, now);
  const ended: Effect[] =
    shown === null ? settled : [...settled, { kind: 'over', id: shown.id, refresh: true }];
  if (about.kind !== 'open' && shown === null) return nothingMore('ignored', identity, ended, now);
  return asMessage('recovered', identity, ended, now);
}

function isUnrouted({ state, channel }: ReportFacts['history'][number]): boolean {
  return channel === null && (state === 'waiting' || state === 'unrouted');
}

/** The message of an alert that fires again, or has become more severe, says so. */
function firesAgain({ seen, now }: Facts, { history }: ReportFacts): Effect[] {
  const newest = history.find(({ ts }) => ts !== null);
  if (newest?.reading == null || newest.receivedAt > now) return [];
  const { id, overAt, reading } = newest;
  const { severity } = seen.alert;
  if (overAt === null && reading.alert.severity === severity) return [];
  return [{ kind: 'fires_again', id, reading: { ...reading, alert: { ...reading.alert, severity } } }];
}

/** Whether this firing, which a tool identifies by when it began, has been received and has not recovered since. */
function isNotifiedAgain({ seen }: Facts, { history }: ReportFacts): boolean {
  const { triggeredAt, fingerprint } = seen.alert;
  if (triggeredAt === null) return false;
  // The newest firing or recovery of this very alert decides.
  const newest = history.find(
    ({ reading }) =>
      reading !== null && reading.alert.fingerprint === fingerprint && reading.alert.kind !== 'not_an_alert',
  );
  const earlier = newest?.reading?.alert;
  return earlier?.kind === 'firing' && earlier.triggeredAt === triggeredAt && newest?.overAt === null;
}
