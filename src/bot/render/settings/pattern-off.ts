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
  too_large: 'is too large',
  too_slow: 'took too long to match',
};
const MEANS = {
  include: 'It no longer limits what is filed; without another such pattern, every alert is filed',
  exclude: 'Alerts it would have skipped are now filed',
};

/** Said in the channel once, when Gumshoe stops looking for a pattern. */
export function renderPatternOff({ pattern, why, list }: PatternOff): Rendered {
  const shown = literal(cutAtWord(oneLine(pattern), MAX_PATTERN));
  const text = `⚠️ I switched off a pattern in this channel’s settings: “${shown}” ${WHY[why]}. ${MEANS[list]}. *Fix:* run \`/gumshoe\` here and replace it with a shorter or simpler one.`;
  return fitMessage({ text, blocks: [section(text)] });
}
