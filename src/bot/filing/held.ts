import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { Alert } from '../alerts/types.ts';
import { compareTs } from '../shared/moment.ts';
import { isMoreSevere } from '../shared/severity.ts';
import type { AlertRow, Outcome } from '../store/alerts.ts';
import type { Hold } from '../store/holds.ts';
import { heldKey } from '../store/intents/keys.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { type Reason, storedReason } from '../store/reasons.ts';
import { fileAlert, raiseSeverity, wantShortCard } from './file.ts';
import { alertIdentity, severityOf } from './identity.ts';
import {
  alertOf,
  awaitsMessage,
  type DecideOptions,
  getsMessage,
  hasMessage,
  seenOfRow,
} from './occurrence.ts';
import { issueIdOf } from './reference.ts';
import { signAgain, signFiled } from './sign.ts';

/** How many problems became issues, or were counted toward open ones; both 0 if nothing was left to do. */
interface ReleaseOutcome {
  filed: number;
  joined: number;
}

type ReleaseOptions = DecideOptions & {
  store: Store;
  permalink: (channel: string, ts: string) => string;
};

/**
 * *File all*, or the problems that a person chose, each identified by the `ts` of one of its messages. Budget and
 * pause do not apply. Each problem becomes one issue in the thread of its oldest message, or counts toward the open
 * one; repeating it changes nothing. Recovered ones are filed only if chosen.
 *
 * @param pressedTs when *File all* was pressed, by Slack's clock: anything posted since stays on hold
 */
export function fileHeld(
  hold: Hold,
  which: 'all' | readonly string[],
  by: string,
  options: ReleaseOptions,
  pressedTs: string | null = null,
): Promise<ReleaseOutcome> {
  return options.store.transaction((tx) =>
    release(tx, hold, which, { by, pressedTs, reason: 'held_then_filed' }, options),
  );
}

/** The same within a transaction. */
export async function release(
  tx: Aggregates,
  hold: Hold,
  which: 'all' | readonly string[],
  act: { by: string; pressedTs: string | null; reason: 'held_then_filed' | 'plan_ended' },
  options: Omit<ReleaseOptions, 'store'>,
): Promise<ReleaseOutcome> {
  const released: ReleaseOutcome = { filed: 0, joined: 0 };
  for (const [identity, found] of await toRelease(tx, hold, which, act.pressedTs)) {
    const rows = await placed(tx, hold.id, found);
    const open = await tx.issues.openByIdentity(identity);
    if (open) {
      await join(tx, open.id, rows, rows, 'held_then_joined', options);
      released.joined += 1;
    } else {
      await file(tx, rows, act, options);
      released.filed += 1;
    }
  }
  await closeIfDone(tx, hold.id);
  return released;
}

/**
 * *Dismiss*: nothing is filed, and the message says who decided. Returns how many messages were on hold.
 *
 * @param pressedTs when it was pressed, by Slack's clock: anything posted since stays on hold
 */
export function dismissHeld(
  hold: Hold,
  by: string,
  { store, clock }: Pick<ReleaseOptions, 'store' | 'clock'>,
  pressedTs: string | null = null,
): Promise<number> {
  return store.transaction(async (tx) => {
    const undecided = (await tx.alerts.inHold(hold.id)).filter(
      (row) => row.outcome === null && wasThere(row, pressedTs),
    );
    if (undecided.length === 0) return 0;
    await tx.alerts.settleAll(idsOf(undecided), {
      outcome: 'dismissed',
      decision: 'held',
      reason: storedReason('held_then_dismissed'),
      issueId: null,
    });
    await tx.holds.dismissed(hold.id, by);
    await signAgain(tx, undecided);
    await tx.audit.add({
      at: clock.now(),
      who: by,
      what: `dismissed ${undecided.length} held messages in ${hold.channel}`,
      issueId: null,
    });
    await closeIfDone(tx, hold.id);
    return undecided.length;
  });
}

/**
 * An issue was opened for a held alert (🔍 on one of its messages, or in another channel): its other messages count
 * toward it.
 */
