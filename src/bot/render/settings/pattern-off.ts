import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { literal } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';

/** A pattern of a channel's settings that was switched off; `pattern` is untrusted. */
export interface PatternOff {
  pattern: string;
  why: 'too_large' | 'too_slow';
  list: 'include' | 'exclude';
}

const MAX_PATTERN = 200;
const WHY = {
  too_large: 'is larger than patterns may be',
  too_slow: 'took too long to look for in an alert',
};
const MEANS = {
  include:
    'Alerts that it would have kept out are filed; where no other pattern says which alerts are wanted, all are',
  exclude: 'Alerts that it would have left out are filed',
};

/** Said in the channel once, when Gumshoe stops looking for a pattern. */
export function renderPatternOff({ pattern, why, list }: PatternOff): Rendered {
  const shown = literal(cutAtWord(oneLine(pattern), MAX_PATTERN));
  const text = `⚠️ I switched off a pattern of this channel’s settings: “${shown}” ${WHY[why]}. It counts as if it were not there. ${MEANS[list]}. To mend it, write \`/gumshoe\` here and put a shorter or simpler one in its place.`;
  return fitMessage({ text, blocks: [section(text)] });
}
