import type { Clock } from '../../lib/clock.ts';

/** An answer that is shown while it arrives. */
export interface StreamingAnswer {
  /** All that has arrived. */
  readonly text: string;
  take(delta: string): void;
  /** No more updates follow once this has resolved; the complete answer does. */
  end(): Promise<void>;
}

interface GrowthOptions {
  clock: Clock;
  /** The least time between two updates. */
  everyMs: number;
  /** Shows the text so far. Must not reject. */
  show(soFar: string): Promise<void>;
}

/**
 * Shows the first words at once and what follows at its pace, beside the reading, which it never holds up. What arrived
 * between two showings is shown when its time has come, also where nothing follows.
 */
export function createStreamingAnswer({ clock, everyMs, show }: GrowthOptions): StreamingAnswer {
  const ended = new AbortController();
  let text = '';
  let showing: Promise<void> | null = null;

  async function showOn(): Promise<void> {
    let shown = '';
    while (text !== shown && !ended.signal.aborted) {
      shown = text;
      await show(shown);
      await clock.sleep(everyMs, ended.signal).catch(() => undefined);
    }
    showing = null;
  }

  return {
    get text() {
      return text;
    },
    take: (delta) => {
      text += delta;
      showing ??= showOn();
    },
    end: async () => {
      ended.abort();
      await showing;
    },
  };
}
