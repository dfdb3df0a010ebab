import type { Button } from '@slack/types';
import { byIssueNumber } from '../../shared/issue-number.ts';
import { actionIds } from '../action-ids.ts';
import { date } from '../dates.ts';
import { userMention } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { link } from '../links.ts';
import { actions, button, context, inSections, type Rendered, section } from '../rendered.ts';
import { count } from '../words.ts';
import {
  alertsOf,
  type HeldProblemView,
  type HeldView,
  messagesOf,
  serviceOf,
  short,
  titleOf,
} from './held-view.ts';

const LISTED = 10;
const MAX_SERVICE = 60;

/**
 * The rolling message of a hold: why, how many of what, and three buttons while anything waits; then what became of
 * each. Every alert is counted once, at any size.
 */
export function renderHeld(view: HeldView): Rendered {
  const undecided = view.problems.filter(({ state }) => state === 'waiting');
  const decided = view.problems.filter(({ state }) => state !== 'waiting');
  const outcomes = heldOutcomes(decided, view.dismissedBy);
  if (undecided.length === 0) {
    const text = `All ${alertsOf(view.problems)} on hold have been dealt with`;
    return fitMessage({ text, blocks: [section(`✅ *${text}.*`), ...inSections(outcomes)] });
  }
  const text = `${alertsOf(undecided)} ${messagesOf(undecided) === 1 ? 'is' : 'are'} on hold`;
  const soFar = `Of ${alertsOf(view.problems)} on hold:`;
  return fitMessage({
    text,
    blocks: [
      section(`✋ *${text}.* ${why(view)} Nothing is lost: you decide what happens to them.`),
      ...inSections(heldGroups(undecided)),
      section(listed(undecided)),
      ...(decided.length > 0 ? inSections([soFar, ...outcomes]) : []),
      ...progress(view).map((sentence) => context(sentence)),
      actions(buttons(view.id, undecided)),
    ],
  });
}

/** The severe ones first, then the newest; what reads the same is one line, and the others are only counted. */
function listed(undecided: readonly HeldProblemView[]): string {
  const [severe, others] = [true, false].map((high) =>
    undecided.filter(({ severity }) => (severity === 'high') === high),
  );
  const alike = [...Map.groupBy([...(severe ?? []), ...(others ?? [])], name).values()];
  const lines = alike.slice(0, LISTED).map(line);
  const more = alike.slice(LISTED).flat().length;
  const rest = more > 0 ? [`… and ${count(more, 'more problem')}`] : [];
  return [severe?.length ? '*Most severe*' : '*Newest*', ...lines, ...rest].join('\n');
}

function line(problems: readonly HeldProblemView[]): string {
  const [first] = problems;
  const messages = messagesOf(problems);
  return first === undefined
    ? ''
    : `${name(first)}${messages > 1 ? ` (${problems.length > 1 ? alertsOf(problems) : count(messages, 'alert')})` : ''}`;
}

function name(problem: HeldProblemView): string {
  const service = short(problem.service, MAX_SERVICE);
  const of =
    service === '' || titleOf(problem).includes(service) ? '' : `*${service.replaceAll('*', '∗')}*: `;
  return `• ${of}${titleOf(problem)}`;
}

function why({ reason, budget, maxIssuesPerDay, freesAt }: HeldView): string {
  switch (reason) {
    case 'storm':
      return 'Too many alerts fired within a minute, so I am holding the rest here instead of flooding the channel.';
    case 'budget':
      return `This channel’s budget of ${count(budget.issues, 'new issue')} in ${count(budget.minutes, 'minute')} is used up.`;
    case 'day': {
      const limit = `The workspace has reached its limit of ${count(maxIssuesPerDay, 'new issue')} in 24 hours`;
      return freesAt === null ? `${limit}.` : `${limit}; the next slot frees up ${date(freesAt)}.`;
    }
    case 'paused':
      return 'They arrived while filing was paused.';
    case 'planned':
      return 'They fired during planned work, and were still open when it ended.';
  }
}

function progress({ reason, state, lastAt }: HeldView): string[] {
  if (reason === 'paused' || reason === 'planned') return [];
  return state === 'rolling'
    ? [`More may follow. Last one: ${date(lastAt)}.`]
    : [`It has stopped: none since ${date(lastAt)}. These stay here until somebody decides.`];
}

function buttons(hold: string, undecided: readonly HeldProblemView[]): Button[] {
  const plain = (text: string) => ({ type: 'plain_text' as const, text });
  return [
    // In a storm the safe choice comes first: filing all of it would start as many investigations.
    button('Choose', actionIds.chooseHeld, hold, 'primary'),
    button(`File all (${undecided.length})`, actionIds.fileAll, hold),
    {
      ...button('Dismiss', actionIds.dismissHeld, hold),
      confirm: {
        title: plain('Dismiss all of them?'),
        text: plain(
          `${alertsOf(undecided)} will not be filed. The messages stay in the channel, and anything that fires again is filed again.`,
        ),
        confirm: plain('Dismiss'),
        deny: plain('Keep on hold'),
        style: 'danger',
      },
    },
  ];
}

const MAX_GROUPS = 12;
const MAX_NAME = 60;

/** A line for each service and tool, those with the most alerts first; the rest is only counted. */
function heldGroups(problems: readonly HeldProblemView[]): string[] {
  const groups = [...Map.groupBy(problems, nameOf)]
    .map(([name, members]) => ({ name, members }))
    .toSorted((a, b) => messagesOf(b.members) - messagesOf(a.members) || (a.name < b.name ? -1 : 1));
  const lines = groups.slice(0, MAX_GROUPS).map(({ name, members }) => `• ${name}: ${alertsOf(members)}`);
  const others = groups.slice(MAX_GROUPS).flatMap(({ members }) => members);
  if (others.length === 0) return lines;
  return [...lines, `… and ${count(groups.length - MAX_GROUPS, 'more group')} with ${alertsOf(others)}`];
}

function nameOf(problem: HeldProblemView): string {
  const name = short(serviceOf(problem), MAX_NAME).replaceAll('*', '\u2217');
  const from = short(problem.tool, MAX_NAME);
  return `${name === '' ? '_no service_' : `*${name}*`}${from === '' ? '' : ` · ${from}`}`;
}

/** Characters that the lines of single problems may take, which is some 40 of them with links. */
const ROOM = 6_000;
const TITLES = 5;

/** The outcomes of the problems that no longer wait, grouped so that each is accounted for. Lines of safe mrkdwn. */
function heldOutcomes(decided: readonly HeldProblemView[], dismissedBy: string | null): string[] {
  const of = (state: HeldProblemView['state']) => decided.filter((one) => one.state === state);
  const by = dismissedBy === null ? '' : ` by ${userMention(dismissedBy)}`;
  const filed = of('filed').toSorted(byNumber);
  const joined = of('joined').toSorted(byNumber);
  const share = ROOM / Math.max(1, filed.length + joined.length);
  return [
    ...outcomes('*Filed*', filed, share * filed.length),
    ...outcomes('*Counted toward open issues*', joined, share * joined.length),
    ...named('*Recovered on their own*', of('recovered')),
    ...named(`*Dismissed*${by}`, of('dismissed')),
  ];
}

function outcomes(heading: string, problems: readonly HeldProblemView[], room: number): string[] {
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
