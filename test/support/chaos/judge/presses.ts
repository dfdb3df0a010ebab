import type { Ledger } from '../ledger.ts';
import type { Difference, Judge } from './difference.ts';

/** Each tick is there that nobody took back, and none that nobody made. */
export const judgeTicks: Judge = ({ ticks, issues }, { ticked, unticked }) => {
  const gone = new Set(issues.filter(({ state }) => state === 'gone').map(({ id }) => id));
  const there = new Set(ticks.map(({ issue_id, step }) => `${step} of ${issue_id}`));
  const made = new Set(ticked.map(({ value }) => stepOf(value)));
  const back = new Set(unticked.map(({ value }) => stepOf(value)));
  const later = (value: string, at: number) =>
    ticked.some((one) => stepOf(one.value) === stepOf(value) && one.at > at - NEAR_MS);
  return [
    ...ticked
      .filter(({ value, certainty }) => certainty === 'once' && !there.has(stepOf(value)))
      .filter(({ value }) => !back.has(stepOf(value)) && !gone.has(issueOf(value)))
      .map(({ value, at }) => ({ at, what: `the tick ${value} was lost` })),
    ...unticked
      .filter(({ value, certainty }) => certainty === 'once' && there.has(stepOf(value)))
      .filter(({ value, at }) => !later(value, at))
      .map(({ value, at }) => ({ at, what: `the tick ${value} was taken back, and is there` })),
    ...[...there].filter((step) => !made.has(step)).map((step) => ({ what: `nobody ticked ${step}` })),
  ];
};

/** A vote of a person's is the one that they cast last. */
export const judgeVotes: Judge = ({ votes, issues }, { voted }) => {
  const gone = new Set(issues.filter(({ state }) => state === 'gone').map(({ id }) => id));
  return voted.flatMap(({ who, value, certainty, at }): Difference[] => {
    const [way, subject = ''] = split(value);
    const others = voted.filter((one) => one.who === who && split(one.value)[1] === subject);
    if (certainty !== 'once' || gone.has(subject.split(':')[1] ?? '')) return [];
    // Two that were cast shortly after each other may both be taken up at the next start.
    if (others.some((one) => one.at > at || (one.at < at && one.at > at - NEAR_MS))) return [];
    const kept = votes.find((one) => one.who === who && one.subject === subject);
    if (kept?.value === (way === 'up' ? 1 : -1)) return [];
    return [{ at, what: `${who} voted ${value}, and ${kept?.value ?? 'nothing'} is kept` }];
  });
};

/** Who opened their Home sees it. */
export const judgeHomes: Judge = (system, { homes }) =>
  [...homes].filter((who) => !system.homes.has(who)).map((who) => ({ what: `the Home of ${who} is empty` }));

/** `up:result:<issue>:<version>`. */
function split(value: string): [string, string] {
  const colon = value.indexOf(':');
  return [value.slice(0, colon), value.slice(colon + 1)];
}

function issueOf(value: string): string {
  return value.split(':')[1] ?? '';
}

/** A press may be taken up at the next start, after one that came later. */
const NEAR_MS = 60_000;

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
  const problem = problems.find(({ name }) => title.includes(name));
  const wasPosted =
    problem === undefined || problem.edited || problem.posts.some((one) => one.at > at - NEAR_MS);
  return wasPosted || steered.filter((one) => Math.abs(one.at - at) < NEAR_MS).length > 1;
}
