import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';

/** The results that a button is under are gone, or have changed. */
export function stepUnknown(): Rendered {
  return sentence('This step no longer exists. See the latest results of the issue.');
}

/** There is no thread yet in which the question could stand. */
export function noThreadYet(): Rendered {
  return sentence('The issue has no thread yet. Try again in a moment.');
}

function sentence(text: string): Rendered {
  return fitMessage({ text, blocks: [section(text)] });
}
