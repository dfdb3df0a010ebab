import { type Case, NOT_PLACED, type Placed } from '../case.ts';
import { SHORT_MS, YOUNG_MS } from '../place/locate.ts';
import { isFelt, placeByPast } from '../place/past.ts';
import { isAnythingWrong, placeByPresent } from '../place/present.ts';

/**
 * Where the problem is: the newest samples decide on what is young, or where there is too little of a past to know what
 * is usual; else the past does.
 */
export function place(c: Case): Case {
  // No way leads from what telemetry does not know to what it shows.
  return c.subject.unknown === null ? { ...c, placed: placed(c) } : c;
}

function placed(c: Case): Placed {
  const { present, view } = c;
  if (present === null) return placeByPast(c);
  const { trigger } = view;
  const now = placeByPresent(c, present);
  if (trigger - present.since < SHORT_MS) return now ?? NOT_PLACED;
  const isYoung = now !== null && trigger - now.incident.primary.onset <= YOUNG_MS;
  if (isYoung && now.isConnected) return now;
  const past = placeByPast(c);
  if (past.incident !== null && (isFelt(past.incident) || isAnythingWrong(present, trigger))) return past;
  return isYoung ? now : NOT_PLACED;
}
