import { CHANGED, withoutTimes } from '../moment.ts';

/** What a question compares something with: `over 80 %`, `fewer than 2`. */
export interface Condition {
  comparison: 'over' | 'under';
  value: number;
  /** As of a signal: `1` of a share, `s`, `By`; empty for a number without a unit. */
  unit: '1' | 's' | 'By' | '';
}

const KILO = 1024;
const UNITS: readonly (readonly [RegExp, Condition['unit'], number])[] = [
  [/^(?:%|percent)/iu, '1', 0.01],
  [/^m(?:illi)?s/iu, 's', 0.001],
  [/^k(?:i?b)?$/iu, 'By', KILO],
  [/^m(?:i?b)$/iu, 'By', KILO ** 2],
  [/^g(?:i?b)?$/iu, 'By', KILO ** 3],
  [/^t(?:i?b)?$/iu, 'By', KILO ** 4],
  [/^d/iu, 's', 86_400],
  [/^h/iu, 's', 3_600],
  [/^m/iu, 's', 60],
  [/^s/iu, 's', 1],
];
const COMPARED =
  /\b(over|above|exceed(?:s|ing)?|under|below|at least|at most|(?:more|less|fewer|longer|shorter|higher|lower|larger|smaller|fuller|slower|older|greater) than)\s+(?!\S+ ?\w* ?(?:ago|back|earlier)\b|\d+(?::\d\d| ?[ap]m\b| ?utc\b))(\d+(?:[.,]\d+)?)\s*(%|percent|m(?:illi)?s(?:econds?)?\b|s(?:ec(?:ond)?s?)?\b|min(?:ute)?s?\b|h(?:ours?)?\b|d(?:ays?)?\b|[kmgt]i?b\b|[gt]\b)?/iu;
const UNDER = /^(?:under|below|at most|less|fewer|shorter|lower|smaller)/iu;

/** The comparison in a question; `over 24 hours` and `2 hours ago` are times, and none. */
export function conditionIn(question: string): Condition | null {
  const [, words = '', digits = '', unit] = COMPARED.exec(question) ?? [];
  if (digits === '') return null;
  if (/^(?:over|under)$/iu.test(words) && /^(?:min|h|d)/iu.test(unit ?? '')) return null;
  const known = UNITS.find(([own]) => unit !== undefined && own.test(unit));
  return {
    comparison: UNDER.test(words) ? 'under' : 'over',
    value: Number(digits.replace(',', '.')) * (known?.[2] ?? 1),
    unit: known?.[1] ?? '',
  };
}

/** The question without it: what it is compared with is no word for what is asked; that it is a share is. */
export function withoutCondition(question: string): string {
  return question.replace(COMPARED, conditionIn(question)?.unit === '1' ? '%' : '');
}

/** A question without what it compares with, when, and how that should be: no metric has words for it. */
export function askedOf(question: string): string {
  return withoutTimes(withoutCondition(question).replace(CHANGED, ' ')).replaceAll(
    /\b(?:ok|okay|fine|good|normal|still)\b/giu,
    ' ',
  );
}

/** Whether a value is so; `null` where the two are not comparable. */
export function meets(
  value: number,
  unit: string,
  { comparison, value: limit, unit: of }: Condition,
): boolean | null {
  const isLike = of === '' ? unit !== '1' : unit === of || (of === 's' && unit === 'ms');
  if (!isLike) return null;
  const own = unit === 'ms' && of === 's' ? value / 1000 : value;
  return comparison === 'over' ? own > limit : own < limit;
}
