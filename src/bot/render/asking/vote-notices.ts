import { readWorded } from '../../../lib/worded.ts';
import { fitMessage } from '../fit.ts';
import { limits } from '../limits.ts';
import { answerMarkdown } from '../markdown/answer.ts';
import { splitMarkdown } from '../markdown/split.ts';
import { type Rendered, section } from '../rendered.ts';

/** The whole answer is in the thread. */
const PART = { cost: limits.markdownChunk, blocks: limits.blocksPerMessage - 8 };

/**
 * Thanks for a vote; `same` if the person had already voted so, `overtaken` if they have changed their vote since.
 *
 * @param answer what was voted on: 👎 on one that a model worded shows what was computed
 */
export function thanksForVote(
  value: 1 | -1,
  outcome: 'new' | 'changed' | 'same' | 'overtaken',
  answer = '',
): Rendered {
  const thumb = value === 1 ? '👍' : '👎';
  if (outcome === 'overtaken') return notice('You have voted again since; that vote counts.');
  const words = wordsFor(value, outcome, thumb);
  const computed = value === -1 ? readWorded(answer)?.computed : undefined;
  if (computed === undefined) return notice(words);
  const both = `${words} A language model worded the first paragraph of the answer. This was computed, without it:`;
  const [text = ''] = splitMarkdown(answerMarkdown(computed, {}), PART);
  return fitMessage({ text: both, blocks: [section(both), { type: 'markdown', text }] });
}

function wordsFor(value: 1 | -1, outcome: 'new' | 'changed' | 'same', thumb: string): string {
  if (outcome === 'same') return `Your ${thumb} is already counted.`;
  const counted = outcome === 'changed' ? `Your vote is now ${thumb}` : `Your ${thumb} is counted`;
  return value === 1
    ? `Thanks. ${counted}.`
    : `Thanks. ${counted}. If something was wrong, say so in the thread so your team sees it.`;
}

/** A vote on a message that is not in the database. */
export function nothingToVoteOn(): Rendered {
  return notice('I no longer have what this was about, so I cannot count your vote.');
}

function notice(text: string): Rendered {
  return fitMessage({ text, blocks: [section(text)] });
}
