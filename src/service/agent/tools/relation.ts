import { survey } from '../../investigation/anomalies.ts';
import { comparedSince } from '../../investigation/compared.ts';
import type { Facts, IssueScope } from '../types.ts';
import type { Look } from './investigation.ts';

/** Whether a thing has to do with an issue: by what both involve, who calls whom, and when each began. */
export interface Relation {
  number: number | null;
  thing: string;
  /** `apart` only where something was compared that could have shown the opposite. */
  is: 'same' | 'apart' | 'open';
  /** What both involve. */
  shared: string[];
  /** When each began; of the thing `null` where it does not depart. */
  onset: number | null;
  issueOnset: number;
  /** Its series with samples on both sides of the issue's onset, and how many of them moved. */
  compared: { of: number; moved: number };
}

const MINUTE = 60_000;
/** What begins within so long of each other may be the same. */
const TOGETHER = 10 * MINUTE;

export function relationOf(
  thread: IssueScope,
  { look, scope }: { look: Look; scope: IssueScope },
  { fine: view }: Facts,
): Relation | null {
  const thing = look.service;
  if (thing === null || !look.isKnown) return null;
  const own = view.node(thing)?.calls ?? [];
  const shared = thread.services.filter(
    (name) => scope.causes.includes(name) || own.includes(name) || view.node(name)?.calls.includes(thing),
  );
  const seen = survey(view);
  const { of } = comparedSince(thread.onset, thing, { view, survey: seen, present: null });
  const moved = new Set(
    (seen.anomalies.get(thing) ?? [])
      .filter((one) => Math.abs(one.onset - thread.onset) <= TOGETHER)
      .map(({ series }) => series.signal.id),
  ).size;
  const onset = look.primary?.isNeighbor === false ? look.primary.onset : null;
  const isTogether = onset !== null && Math.abs(onset - thread.onset) <= TOGETHER;
  // What did not move then, however it is connected, did not do it.
  const isApart =
    onset === null ? of > 0 && moved === 0 : shared.length === 0 && !isTogether && onset < thread.onset;
  return {
    number: thread.issue.number,
    thing,
    is: shared.length > 0 && isTogether ? 'same' : isApart ? 'apart' : 'open',
    shared,
    onset,
    issueOnset: thread.onset,
    compared: { of, moved },
  };
}
