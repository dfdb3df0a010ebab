import type { Alert } from '../alerts/types.ts';
import type { Outcome } from '../store/alerts.ts';
import type { Aggregates } from '../store/open.ts';
import { alertOf } from './stored-alert.ts';

/** A problem in a hold, with all its messages: it waits, or something became of it. */
export interface HeldAlertGroup {
  state: 'waiting' | Outcome;
  /** Its newest message. */
  alert: Alert;
  sender: string | null;
  /** The first message's `ts`: names the problem within its channel. */
  first: string;
  messages: number;
  /** Our id of the issue that it is in; `null` where it is in none. */
  issueId: string | null;
}

type Counts = Awaited<ReturnType<Aggregates['alerts']['countsInHold']>>[number];

/** What stands first is what a problem is in, where its messages went different ways. */
const ways: readonly (Outcome | null)[] = [null, 'filed', 'joined', 'dismissed', 'recovered'];

/** The problems in a hold, those that fired last first. Each is there once, so that the counts add up. */
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
