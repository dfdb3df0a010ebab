import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';

/** *Stop*, pressed when the answer had ended, or somebody else had stopped it. */
export function nothingToStop(): Rendered {
  return notice('Nothing to stop: this answer is already finished.');
}

/** Slack's stop button, pressed while nothing but an investigation is under way. */
export function investigationGoesOn(): Rendered {
  return notice('An investigation cannot be stopped. It goes on, and its result will appear in this thread.');
}

/** *Try again*, pressed when somebody else had, or when there is nothing to try again. */
export function notAskedAgain(): Rendered {
  return notice('Already asked again or answered: see its message.');
}

/** *Answer them*, pressed when somebody else had. */
export function answeredAlready(): Rendered {
  return notice('Somebody beat you to it: these questions are already being answered.');
}

/** *Stop listening*, pressed when I did no longer. */
export function listensNoMore(): Rendered {
  return notice('I have stopped listening here. Mention me to continue.');
}

/** *Stop listening*, handled after somebody mentioned me, or pressed *Ask*, later than that. */
export function calledSince(): Rendered {
  return notice('Somebody has asked me something since, so I am still listening here.');
}

/** A button under an answer that this database knows nothing of, or that stands elsewhere. */
export function questionUnknownHere(): Rendered {
  return notice('I no longer have this question. Please ask it again.');
}

function notice(text: string): Rendered {
  return fitMessage({ text, blocks: [section(text)] });
}
