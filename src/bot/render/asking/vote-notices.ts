import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';

/** Thanks for a vote; `same` where it was theirs already, `overtaken` where they have voted again since. */
export function thanksForVote(value: 1 | -1, outcome: 'new' | 'changed' | 'same' | 'overtaken'): Rendered {
  const thumb = value === 1 ? '👍' : '👎';
  if (outcome === 'overtaken') return notice('You have voted again since; that vote counts.');
  if (outcome === 'same') return notice(`Your ${thumb} is already counted.`);
  const counted = outcome === 'changed' ? `Your vote is now ${thumb}` : `Your ${thumb} is counted`;
  return notice(
    value === 1
      ? `Thanks. ${counted}.`
      : `Thanks. ${counted}. If something was wrong, say so in the thread so your team sees it.`,
  );
}

/** A vote under what this database knows nothing of. */
export function nothingToVoteOn(): Rendered {
  return notice('I no longer have what this was about, so I cannot count your vote.');
}

function notice(text: string): Rendered {
  return fitMessage({ text, blocks: [section(text)] });
}
