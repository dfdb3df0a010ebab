import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';

/** The channel will be told, or no longer. */
export function systemsAreWatched(isOn: boolean): Rendered {
  return notice(
    isOn
      ? '🔭 I check now, and every hour on the hour, for what is about to break, and keep one message about it up to date here. `/gumshoe watch-systems off` ends it.'
      : 'I no longer look for what is about to break for this channel. `/gumshoe watch-systems` starts it again.',
  );
}

/** `/gumshoe watch-systems` with other words. */
export function usageSystems(): Rendered {
  return notice('`/gumshoe watch-systems` starts it for this channel, `/gumshoe watch-systems off` ends it.');
}

function notice(text: string): Rendered {
  return fitMessage({ text, blocks: [section(text)] });
}
