import { byIssueNumber } from '../../shared/issue-number.ts';
import { userMention } from '../escape.ts';
import { link } from '../links.ts';
import { count } from '../words.ts';
import { alertsOf, type HeldProblemView, titleOf } from './held-view.ts';

/** Characters that the lines of single problems may take, which is some 40 of them with links. */
const ROOM = 6_000;
/** How many titles of unfiled problems are named. */
const TITLES = 5;

/** The outcomes of the problems that no longer wait, grouped so that each is accounted for. Lines of safe mrkdwn. */
export function heldOutcomes(decided: readonly HeldProblemView[], dismissedBy: string | null): string[] {
  const of = (state: HeldProblemView['state']) => decided.filter((one) => one.state === state);
  const by = dismissedBy === null ? '' : ` by ${userMention(dismissedBy)}`;
  const filed = of('filed').toSorted(byNumber);
  const joined = of('joined').toSorted(byNumber);
  const share = ROOM / Math.max(1, filed.length + joined.length);
  return [
    ...listed('*Filed*', filed, share * filed.length),
    ...listed('*Counted toward open issues*', joined, share * joined.length),
    ...named('*Recovered on their own*', of('recovered')),
    ...named(`*Dismissed*${by}`, of('dismissed')),
  ];
}

function listed(heading: string, problems: readonly HeldProblemView[], room: number): string[] {
  if (problems.length === 0) return [];
  const lines: string[] = [];
  let left = room;
  for (const problem of problems) {
    const line = `• ${numberOf(problem)} ${titleOf(problem)} (${count(problem.messages, 'alert')})`;
    left -= line.length;
    if (left < 0) break;
    lines.push(line);
  }
  const others = problems.slice(lines.length);
  return [
    `${heading}: ${alertsOf(problems)}`,
    ...lines,
    ...(others.length > 0 ? [`… and ${alertsOf(others)} more`] : []),
  ];
}

function named(heading: string, problems: readonly HeldProblemView[]): string[] {
  if (problems.length === 0) return [];
  const more = problems.length - TITLES;
  const titles = problems.slice(0, TITLES).map(titleOf);
  return [
    `${heading}: ${alertsOf(problems)}`,
    ...titles.map((title) => `• ${title}`),
    ...(more > 0 ? [`… and ${count(more, 'more problem')}`] : []),
  ];
}

function byNumber(a: HeldProblemView, b: HeldProblemView): number {
  return byIssueNumber(
    a.issue?.number ?? Number.MAX_SAFE_INTEGER,
    b.issue?.number ?? Number.MAX_SAFE_INTEGER,
  );
}

/** `#12`, as a link to its card if that is in the same channel. */
function numberOf({ issue }: HeldProblemView): string {
  if (issue === null) return '';
  const unnumbered = issue.refused ? 'could not be filed' : 'being filed';
  const name = issue.number === null ? unnumbered : `#${issue.number}`;
  return issue.url === null ? name : link(issue.url, name);
}
