import type { Ledger } from '../ledger.ts';
import type { Difference, Judge } from './difference.ts';

/** Each tick is there, and none that nobody made. */
export const judgeTicks: Judge = ({ ticks }, { ticked }) => {
  const there = new Set(ticks.map(({ issue_id, step }) => `${step} of ${issue_id}`));
  const made = new Set(ticked.map(({ value }) => stepOf(value)));
  return [
    ...ticked
      .filter(({ value, certainty }) => certainty === 'once' && !there.has(stepOf(value)))
      .map(({ value, at }) => ({ at, what: `the tick ${value} was lost` })),
    ...[...there].filter((step) => !made.has(step)).map((step) => ({ what: `nobody ticked ${step}` })),
  ];
};

/** A button says `<version>.<step>:<issue>`. */
function stepOf(value: string): string {
  const [step = '', issue = ''] = value.split(':');
  return `${step.split('.')[1]} of ${issue}`;
}

/** What somebody made of an issue last is what it is, unless its alert was heard of since. */
export const judgeStatuses: Judge = ({ issues }, ledger) =>
  issues.flatMap(({ id, status, title }): Difference[] => {
    const presses = ledger.steered.filter(({ issueId }) => issueId === id);
    const last = presses.at(-1);
    if (ledger.again.some(({ issueId }) => issueId === id)) return [];
    if (last === undefined || last.certainty !== 'once' || isUnsure(title, last.at, ledger)) return [];
    if (status === last.status) return [];
    return [{ at: last.at, what: `issue ${id} (${title}) was made ${last.status}, and is ${status}` }];
  });

/** Its alert was heard of about then or later, or another press may be taken up after the last. */
function isUnsure(title: string, at: number, { problems, steered }: Ledger): boolean {
  const NEAR_MS = 60_000;
  const problem = problems.find(({ name }) => title.includes(name));
  const heard = problem === undefined || problem.edited || problem.said.some((one) => one.at > at - NEAR_MS);
  return heard || steered.filter((one) => Math.abs(one.at - at) < NEAR_MS).length > 1;
}
