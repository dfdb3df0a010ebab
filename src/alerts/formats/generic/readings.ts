import type { State } from '../../state.ts';
import {
  ABOVE,
  BELOW,
  CEILING,
  FELL,
  FLOOR,
  HELD_AGAINST,
  HIGH_IS_BAD,
  LESS_OF,
  LIMIT,
  LOW_IS_BAD,
} from './vocabulary/metrics.ts';

/** What a sentence says of a reading and its limit: which side is bad depends on what is measured. */
export function crossing(line: string): State | null {
  const above = ABOVE.exec(line);
  const below = BELOW.exec(line);
  const held = [above, below].find((found) => found && LIMIT.test(line.slice(found.index + found[0].length)));
  if (!held || /\b(?:for|the last|last) $/iu.test(line.slice(0, held.index))) return null;
  if (/\bback(?: \w+)? $/iu.test(line.slice(0, held.index))) return 'resolved';
  const limit = line.slice(held.index, held.index + 60);
  if (held === above) return lessIsWorse(line) && !CEILING.test(limit) ? 'resolved' : 'firing';
  if (FLOOR.test(limit) || lessIsWorse(line)) return 'firing';
  return CEILING.test(limit) || HIGH_IS_BAD.test(line) || !FELL.test(line) ? 'resolved' : 'firing';
}

/** The reading before a stated limit against that limit: `41.2 °C (limit 35 °C)`. */
export function measured(line: string): State | null {
  const found = HELD_AGAINST.exec(line);
  const limit = numberOf(found?.[1]);
  const before = found ? line.slice(Math.max(0, found.index - 120), found.index) : '';
  const value = numberOf(before.match(/(?<![\p{L}\d_.-])[$€£]?\d[\d,]*(?:\.\d+)?/gu)?.at(-1));
  if (limit === null || value === null) return null;
  const over = lessIsWorse(line) ? value >= limit : value <= limit;
  return over ? 'resolved' : 'firing';
}

function lessIsWorse(line: string): boolean {
  return LOW_IS_BAD.test(line) || (LESS_OF.test(line) && !HIGH_IS_BAD.test(line));
}

function numberOf(text: string | undefined): number | null {
  const digits = (text ?? '').replace(/[$€£,]/gu, '');
  return digits === '' ? null : Number(digits);
}
