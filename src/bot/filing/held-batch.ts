import type { Alert } from '../alerts/types.ts';
import type { Outcome } from '../store/alerts.ts';
import type { Aggregates } from '../store/open.ts';
import { alertOf } from './stored-alert.ts';

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
