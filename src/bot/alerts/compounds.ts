import { isFieldName, normalizedName, wordsOfKey } from './facts.ts';
import type { State } from './state.ts';
import { ALERT_FIELDS, STATE_NAMES } from './vocabulary.ts';
import { sentenceState, stateNamed, withoutMarkers } from './wording.ts';

/** Identifiers of several words: `OSD_DOWN`, `chassisFanFailure`. */
const COMPOUND =
  /(?<![\p{L}\d_./:-])(?:\p{Lu}[\p{Lu}\d]{0,40}(?:_[\p{Lu}\d]{1,40}){1,8}|\p{L}[\p{Ll}\d]{1,40}(?:\p{Lu}[\p{Ll}\d]{1,40}){1,8})(?![\p{L}\d_/-]|\.\p{L})/gu;
const LEADING = new RegExp(
  `^(?:\\W{0,4}\\[\\p{L}{1,12}\\])?\\W{0,4}(${COMPOUND.source})(:?)(?=\\s|$)\\s*(.*)$`,
  'u',
);

/** The state that an identifier says, where no word does. */
export function compoundState(line: string): State | null {
  const states = [...line.matchAll(COMPOUND)].map(([name]) => {
    const state = stateNamed(name);
    return state ?? sentenceState(wordsOfKey(name))?.state ?? null;
  });
  return states.find((state) => state === 'firing' || state === 'resolved') ?? null;
}

/** An identifier without its ending of a recovery, or of a grade: `chassisFanFailureCleared`, `CLUSTER_WARN`. */
export function withoutEnding(name: string): string {
  const [, camel, last = ''] =
    /^(\p{L}[\p{Ll}\d]{1,40}(?:\p{Lu}[\p{Ll}\d]{1,40}){1,8})(\p{Lu}\p{Ll}{1,20})$/u.exec(name) ?? [];
  if (camel !== undefined) return stateNamed(last) === 'resolved' ? camel : name;
  const [, snake, grade = ''] = /^(\p{Lu}[\p{Lu}\d_]*)_(\p{Lu}{2,8})$/u.exec(name) ?? [];
  return snake !== undefined && GRADES.has(grade) ? snake : name;
}

const GRADES = new Set(['OK', 'WARN', 'WARNING', 'ERR', 'CRIT', 'CRITICAL', 'CLEARED', 'RESOLVED']);

/**
 * The condition that a line below a heading begins with: `[WRN] OSD_DOWN: 1 osds down`. The label of a field is none.
 */
export function conditionIn(line: string): string | null {
  const [, name = '', colon, said = ''] = LEADING.exec(withoutMarkers(line)) ?? [];
  if (name === '') return null;
  const label = normalizedName(wordsOfKey(name));
  const isField = isFieldName(label) || ALERT_FIELDS.test(label) || STATE_NAMES.test(label);
  // What an error says is the reason of a problem, and may differ each time.
  return isField || /(?:Error|Exception)$/u.test(name) || (colon === ':' && !said.includes(' '))
    ? null
    : withoutEnding(name).toLowerCase();
}