export async function joinOpened(tx: Aggregates, clock: ReleaseOptions['clock']): Promise<void> {
  for (const { hold, identity, issue } of await tx.alerts.heldWithIssue()) {
    const undecided = (await tx.alerts.inHold(hold)).filter(
      (row) => row.identity === identity && row.outcome === null,
    );
    const rows = await placed(tx, hold, undecided);
    await join(tx, issue, rows, rows, 'held_then_opened', { clock });
    await tx.outbox.again(heldKey(hold));
  }
}

/** The messages to release, by their current identity: they may have been split or attached since. */
async function toRelease(
  tx: Aggregates,
  hold: Hold,
  which: 'all' | readonly string[],
  pressedTs: string | null,
): Promise<Map<string, AlertRow[]>> {
  const all = (await tx.alerts.inHold(hold.id)).filter((row) => wasThere(row, pressedTs));
  const chosen = which === 'all' ? null : new Set(which);
  const named = new Set(all.filter(({ ts }) => chosen?.has(ts)).map(({ identity }) => identity));
  const groups = new Map<string, AlertRow[]>();
  const counted = new Map<string, string>();
  for (const row of all) {
    const mayBe = row.outcome === null || (chosen !== null && row.outcome === 'recovered');
    if (row.identity === null || !mayBe || (chosen !== null && !named.has(row.identity))) continue;
    const key = `${row.identity} ${row.detail ?? ''}`;
    const identity = counted.get(key) ?? (await tx.identityOverrides.resolve(row.identity, row.detail ?? ''));
    counted.set(key, identity);
    const group = groups.get(identity);
    if (group) group.push(row);
    else groups.set(identity, [row]);
  }
  return groups;
}

const Posted = z.array(z.looseObject({ ts: z.string() }));

/** Alerts without a message of their own belong to the thread of the message that lists them. */
async function placed(tx: Aggregates, hold: string, rows: AlertRow[]): Promise<AlertRow[]> {
  if (rows.every(({ ts }) => getsMessage(ts))) return rows;
  const listed = await tx.outbox.get(heldKey(hold));
  const threadTs = (listed === null ? null : decodeStored(Posted, listed.sent))?.[0]?.ts ?? null;
  return Promise.all(
    rows.map(async (row) => {
      if (getsMessage(row.ts)) return row;
      await tx.alerts.moveToThread(row.id, threadTs);
      return { ...row, threadTs };
    }),
  );
}

/** One issue in the thread of the oldest message; the others are its repeats. */
async function file(
  tx: Aggregates,
  rows: AlertRow[],
  { by, reason }: { by: string; reason: 'held_then_filed' | 'plan_ended' },
  options: Omit<ReleaseOptions, 'store'>,
): Promise<void> {
  const [root, ...others] = rows;
  if (root === undefined) return;
  const { channel, ts } = root;
  const now = options.clock.now();
  const link = options.permalink(channel, hasMessage(ts) ? ts : (root.threadTs ?? ts));
  const seen = seenOfRow(root, awaitsMessage(ts) ? null : link);
  const { settings } = await tx.channels.get(channel);
  const problem = await alertIdentity(tx, seen.alert, settings, options.defaultEnvironment);
  // Filed once before, edited since, and held then: that issue's id is taken.
  const taken = (await tx.issues.get(issueIdOf(channel, ts))) !== null;
  const toFile = {
    ...seen,
    problem,
    requestedBy: null,
    eyes: false,
    ...(taken ? { again: String(now) } : {}),
  };
  const issueId = await fileAlert(tx, toFile, settings, options);
  await tx.alerts.settleAll([root.id], {
    outcome: 'filed',
    decision: 'filed',
    reason: storedReason(reason),
    issueId,
  });
  const hasRecovered = rows.every(({ outcome }) => outcome === 'recovered');
  await signFiled(tx, root, issueId);
  const what = reason === 'plan_ended' ? 'planned the work that it fired in' : 'filed it';
  await tx.issues.apply(issueId, transitions.releaseFromHold({ by, at: now }, hasRecovered, what));
  await tx.audit.add({
    at: now,
    who: by,
    what: what === 'filed it' ? 'filed it from the held alerts' : what,
    issueId,
  });
  await join(tx, issueId, others, rows, 'held_then_joined', options);
}

