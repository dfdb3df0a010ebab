import { actionIds } from '../action-ids.ts';
import { literal, userMention } from '../escape.ts';
import { fitMessage, notice } from '../fit.ts';
import type { NoticeIssue } from '../notices.ts';
import { actions, button, inSections, type Rendered } from '../rendered.ts';
import { phrase } from '../results/phrases.ts';
import { SIMULATED } from '../words.ts';

/** A question that arrived too late to be answered without asking; `text` is untrusted. */
export interface LateQuestion {
  asker: string;
  text: string;
}

const MOST = 10;
const MAX_WORDS = 120;

/**
 * Offers to answer what was asked while Gumshoe was away, in the thread it was asked in.
 *
 * @param key of the line in the outbox: what the button carries
 */
export function offerToAnswer(key: string, questions: readonly LateQuestion[]): Rendered {
  const isOne = questions.length === 1;
  const came = isOne ? 'A question' : `${questions.length} questions`;
  const head = `${came} came in while I was down, more than an hour ago:`;
  const left = questions.length - MOST;
  const lines = [
    ...questions.slice(0, MOST).map(({ asker, text }) => {
      return `• ${userMention(asker)}: ${literal(phrase(text, MAX_WORDS)) || 'a file'}`;
    }),
    ...(left > 0 ? [`… and ${left} more`] : []),
  ];
  const answer = button(isOne ? 'Answer it' : 'Answer them', actionIds.answerLate, key);
  return fitMessage({ text: head, blocks: [...inSections([head, ...lines]), actions([answer])] });
}

/** The same notice once somebody requested the answers, which follow it. */
export function lateAnswersAskedFor(by: string | null): Rendered {
  const who = by === null ? 'Somebody' : userMention(by);
  return notice(`${who} asked me to answer what came in while I was down.`);
}

export function stoppedListening(who: string, isDirect: boolean): Rendered {
  const how = isDirect ? 'Send me a new message' : 'Mention me';
  return notice(`${userMention(who)} asked me to stop listening here. ${how} to continue.`);
}

/** Said in an issue's thread when somebody pressed *Ask*: from then on replies there are questions. */
export function askHere(issue: NoticeIssue): Rendered {
  const simulated = issue.simulated ? `${SIMULATED}. ` : '';
  return notice(`${simulated}Ask me anything about issue #${issue.number}: reply in this thread.`);
}
