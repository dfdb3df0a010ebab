import type { State } from '../../state.ts';
import { changeState, fullnessState, limitState, shareState, thresholdState } from './thresholds.ts';
import { all } from './vocabulary/expression.ts';
import { FAILING_FOREIGN, RECOVERED_FOREIGN } from './vocabulary/other-languages.ts';
import { FAILING, INCIDENT, NO_LONGER_BAD, NOT_GOOD, NOTHING, PAST } from './vocabulary/problem.ts';
import {
  FIRING_AGAIN,
  HEALTHY,
  NOT_RECOVERED_YET,
  PREVIOUSLY_RECOVERED,
  RECOVERED,
} from './vocabulary/recovery.ts';

const EACH_NOT_GOOD = all(NOT_GOOD);
const EACH_NO_LONGER_BAD = all(NO_LONGER_BAD);
const EACH_NOT_YET = all(NOT_RECOVERED_YET);
const EACH_PAST = all(PAST);

/** `NullPointerException in cart: …`, and similar output of programs. */
const THROWN =
  /^\W*(?:(?:[Uu]ncaught|[Uu]nhandled|[Ff]atal|[Nn]ew) )?[\w.$]{0,80}(?:[Ee]xception|EXCEPTION|[Ee]rror|ERROR|[Pp]anic)(?: (?:in|at|on) \S{1,60})? ?:|^\W*[A-Z][\w.$]{1,80}(?:Exception|Error|Fault|Rejection)\b/u;

/** The state in the wording of a line, and its weight; `null` if there is none. */
export function sentenceState(line: string): { state: State; weight: number } | null {
  const words = line
    .toLowerCase()
    .replace(NOTHING, ' ')
    .replace(EACH_NOT_GOOD, ' is failing ')
    .replace(EACH_NO_LONGER_BAD, ' has recovered ')
    .replace(EACH_NOT_YET, ' ');
  if (THROWN.test(line)) return { state: 'firing', weight: 4 };
  const shared = shareState(words);
  if (shared) return { state: shared, weight: 4 };
  if (FIRING_AGAIN.test(words)) return { state: 'firing', weight: 4 };
  const over = RECOVERED.exec(words);
  if (over) return endOr(words, over.index);
  const crossed = thresholdState(words);
  if (RECOVERED_FOREIGN.test(words)) return { state: 'resolved', weight: 4 };
  if (crossed === 'resolved') return { state: 'resolved', weight: 3 };
  if (FAILING.test(words.replace(EACH_PAST, ' ')) || FAILING_FOREIGN.test(words))
    return { state: 'firing', weight: 4 };
  if (crossed) return { state: crossed, weight: 3 };
  const reading = limitState(words);
  if (reading) return { state: reading, weight: 3 };
  const change = changeState(words);
  if (change) return { state: change, weight: 3 };
  const full = fullnessState(words);
  if (full) return { state: full, weight: 2 };
  return HEALTHY.test(words) ? { state: 'resolved', weight: 2 } : null;
}

// "Problem resolved" and "was down, is up" are over; "firing, was resolved" is on.
function endOr(words: string, over: number): { state: State; weight: number } {
  const was = PREVIOUSLY_RECOVERED.exec(words);
  const on = words.replace(EACH_PAST, ' ').search(FAILING);
  const still = was !== null && on >= 0 && on < over && !INCIDENT.test(words);
  return { state: still ? 'firing' : 'resolved', weight: 4 };
}
