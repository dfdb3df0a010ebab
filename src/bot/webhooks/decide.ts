import type { ReceivedAlert } from '../alerts/format.ts';
import type { AlertIdentity } from '../filing/identity.ts';
import { roomOf, STORM } from '../filing/limits.ts';
import type { Unfiled } from '../filing/recover.ts';
import type { Issue } from '../store/issues.ts';
import type { ReceivedAlertRow } from '../store/received-alerts.ts';
import type { Join, NewAlert, ReceivedFacts } from './facts.ts';

/** What became of a received alert. */
export type ReceivedOutcome =
  | 'posting'
  | 'held'
  | 'counted'
  | 'recovered'
  | 'noted'
  | 'unrouted'
  | 'ignored'
  | 'ambiguous'
  | 'known';

/** What becomes of a received alert: how it is stored, and what is done, in order. */
export interface Receipt {
  outcome: ReceivedOutcome;
  stored: Pick<ReceivedAlertRow, 'identity' | 'state'> &
    Partial<Pick<ReceivedAlertRow, 'channel' | 'ts' | 'overAt'>>;
  actions: readonly Action[];
}

export type Action =
  | ({ kind: 'join' } & Join)
  | { kind: 'raise_severity'; issue: Issue }
  | { kind: 'count'; issue: Issue }
  | { kind: 'note'; issue: Issue; text: string }
  | { kind: 'recover'; issue: Issue }
  | { kind: 'end_unfiled'; unfiled: Unfiled }
  /** The message of a received alert is over; `refresh`: and says so. */
  | { kind: 'over'; id: string; refresh: boolean }
  /** The message of a received alert says that it fires again, or at another severity. */
  | { kind: 'fires_again'; id: string; reading: ReceivedAlert }
  /** An alert without a route is over, or was received again. */
  | { kind: 'settle'; id: string }
  | { kind: 'post'; channel: string }
  | { kind: 'hold'; channel: string; ts: string; by: 'storm' | 'budget' | 'day'; isOver: boolean };

/** A firing and its recovery that arrive in the wrong order are not further apart. */
const LATE_MS = 60 * 60_000;

/**
 * What becomes of a received alert: one that is known already, here or from the tool's own Slack app, is counted or has
 * recovered; a new one gets a message in the channel that its route names.
 */
export function decide(facts: ReceivedFacts): Receipt {
  const receipt = receiptOf(facts);
  const joins: Action[] = facts.joined === null ? [] : [{ kind: 'join', ...facts.joined }];
  return { ...receipt, actions: [...joins, ...receipt.actions] };
}

function receiptOf(facts: ReceivedFacts): Receipt {
  const { identity, received, now } = facts;
  if (identity === null) return noted('ignored', null);
  if (facts.isAmbiguous) return noted('ambiguous', identity.identity, [], now);
  switch (received.reading.alert.kind) {
    case 'firing':
      return fires(facts, identity);
    case 'resolved':
      return recovers(facts, identity);
    case 'not_an_alert':
      return update(facts, identity);
  }
}

/** The alert is stored, and has no message of its own. */
function noted(
  outcome: ReceivedOutcome,
  identity: string | null,
  actions: readonly Action[] = [],
  overAt: number | null = null,
): Receipt {
  return { outcome, stored: { identity, state: 'noted', overAt }, actions };
}

function fires(facts: ReceivedFacts, identity: AlertIdentity): Receipt {
  const { shown } = facts;
  const open = facts.open ?? issueOfAlias(facts);
  const isShown = shown !== null && !shown.hadIssue;
  // A tool sends all alerts of a group whenever one of them changes.
  if ((open !== null || isShown) && isNotifiedAgain(facts)) {
    const raised: Action[] = open === null ? [] : [{ kind: 'raise_severity', issue: open }];
    return noted('known', identity.identity, [...raised, ...firesAgain(facts)]);
  }
  if (open !== null && !facts.comesBack) {
    const counted: Action[] = [{ kind: 'count', issue: open }, ...firesAgain(facts)];
    // Its Slack app was first: from now on both count for one issue.
    if (facts.open === null && open.identity !== null) {
      counted.unshift({ kind: 'join', identity: identity.identity, target: open.identity });
    }
    return noted('counted', open.identity, counted);
  }
  if (isShown) return noted('counted', identity.identity);
  const receipt = isNew(facts, identity);
  // The closed issue's message is about an episode that is over.
  const ended: Action[] = shown === null ? [] : [{ kind: 'over', id: shown.id, refresh: false }];
  return { ...receipt, actions: [...ended, ...receipt.actions] };
}

