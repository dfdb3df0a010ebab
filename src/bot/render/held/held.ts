import type { Button } from '@slack/types';
import { actionIds } from '../action-ids.ts';
import { date } from '../dates.ts';
import { fitMessage } from '../fit.ts';
import { inSections } from '../in-sections.ts';
import { actions, button, context, type Rendered, section } from '../rendered.ts';
import { count } from '../words.ts';
import { heldGroups } from './held-groups.ts';
import { heldOutcomes } from './held-outcomes.ts';
import { alertsOf, type HeldProblemView, type HeldView, messagesOf, short, titleOf } from './held-view.ts';

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
      return 'They fired during planned work, and are still open at its end.';
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
