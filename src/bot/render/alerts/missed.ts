import { date } from '../dates.ts';
import { notice } from '../fit.ts';
import type { Rendered } from '../rendered.ts';

/** What was posted while deliveries could not be received. Times in milliseconds since 1970. */
export interface MissedMessages {
  from: number;
  to: number;
  messages: number;
  /** Those of them that are too old to be decided on. */
  older: number;
  /** There were more than could be counted. */
  isMore: boolean;
}

export function renderMissed({ from, to, messages, older, isMore }: MissedMessages): Rendered {
  const least = isMore ? 'at least ' : '';
  const came = `${least}${messages} ${messages === 1 ? 'message' : 'messages'} came`;
  const left =
    older === 1
      ? '1 is older than 6 hours and was skipped'
      : `${least}${older} are older than 6 hours and were skipped`;
  const text =
    `🕳️ While I was down (${date(from)} to ${date(to)}), ${came}; ${left}. ` +
    '`/gumshoe dry-run` shows what I would have done with them.';
  return notice(text);
}
