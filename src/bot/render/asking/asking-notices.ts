import { notice } from '../fit.ts';
import type { Rendered } from '../rendered.ts';

/** *Stop*, pressed after the answer had ended or was stopped by somebody else. */
export function nothingToStop(): Rendered {
  return notice('Nothing to stop: this answer is already finished.');
}

/** Slack's stop button, pressed while only an investigation is running. */
export function investigationGoesOn(): Rendered {
  return notice('An investigation cannot be stopped. It goes on, and its result will appear in this thread.');
}

/** *Try again*, pressed after somebody else did, or when there is nothing to retry. */
export function notAskedAgain(): Rendered {
  return notice('Already asked again or answered: see its message.');
}

export function answeredAlready(): Rendered {
  return notice('Somebody beat you to it: these questions are already being answered.');
}

export function listensNoMore(): Rendered {
  return notice('I have stopped listening here. Mention me to continue.');
}

/** *Stop listening*, handled after a more recent mention or *Ask*. */
export function calledSince(): Rendered {
  return notice('Somebody has asked me something since, so I am still listening here.');
}

/** A button under an answer that is not in the database, or is in another place. */
export function questionUnknownHere(): Rendered {
  return notice('I no longer have this question. Please ask it again.');
}
