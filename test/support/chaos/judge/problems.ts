import type { Ledger, Posted, Problem } from '../ledger.ts';
import type { SystemState } from '../read-state.ts';
import type { Difference, Judge } from './difference.ts';

/** Each alert was decided on; each identity has one issue at most, which counts every firing and knows of its end. */
export const judgeProblems: Judge = (system, { problems }) =>
  // What is said of a deleted issue's alert may be counted for it, or be filed anew.
  problems.flatMap((problem) => (problem.deleted ? [] : ofProblem(problem, system)));

function ofProblem(problem: Problem, system: SystemState): Difference[] {
  const { name, posts: said, edited } = problem;
  const at = said[0]?.at;
  const decided = said.map((one) => ({
    ...one,
    row: system.alerts.find(({ channel, ts }) => channel === one.channel && ts === one.ts),
  }));
  const missing = decided.filter(({ row }) => row === undefined);
  if (missing.length > 0) {
    return missing.map(({ at: then, ts }) => ({
      at: then,
      what: `${name}: the message ${ts} was never decided on`,
    }));
  }
  // What fired anew with another cause is an issue of its own.
  if (decided.some(({ row }) => row?.reason === 'another_cause')) return [];
  const firings = decided.filter(({ kind }) => kind === 'fires');
  const counted = (decision: string) => firings.filter(({ row }) => row?.decision === decision).length;
  const [filed, repeats, held] = [counted('filed'), counted('repeat'), counted('held')];
  const issues = system.issuesAtService.filter(({ title }) => title.includes(name));
  const [issue] = issues;
  const wrong: Difference[] = [];
  const say = (what: string) => wrong.push({ at, what: `${name}: ${what} (${decisions(decided)})` });

  const mayHaveNone = edited || held > 0 || firings.some(({ row }) => row?.decision === 'ignored');
  if (issues.length > 1) say(`it has ${issues.length} issues: ${issues.map(({ number }) => number)}`);
  if (issue === undefined && (!mayHaveNone || filed > 0)) say('it has no issue');
  if (issue === undefined) return wrong;
  const row = system.issues.find(({ uuid }) => uuid === issue.uuid);
  if (row === undefined) return wrong;
  if (!edited && filed !== 1) say(`${filed} of its messages were filed`);
  if (!edited && row.repeats !== repeats) say(`it counts ${row.repeats} repeats of ${repeats}`);
  if (!edited && held === 0 && !mayHaveNone && firings.length !== repeats + 1)
    say(`of ${firings.length} firings ${repeats + 1} were taken`);
  const isOver = edited || said.at(-1)?.kind === 'recovers';
  // Channels are read one after the other, so only within one does the order count.
  const inOne = new Set(said.map(({ channel }) => channel)).size === 1 && !mayHaveNone;
  // A recovery that is heard of once somebody has resolved the issue finds none that is open.
  const decidedAt = decided.at(-1)?.row?.decided_at ?? 0;
  const isResolved = system.audit.some(
    ({ issue_id, what, at: then }) => issue_id === row.id && what === 'resolved it' && then <= decidedAt,
  );
  if (inOne && !isResolved && isOver !== (row.recovered_at !== null))
    say(
      isOver ? 'it recovered, and the issue does not know' : 'it fires, and the issue says that it recovered',
    );
  return wrong;
}

function decisions(of: readonly (Posted & { row: SystemState['alerts'][number] | undefined })[]): string {
  return of
    .map(({ kind, ts, row }) => `${ts} ${kind}: ${row?.decision}, ${row?.reason}, at ${row?.decided_at}`)
    .join('; ');
}

/** What a person wanted investigated is investigated once, and nothing that nobody wanted. */
export const judgeWanted: Judge = (system, ledger) => [
  ...ledger.wanted.flatMap(({ word, certainty, at }) => {
    const issues = system.issuesAtService.filter(({ title }) => title.includes(word));
    const count = issues.length;
    const right = count === 1 || (certainty === 'at most once' && count === 0);
    const which = issues.map(({ uuid, title }) => {
      const { id, state, created_at } = system.issues.find((one) => one.uuid === uuid) ?? {};
      return `${id} (${title}), ${state}, of ${created_at}`;
    });
    const what = `what was wanted of ${word} (${certainty}) has ${count} issues: ${which.join('; ')}`;
    return right ? [] : [{ at, what }];
  }),
  ...unwanted(system, ledger),
];

function unwanted({ issuesAtService }: SystemState, { problems, wanted }: Ledger): Difference[] {
  const words = [...problems.map(({ name }) => name), ...wanted.map(({ word }) => word)];
  return issuesAtService
    .filter(({ title }) => !words.some((word) => title.includes(word)))
    .map(({ number, title }) => ({ what: `nobody wanted #${number} (${title})` }));
}
