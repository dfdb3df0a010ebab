import type { State } from '../../state.ts';
import { crossing, fullness, measured, moved, share } from './thresholds.ts';
import { NOT_YET, ON_AGAIN, OVER, WAS_OVER, WELL_NOW } from './vocabulary/recovery.ts';
import { all } from './vocabulary/expression.ts';
import { ON_FOREIGN, OVER_FOREIGN } from './vocabulary/other-languages.ts';
import { INCIDENT, NO_LONGER_BAD, NOT_GOOD, NOTHING, ON, PAST } from './vocabulary/problem.ts';

const EACH_NOT_GOOD = all(NOT_GOOD);
const EACH_NO_LONGER_BAD = all(NO_LONGER_BAD);
const EACH_NOT_YET = all(NOT_YET);
const EACH_PAST = all(PAST);

/** `NullPointerException in cart: …`, and the like of programs' own words. */
const THROWN =
  /^\W*(?:(?:[Uu]ncaught|[Uu]nhandled|[Ff]atal|[Nn]ew) )?[\w.$]{0,80}(?:[Ee]xception|EXCEPTION|[Ee]rror|ERROR|[Pp]anic)(?: (?:in|at|on) \S{1,60})? ?:|^\W*[A-Z][\w.$]{1,80}(?:Exception|Error|Fault|Rejection)\b/u;

/** What the words of one line say, and how much that weighs; `null` where they do not tell. */
export function sentenceOf(line: string): { state: State; weight: number } | null {
  const words = line
    .toLowerCase()
    .replace(NOTHING, ' ')
    .replace(EACH_NOT_GOOD, ' is failing ')
    .replace(EACH_NO_LONGER_BAD, ' has recovered ')
    .replace(EACH_NOT_YET, ' ');
  if (THROWN.test(line)) return { state: 'firing', weight: 4 };
  const shared = share(words);
  if (shared) return { state: shared, weight: 4 };
  if (ON_AGAIN.test(words)) return { state: 'firing', weight: 4 };
  const over = OVER.exec(words);
  if (over) return endOr(words, over.index);
  const crossed = crossing(words);
  if (OVER_FOREIGN.test(words)) return { state: 'resolved', weight: 4 };
  if (crossed === 'resolved') return { state: 'resolved', weight: 3 };
  if (ON.test(words.replace(EACH_PAST, ' ')) || ON_FOREIGN.test(words)) return { state: 'firing', weight: 4 };
  if (crossed) return { state: crossed, weight: 3 };
  const reading = measured(words);
  if (reading) return { state: reading, weight: 3 };
  const change = moved(words);
  if (change) return { state: change, weight: 3 };
  const full = fullness(words);
  if (full) return { state: full, weight: 2 };
  return WELL_NOW.test(words) ? { state: 'resolved', weight: 2 } : null;
}

// "Problem resolved" and "was down, is up" are over; "firing, was resolved" is on.
function endOr(words: string, over: number): { state: State; weight: number } {
  const was = WAS_OVER.exec(words);
  const on = words.replace(EACH_PAST, ' ').search(ON);
  const still = was !== null && on >= 0 && on < over && !INCIDENT.test(words);
  return { state: still ? 'firing' : 'resolved', weight: 4 };
}
