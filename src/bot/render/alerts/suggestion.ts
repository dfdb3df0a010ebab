import type { IssueNumber } from '../../../lib/issue-number.ts';
import { actionIds } from '../action-ids.ts';
import { userMention } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { actions, button, type Rendered, section } from '../rendered.ts';

/** Where a message stands; the value of the *File it* button. */
export interface MessagePlace {
  channel: string;
  ts: string;
}

/** To the author of a report, who alone sees it (DESIGN section 4, *Filing*). */
export function offerFiling(place: MessagePlace): Rendered {
  return offer('This reads like a report. Shall I file it and have it investigated?', place);
}

/** Under an alert, in a channel that only suggests. */
export function suggestFiling(place: MessagePlace): Rendered {
  return offer('This channel only suggests. Shall I file this alert and have it investigated?', place);
}

/** What the suggestion becomes when somebody had the alert filed; `number` is `null` until there is one. */
export function suggestionFiled(filed: {
  number: IssueNumber | null;
  by: string;
  counted: boolean;
}): Rendered {
  const { number, by, counted } = filed;
  const who = userMention(by);
  if (number === null) return told(`Being filed, as ${who} asked.`);
  return told(counted ? `Counted for #${number}, as ${who} asked.` : `Filed as #${number} by ${who}.`);
}

/** What the suggestion becomes when the alert is over before anybody had it filed. */
export function suggestionOver(): Rendered {
  return told('💚 The alert recovered by itself; nobody had it filed.');
}

function told(sentence: string): Rendered {
  return fitMessage({ text: sentence, blocks: [section(sentence)] });
}

function offer(sentence: string, { channel, ts }: MessagePlace): Rendered {
  return fitMessage({
    text: sentence,
    blocks: [
      section(sentence),
      actions([button('File it', actionIds.fileIt, `${channel}:${ts}`, 'primary')]),
    ],
  });
}
