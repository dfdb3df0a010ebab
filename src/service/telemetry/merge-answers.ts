import { type Answer, known, unknown } from './model.ts';

/** Merges answers: what some sources do not know is a caveat; the result is unknown only if none of them knows. */
export function mergeAnswers<T>(answers: readonly Answer<T[]>[]): Answer<T[]> {
  const reasons = [...new Set(answers.flatMap((answer) => (answer.known ? [] : [answer.reason])))];
  if (answers.length > 0 && !answers.some((answer) => answer.known)) return unknown(reasons.join(' '));
  const caveats = answers.flatMap((answer) => (answer.known ? answer.caveats : []));
  return known(
    answers.flatMap((answer) => (answer.known ? answer.value : [])),
    [...new Set([...reasons, ...caveats])],
  );
}