/** Requests the alert's own message, or keeps the alert until there is a route for it. */
function isNew(facts: ReceivedFacts, { identity, severity }: AlertIdentity): Receipt {
  const { route, fresh, aliases, history } = facts;
  const overAt = recoveredBefore(facts);
  if (route === null || fresh === null) {
    const isUnrouted = history.some(({ state, overAt: over }) => state === 'unrouted' && over === null);
    const state = isUnrouted ? 'noted' : 'unrouted';
    return { outcome: isUnrouted ? 'counted' : 'unrouted', stored: { identity, state, overAt }, actions: [] };
  }
  const { channel } = route;
  const joins = aliases
    .filter((alias) => alias.isFree && alias.identity !== identity)
    .map((alias): Action => ({ kind: 'join', identity: alias.identity, target: identity }));
  // What has an issue is never put on hold as a new one.
  const by = facts.comesBack ? null : floodReason(facts, fresh, channel, severity === 'high');
  if (by === null) {
    const stored = { identity, state: 'posting' as const, channel, overAt };
    return { outcome: 'posting', stored, actions: [...joins, { kind: 'post', channel }] };
  }
  const { ts } = fresh;
  return {
    outcome: 'held',
    stored: { identity, state: 'decided', channel, ts, overAt },
    actions: [...joins, { kind: 'hold', channel, ts, by, isOver: overAt !== null }],
  };
}

/** Of a delivery that is too large, so many have messages of their own: the most severe, which come first. */
const FEW = 3;

/**
 * Why an alert gets no message of its own; `null` if it does. A delivery that exceeds the channel's room leaves some of it
 * to others, and a severe alert has room of its own: nothing waits behind a flood.
 */
function floodReason(
  { received, settings, maxIssuesPerDay }: ReceivedFacts,
  { counts, undecided }: NewAlert,
  channel: string,
  isSevere: boolean,
): 'storm' | 'budget' | 'day' | null {
  const { firing, own, mayHold } = received.delivery;
  if (!mayHold(channel)) return null;
  const [reason, left] = roomOf(counts, settings, { maxIssuesPerDay }).reduce((least, one) =>
    one[1] < least[1] ? one : least,
  );
  const total = left - (undecided - own) + (isSevere ? STORM : 0);
  return own < (firing <= total ? total : Math.min(FEW, total)) ? null : reason;
}

function recovers(facts: ReceivedFacts, { identity }: AlertIdentity): Receipt {
  const { received, aliases, history, shown, unfiled, now } = facts;
  const settled = history
    .filter(({ state }) => state === 'unrouted')
    .map(({ id }): Action => ({ kind: 'settle', id }));
  const counted = aliases.filter((alias) => alias.identity === identity);
  const isOver = counted.length === 0 || counted.some(({ alone }) => alone) || received.reading.groupResolved;
  if (!isOver) return noted('noted', identity, settled, now);
  const ended: Action[] =
    shown === null ? settled : [...settled, { kind: 'over', id: shown.id, refresh: true }];
  const open = facts.open ?? issueOfAlias(facts);
  if (open !== null) {
    return noted('recovered', identity, [...ended, { kind: 'recover', issue: open }], now);
  }
  if (shown === null) return noted('ignored', identity, ended, now);
  const unfiledToo: Action[] = unfiled === null ? [] : [{ kind: 'end_unfiled', unfiled }];
  return noted('recovered', identity, [...ended, ...unfiledToo], now);
}

/** An acknowledgement, an assignment and the like: noted on the issue's card. */
function update({ received, open }: ReceivedFacts, { identity }: AlertIdentity): Receipt {
  const { note } = received.reading;
  if (note === null || open === null) return noted('ignored', identity);
  return noted('noted', identity, [{ kind: 'note', issue: open, text: note }]);
}

/** The message of an alert that fires again, or has become more severe, says so. */
function firesAgain({ history, received, now }: ReceivedFacts): Action[] {
  const newest = history.find(({ ts }) => ts !== null);
  if (newest?.reading == null || newest.receivedAt > now) return [];
  const { id, overAt, reading } = newest;
  const { severity } = received.reading.alert;
  if (overAt === null && reading.alert.severity === severity) return [];
  return [{ kind: 'fires_again', id, reading: { ...reading, alert: { ...reading.alert, severity } } }];
}

/** A recovery does not find the issue of a group of which others still fire. */
function issueOfAlias({ aliases, received }: ReceivedFacts): Issue | null {
  const { alert, groupResolved } = received.reading;
  const endsGroup = alert.kind !== 'resolved' || groupResolved;
  const found = aliases.find(({ alone, open }) => open !== null && (endsGroup || alone));
  return found?.open ?? null;
}

/** Whether this firing, which a tool identifies by when it began, has been received and has not recovered since. */
function isNotifiedAgain({ received, history }: ReceivedFacts): boolean {
  const { triggeredAt, fingerprint } = received.reading.alert;
  if (triggeredAt === null) return false;
  // The newest firing or recovery of this very alert decides.
  const newest = history.find(
    ({ reading }) =>
      reading !== null && reading.alert.fingerprint === fingerprint && reading.alert.kind !== 'not_an_alert',
  );
  const earlier = newest?.reading?.alert;
  return earlier?.kind === 'firing' && earlier.triggeredAt === triggeredAt && newest?.overAt === null;
}

/** When the recovery arrived that ends this very firing; `null` if it has not. */
function recoveredBefore({ received, history }: ReceivedFacts): number | null {
  const { triggeredAt } = received.reading.alert;
  if (triggeredAt === null) return null;
  const recovery = history.find(
    ({ receivedAt, reading }) =>
      receivedAt >= received.at - LATE_MS &&
      reading?.alert.kind === 'resolved' &&
      reading.alert.triggeredAt === triggeredAt,
  );
  return recovery?.receivedAt ?? null;
}
