import type { ContextBlock, KnownBlock } from '@slack/types';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { clean, literal, userMention } from '../escape.ts';
import { context, section } from '../rendered.ts';
import type { AnswerView } from '../views.ts';

const BROKE_OFF = 'The answer was cut off';
const MAX_NOTE = 1000;
const MAX_DOING = 200;
const SECOND_MS = 1_000;
/** Shorter waits are not explained. */
const SOON_MS = 1_000;
/** After this long, the elapsed time is shown, updated in steps because edits are limited. */
const FIRST_S = 5;
const STEP_S = 10;

/** Before any of the answer has arrived: what it waits for, what the agent looks at, or how long it has been working. */
export function waiting({ state, ahead, elapsedMs, stoppedBy, note }: AnswerView): ContextBlock {
  if (stoppedBy !== null) return context('… stopping');
  if (state === 'queued' && ahead > 0) {
    const before = ahead === 1 ? '1 question in this thread is' : `${ahead} questions in this thread are`;
    return context(`⏳ Queued: ${before} answered first.`);
  }
  if (state === 'queued' && elapsedMs >= SOON_MS)
    return context('⏳ Waiting for a free slot: busy with other threads.');
  const seconds = state === 'queued' ? 0 : Math.floor(elapsedMs / SECOND_MS);
  const doing = note === null ? '… thinking' : literal(cutAtWord(oneLine(clean(note)), MAX_DOING));
  if (seconds < FIRST_S) return context(doing);
  return context(`${doing} (${duration(FIRST_S + Math.floor((seconds - FIRST_S) / STEP_S) * STEP_S)})`);
}

/** How an incomplete answer ended, and other remarks about it. */
export function ending(view: AnswerView, hasWords: boolean): KnownBlock[] {
  const note = view.note === null ? '' : literal(cutAtWord(view.note.trim(), MAX_NOTE));
  const small = note === '' ? [] : [context(note)];
  switch (view.state) {
    case 'failed':
      return [section(`⚠️ ${failure(note, hasWords)}`)];
    case 'stopped':
      return [
        context(view.stoppedBy === null ? 'Stopped.' : `Stopped by ${userMention(view.stoppedBy)}.`),
        ...small,
      ];
    default:
      return [...(hasWords ? [] : [section('The agent gave no answer.')]), ...small];
  }
}

function failure(note: string, hasWords: boolean): string {
  if (!hasWords) return note || 'I could not answer this.';
  // A note that says so itself needs no introduction; a later one (a limit was reached) does.
  return note.startsWith(BROKE_OFF) ? note : `${BROKE_OFF} here. ${note}`.trim();
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
}
