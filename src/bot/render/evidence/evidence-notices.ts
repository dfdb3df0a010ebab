import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';

/** Results, or an answer, without evidence. */
export function noEvidence(): Rendered {
  const text = 'No evidence to show: the results do not reference any.';
  return fitMessage({ text, blocks: [section(text)] });
}
