import type { KnownBlock } from '@slack/types';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { actionIds } from '../action-ids.ts';
import { date } from '../dates.ts';
import { clean, literal, quoted } from '../escape.ts';
import { fitMessage, notice } from '../fit.ts';
import { button, context, type Rendered, section } from '../rendered.ts';
import { count } from '../words.ts';

/** What is about to break, as the service's agent says; all texts are untrusted. Times in milliseconds since 1970. */
export interface SystemsView {
  lines: readonly string[];
  lookedAt: number;
  /** Since when nothing was found; `null` while there is something. */
  clearSince: number | null;
  /** What the newest look could not see, and why. */
  problem: string | null;
}

const MOST_LINES = 20;
const MOST_CHARACTERS = 300;

/** The one message of a channel that wants to know; each line can be investigated. */
export function renderSystems({ lines, lookedAt, clearSince, problem }: SystemsView): Rendered {
  const shown = lines
    .map((line) => cutAtWord(oneLine(clean(line)), MOST_CHARACTERS))
    .filter((line) => line !== '')
    .slice(0, MOST_LINES);
  const found =
    clearSince !== null
      ? `all clear since ${date(clearSince)}`
      : shown.length > 0
        ? `${count(shown.length, 'thing')} broken or about to break`
        : 'nothing found, but not everything could be checked';
  const head = `🔭 *Before anybody is paged*: ${found}`;
  const failed =
    problem === null ? '' : `⚠️ Not everything could be checked: ${quoted(problem, MOST_CHARACTERS)} · `;
  const blocks: KnownBlock[] = [
    section(head),
    ...shown.map((text): KnownBlock => {
      return {
        ...section(literal(text)),
        accessory: button('Investigate', actionIds.investigateSystems, text),
      };
    }),
    context(`${failed}last checked ${date(lookedAt)} · \`/gumshoe watch-systems off\` ends it`),
  ];
  return fitMessage({ text: head, blocks });
}

export function systemsAreWatched(isOn: boolean): Rendered {
  return notice(
    isOn
      ? '🔭 I check now, and every hour on the hour, for what is about to break, and keep one message about it up to date here. `/gumshoe watch-systems off` ends it.'
      : 'I have stopped checking for what is about to break in this channel. `/gumshoe watch-systems` starts it again.',
  );
}

export function usageSystems(): Rendered {
  return notice('`/gumshoe watch-systems` starts it for this channel, `/gumshoe watch-systems off` ends it.');
}
