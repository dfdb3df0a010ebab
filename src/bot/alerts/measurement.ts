import type { State } from './state.ts';
import { oneOf, words } from './vocabulary.ts';

/** Metrics for which lower is worse. */
const LOW_IS_BAD = words(oneOf('less is worse'));
/** The same, unless a metric for which higher is worse is named too. */
const LESS_OF = words(oneOf('less is worse, mostly'));
/** Metrics for which higher is worse. */
const HIGH_IS_BAD = words(oneOf('more is worse'));
const ABOVE =
  /\b(?:above|over|exceed(?:s|ed|ing)?|greater than|more than|higher than|beyond|surpass(?:es|ed)|breach(?:es|ed)|cross(?:es|ed)|past|reached|reaches|topped|outside)\b|(?<![-=<>|\w])>=?(?=\s?[$€£\d])/iu;
const BELOW =
  /\b(?:below|under|beneath|less than|fewer than|lower than|short of)\b|(?<![-=<>|\w])<=?(?=\s?[$€£\d])/iu;
/** The limit right after `above` or `below`. */
const LIMIT =
  /^(?: (?:its|their|the|a|an|our|of|configured|allowed|warning|critical|upper|lower|maximum|minimum|max|min|normal|expected|alert|safe|hard|soft|daily|monthly|acceptable|agreed)){0,4} ?(?:[$€£~]?\d|thresholds?|limits?|quota|slo|sla|budget|maximum|minimum|max|min|baseline|target|capacity|range|normal|average|expect\w+|bounds|band|setpoint|objective)/iu;
/** Names of a limit that is a minimum. */
const FLOOR = /\b(?:minimum|min|floor|lower|quorum)\b/iu;
/** `(limit 35 °C)`, `threshold: 5/min`, `SLA 24h`: up to the number that the value before it is compared with. */
const HELD_AGAINST =
  /(?<![/\w-])(?<!\d )(?:limit|threshold|max|maximum|min|minimum|allowed|sla|slo|expected|baseline|objective|normal(?:ly)?|warn(?:ing)? at|alert at|critical at|target|usual(?:ly)?|typical(?:ly)?|avg|average|should be|norm|setpoint|at most|at least)\b[^\d\n]{0,14}?[$€£]?\d/iu;
/** `5 of 6 upstreams unreachable`: how many, of how many, and in what state. */
const SHARE =
  /(?<![\w.,/-])(\d[\d,]{0,8}) ?(?:of|\/|out of|von|sur|de) ?(?:the )?(\d[\d,]{0,8})(?![\d.%]) (?:[\w-]{1,24} ){0,3}?(?:are |is |were )?(taken|used|in use|busy|occupied|allocated|consumed|full|queued|failed|down|unreachable|unavailable|unhealthy|missing|failing|offline|degraded|bad|lost|dead|stuck|late|unresponsive|critical|red|erroring|timed out|available|healthy|up|reachable|ready|online|ok|running|alive|responding|passing|in sync|live|working|connected|free)\b/iu;
const SHARE_USED = /^(?:taken|used|in use|busy|occupied|allocated|consumed|full|queued)$/iu;
const SHARE_WELL =
  /^(?:available|healthy|up|reachable|ready|online|ok|running|alive|responding|passing|in sync|live|working|connected|free)$/iu;
const FULLNESS =
  /(?<![\d.])(\d{1,3}(?:\.\d+)?) ?% (?:used|full|utili[sz]ed|consumed|occupied|in use|saturated)|\b(?:usage|utili[sz]ation|saturation|occupancy|consumption|full|used)\b[^\d%\n]{0,50}?(?:[a-z][\w.]*-?\d[^\d%\n]{0,20})?(?<![\w.-])(\d{1,3}(?:\.\d+)?) ?%/iu;
const FELL = /\b(?:dropped|drops|fell|falls|fallen|sank|plunged|declined|decreased|down to)\b/iu;
const EXPECTED = /\b(?:expected|should be|must be|target|normally|usually|wanted|want)(?: to be)? $/iu;
const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };
const TIMES: Readonly<Record<string, number>> = { k: 1_000, M: 1_000_000, G: 1_000_000_000 };
const QUANTITY =
  /(?<![\p{L}\d_.-])[$€£]?(\d[\d,]*(?:\.\d+)?) ?(ms|[smhdkMG]|(?:sec|min|hour|day)[a-z]{0,5})?(?![\p{L}\d])(?: (\d{1,2}) ?([ms])(?![\p{L}]))?/gu;

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
  const limit = line.slice(held.index, held.index + 60);
  const isBad =
    held === above
      ? !lessIsWorse(line)
      : FLOOR.test(limit) || lessIsWorse(line) || (FELL.test(line) && !HIGH_IS_BAD.test(line));
  if (isBad) return 'firing';
  // A comparison with no value is the rule's own, which its alert and its recovery share.
  return /^[<>]/u.test(held[0]) && !VALUE_BEFORE.test(line.slice(0, held.index)) ? null : 'resolved';
}

/** A measured value right before its comparison: `41% (<90%)`. */
const VALUE_BEFORE = /\d[\d.,]*\s?\S{0,8}\s?\(?$/u;

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

/** A share: `5 of 6 upstreams unreachable`, `50/50 seats taken`, `0 of 4 disks missing`. */
export function shareState(line: string): State | null {
  const [, some, all, state = ''] = SHARE.exec(line) ?? [];
  if (some === undefined || all === undefined) return null;
  const [part, whole] = [Number(some.replaceAll(',', '')), Number(all.replaceAll(',', ''))];
  if (SHARE_USED.test(state)) return part >= whole * 0.9 ? 'firing' : 'resolved';
  if (SHARE_WELL.test(state)) return part < whole ? 'firing' : 'resolved';
  return part > 0 ? 'firing' : 'resolved';
}

/** Whether something is said to be so full that it is a problem: `96 % used`. What is less full may be one too. */
export function isFull(line: string): boolean {
  const [, before, behind] = FULLNESS.exec(line) ?? [];
  return Number(before ?? behind ?? 0) >= 75 && !/\bfree\b/iu.test(line);
}

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
