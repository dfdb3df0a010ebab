import type { IssueNumber } from '../../shared/issue-number.ts';
import { actionIds } from '../action-ids.ts';
import { userMention } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { actions, button, type Rendered, section } from '../rendered.ts';

/** A message's place; the value of the *File it* button. */
export interface MessagePlace {
  channel: string;
  ts: string;
}

/** To the author of a report, who alone sees it. */
export function offerFiling(place: MessagePlace): Rendered {
  return offer('This looks like an incident report. File and investigate it?', place);
}

/** Under an alert, in a channel that only suggests. */
export function suggestFiling(place: MessagePlace): Rendered {
  return offer('This channel is in suggest mode. File and investigate this alert?', place);
}

/** The suggestion after somebody filed the alert; `number` is `null` until there is one. */
export function suggestionFiled(filed: {
  number: IssueNumber | null;
  by: string;
  counted: boolean;
}): Rendered {
  const { number, by, counted } = filed;
  const who = userMention(by);
  if (number === null) return sentenceMessage(`Filing, requested by ${who}.`);
  return sentenceMessage(
    counted ? `Counted toward #${number}, requested by ${who}.` : `Filed as #${number} by ${who}.`,
  );
}

export function suggestionOver(): Rendered {
  return sentenceMessage('💚 The alert recovered on its own; it was never filed.');
}

function sentenceMessage(sentence: string): Rendered {
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
