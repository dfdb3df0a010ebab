import type { State } from '../../state.ts';
import {
  ABOVE,
  BELOW,
  CEILING,
  FELL,
  FLOOR,
  FROM_TO,
  FULLNESS,
  HELD_AGAINST,
  HIGH_IS_BAD,
  LESS_OF,
  LIMIT,
  LOW_IS_BAD,
  SHARE,
  SHARE_USED,
  SHARE_WELL,
} from './vocabulary/metrics.ts';

/** The state of a value above or below its limit; which side is bad depends on the metric. */
export function thresholdState(line: string): State | null {
  const above = ABOVE.exec(line);
  const below = BELOW.exec(line);
  const held = [above, below].find((found) => found && LIMIT.test(line.slice(found.index + found[0].length)));
  if (
    !held ||
    EXPECTED.test(line.slice(0, held.index)) ||
    /\b(?:for|the last|last) $/iu.test(line.slice(0, held.index))
  )
    return null;
  if (/\bback(?: \w+)? $/iu.test(line.slice(0, held.index))) return 'resolved';
  const limit = line.slice(held.index, held.index + 60);
  if (held === above) return lessIsWorse(line) && !CEILING.test(limit) ? 'resolved' : 'firing';
  if (FLOOR.test(limit) || lessIsWorse(line)) return 'firing';
  return CEILING.test(limit) || HIGH_IS_BAD.test(line) || !FELL.test(line) ? 'resolved' : 'firing';
}

/** The state of a value followed by its limit: `41.2 °C (limit 35 °C)`, `4h 12m, objective 15m`. */
export function limitState(line: string): State | null {
  const found = HELD_AGAINST.exec(line);
  if (!found) return null;
  const before = line.slice(Math.max(0, found.index - 120), found.index);
  const limit = quantitiesIn(
    line.slice(found.index + found[0].length - 1, found.index + found[0].length + 30),
  )[0];
  const value = quantitiesIn(before).at(-1);
  if (limit === undefined || value === undefined) return null;
  if (FELL.test(before) && !HIGH_IS_BAD.test(before)) return 'firing';
  const least = FLOOR.test(found[0]) || /above|over|at least|more/iu.test(found[0]) || lessIsWorse(before);
  return (least ? value >= limit : value <= limit) ? 'resolved' : 'firing';
}

/** A change from one value to another: `jumped from 40 ms to 912 ms`. */
export function changeState(line: string): State | null {
  const [, from = '', to = ''] = FROM_TO.exec(line) ?? [];
  const before = quantitiesIn(from)[0];
  const now = quantitiesIn(to)[0];
  if (before === undefined || now === undefined || before === now) return null;
  return now > before === lessIsWorse(line) ? 'resolved' : 'firing';
}

const EXPECTED = /\b(?:expected|should be|must be|target|normally|usually|wanted|want)(?: to be)? $/iu;

/** A share: `5 of 6 upstreams unreachable`, `50/50 seats taken`, `0 of 4 disks missing`. */
export function shareState(line: string): State | null {
  const [, some, all, state = ''] = SHARE.exec(line) ?? [];
  if (some === undefined || all === undefined) return null;
  const [part, whole] = [Number(some.replaceAll(',', '')), Number(all.replaceAll(',', ''))];
  if (SHARE_USED.test(state)) return part >= whole * 0.9 ? 'firing' : 'resolved';
  if (SHARE_WELL.test(state)) return part < whole ? 'firing' : 'resolved';
  return part > 0 ? 'firing' : 'resolved';
}

/** How full something is: `96 % used`, `usage of db-3 is 97%`. */
export function fullnessState(line: string): State | null {
  const [, before, behind] = FULLNESS.exec(line) ?? [];
  const percent = before ?? behind;
  if (percent === undefined || /\bfree\b/iu.test(line)) return null;
  return Number(percent) >= 75 ? 'firing' : 'resolved';
}

const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };
const TIMES: Readonly<Record<string, number>> = { k: 1_000, M: 1_000_000, G: 1_000_000_000 };
const QUANTITY =
  /(?<![\p{L}\d_.-])[$€£]?(\d[\d,]*(?:\.\d+)?) ?(ms|[smhdkMG]|(?:sec|min|hour|day)[a-z]{0,5})?(?![\p{L}\d])(?: (\d{1,2}) ?([ms])(?![\p{L}]))?/gu;

/** Every number in a text; durations in seconds. */
function quantitiesIn(text: string): number[] {
  return [...text.matchAll(QUANTITY)].map(([, digits = '', unit = '', more, less = '']) => {
    const value = Number(digits.replaceAll(',', ''));
    const scale = TIMES[unit] ?? SECONDS[unit === 'ms' ? unit : unit.charAt(0)] ?? 1;
    return value * scale + Number(more ?? 0) * (SECONDS[less] ?? 0);
  });
}

function lessIsWorse(line: string): boolean {
  return LOW_IS_BAD.test(line) || (LESS_OF.test(line) && !HIGH_IS_BAD.test(line));
}
