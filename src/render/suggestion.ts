import { actionIds } from './action-ids.ts';
import { fitMessage } from './fit.ts';
import { actions, button, type Rendered, section } from './rendered.ts';

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

function offer(sentence: string, { channel, ts }: MessagePlace): Rendered {
  return fitMessage({
    text: sentence,
    blocks: [
      section(sentence),
      actions([button('File it', actionIds.fileIt, `${channel}:${ts}`, 'primary')]),
    ],
  });
}
