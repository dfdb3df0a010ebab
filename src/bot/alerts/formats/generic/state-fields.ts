import { type Fact, normalizedName } from '../../facts.ts';
import { withoutMarkup } from '../../slack-text.ts';
import {
  LOOSE_NAMES,
  NONE_VALUE,
  NOTED_VALUE,
  ON_VALUE,
  OVER_VALUE,
  SOFT_ON_VALUE,
  STATE_NAMES,
} from './vocabulary/values.ts';

/** `noted` is an acknowledgement, a downtime, an update: about an alert, but neither its start nor its end. */
export type Verdict = 'firing' | 'resolved' | 'noted' | 'none';

/** The state in a field or a transition, and its weight. */
interface FieldState {
  verdict: Verdict;
  weight: number;
}

const ARROW = /→|->|=>|➜|⇒|➡/u;
/** `status: resolved` in a sentence, or in brackets. */
const INLINE = /(?:^|[\s(,;[])(?:state|status|result|health)(?:: |=)"?([^",;)\]|]{1,40})/iu;
const CHECKED = /\b(?:probe|synthetic|journey|health ?check|monitor|check|heartbeat)\b/iu;

/** The state in a message's fields, otherwise in a line that reads like a field. */
export function stateFromFields(facts: readonly Fact[], lines: readonly string[]): FieldState | null {
  const fields = facts.filter(({ name }) => STATE_NAMES.test(normalizedName(name)));
  const values = fields.map(({ name, value }) =>
    stateIn(value, LOOSE_NAMES.test(normalizedName(name)), lines),
  );
  const clear = values.find((found) => found !== null && found.verdict !== 'none');
  if (clear) return clear;
  for (const line of lines) {
    const words = INLINE.exec(line)?.[1] ?? (ARROW.test(line) ? line : '');
    const found = words === '' ? null : stateIn(words, false, lines);
    if (found?.verdict === 'firing' || found?.verdict === 'resolved') return found;
  }
  return values.find((found) => found !== null) ?? null;
}

function stateIn(value: string, loose: boolean, lines: readonly string[]): FieldState | null {
  const word = withoutMarkup(value.split(ARROW).at(-1) ?? '')
    .toLowerCase()
    .replace(/^[^\p{L}]+/u, '')
    .replace(/^(?:is |now |alert |alarm |problem |incident )+(?=\w)/u, '');
  if (OVER_VALUE.test(word)) return { verdict: 'resolved', weight: 10 };
  if (ON_VALUE.test(word)) return { verdict: 'firing', weight: 8 };
  if (loose) return null;
  if (SOFT_ON_VALUE.test(word)) return { verdict: 'firing', weight: 4 };
  if (NOTED_VALUE.test(word)) return { verdict: 'noted', weight: 10 };
  if (!NONE_VALUE.test(word)) return null;
  // A check that passes tells of its end; a build that does, of itself.
  return /^(?:pass|succe)/u.test(word) && lines.some((line) => CHECKED.test(line))
    ? { verdict: 'resolved', weight: 4 }
    : { verdict: 'none', weight: 10 };
}
