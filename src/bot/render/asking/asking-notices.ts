import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';

/** *Stop*, pressed when the answer had ended, or somebody else had stopped it. */
export function nothingToStop(): Rendered {
  return notice('There is nothing to stop any more: this answer has ended.');
}

/** *Try again*, pressed when somebody else had, or when there is nothing to try again. */
export function notAskedAgain(): Rendered {
  return notice('This question is asked again already, or has its answer by now: see its message.');
}

/** *Answer them*, pressed when somebody else had. */
export function answeredAlready(): Rendered {
  return notice('Somebody was faster: these questions are being answered, or have been.');
}

/** *Stop listening*, pressed when I did no longer. */
export function listensNoMore(): Rendered {
  return notice('I do not listen here any more. Mention me to go on.');
}

/** *Stop listening*, handled after somebody mentioned me, or pressed *Ask*, later than that. */
export function calledSince(): Rendered {
  return notice('Somebody has called me since you pressed that, so I go on listening here.');
}

/** A button under an answer that this database knows nothing of, or that stands elsewhere. */
export function questionUnknownHere(): Rendered {
  return notice('I do not know this question any more. Please ask it once more.');
}

function notice(text: string): Rendered {
  return fitMessage({ text, blocks: [section(text)] });
}
