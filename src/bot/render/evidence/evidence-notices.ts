import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';

/** Results, or an answer, that refer to nothing. */
export function noEvidence(): Rendered {
  const text = 'There is no evidence to show here: what was found refers to none.';
  return fitMessage({ text, blocks: [section(text)] });
}