/** Counts several messages toward an issue at once. The issue's own recovery is newer than they are. */
async function join(
  tx: Aggregates,
  issueId: string,
  repeats: AlertRow[],
  all: AlertRow[],
  reason: Reason,
  { clock }: Pick<ReleaseOptions, 'clock'>,
): Promise<void> {
  const [oldest] = all;
  const newest = repeats.at(-1);
  const issue = await tx.issues.get(issueId);
  if (!issue || !oldest || !newest) return;
  await tx.alerts.settleAll(idsOf(repeats), {
    outcome: 'joined',
    decision: 'repeat',
    reason: storedReason(reason),
    issueId,
  });
  await signAgain(tx, repeats);
  const held = { repeats: repeats.length, lastAt: newest.decidedAt };
  await tx.issues.apply(issueId, transitions.countHeld(issue, held));
  const { settings } = await tx.channels.get(oldest.channel);
  const severity = repeats
    .map((row) => severityOf(alertOf(row), settings))
    .reduce((worst, one) => (isMoreSevere(one, worst) ? one : worst));
  await raiseSeverity(tx, issue, { severity });
  await wantShortCard(tx, { ...oldest, threadTs: oldest.threadTs }, issue, clock.now());
  await tx.outbox.refreshCards(issueId);
}

async function closeIfDone(tx: Aggregates, hold: string): Promise<void> {
  if (!(await tx.alerts.hasUndecided(hold))) await tx.holds.become(hold, 'closed');
  await tx.outbox.again(heldKey(hold));
}

/** Whether a message was posted before somebody pressed the button; it may still be handled before that. */
function wasThere({ ts }: AlertRow, pressedTs: string | null): boolean {
  return pressedTs === null || compareTs(ts, pressedTs) < 0;
}

function idsOf(rows: readonly AlertRow[]): string[] {
  return rows.map(({ id }) => id);
}

/** An alert in a held batch with all its messages: still waiting, or with an outcome. */
export interface HeldAlertGroup {
  state: 'waiting' | Outcome;
  /** Its newest message. */
  alert: Alert;
  sender: string | null;
  /** The first message's `ts`, which identifies the group within its channel. */
  first: string;
  messages: number;
  /** The id of its issue; `null` if it has none. */
  issueId: string | null;
}

type Counts = Awaited<ReturnType<Aggregates['alerts']['countsInHold']>>[number];

/** By precedence: the first one found is the group's outcome if its messages ended differently. */
const ways: readonly (Outcome | null)[] = [null, 'filed', 'joined', 'dismissed', 'recovered'];

/** The alerts in a held batch, most recent first. Each is listed once, so that the counts add up. */
export async function heldAlertGroups(
  { alerts }: Pick<Aggregates, 'alerts'>,
  hold: string,
): Promise<HeldAlertGroup[]> {
  const byIdentity = Map.groupBy(await alerts.countsInHold(hold), ({ identity }) => identity);
  const newest = await alerts.newestInHold(hold);
  return newest.map((row) => {
    const counts = byIdentity.get(row.identity) ?? [];
    const way = decisive(counts);
    return {
      state: way?.outcome ?? 'waiting',
      alert: alertOf(row),
      sender: row.sender,
      first: counts.reduce((first, one) => (one.first < first ? one.first : first), row.ts),
      messages: counts.reduce((sum, one) => sum + Number(one.messages), 0),
      issueId: way?.issueId ?? null,
    };
  });
}

function decisive(counts: Counts[]): Counts | undefined {
  return counts.toSorted(
    (a, b) => ways.indexOf(a.outcome) - ways.indexOf(b.outcome) || (a.last < b.last ? 1 : -1),
  )[0];
}
