import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';

/** Thanks for a vote; `same` where it was theirs already, `overtaken` where they have voted again since. */
export function thanksForVote(value: 1 | -1, outcome: 'new' | 'changed' | 'same' | 'overtaken'): Rendered {
  const thumb = value === 1 ? '👍' : '👎';
  if (outcome === 'overtaken') return notice('Your newer vote counts.');
  if (outcome === 'same') return notice(`Your ${thumb} counts already.`);
  const counted = outcome === 'changed' ? `It counts as ${thumb} now` : `Your ${thumb} counts`;
  return notice(
    value === 1
      ? `Thank you. ${counted}.`
      : `Thank you. ${counted}. To say what was wrong, write it in the thread: your team sees it there.`,
  );
}

/** A vote under what this database knows nothing of. */
export function nothingToVoteOn(): Rendered {
  return notice('I do not know any more what this was about, so I cannot count that.');
}

function notice(text: string): Rendered {
  return fitMessage({ text, blocks: [section(text)] });
}
