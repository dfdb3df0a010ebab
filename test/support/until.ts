import { setImmediate } from 'node:timers/promises';
import { LONGEST_WAIT_MS } from './longest-wait.ts';

const PAUSE_MS = 10;
/** A look that takes long is taken less often: what is waited for needs the processor, too. */
const PAUSE_PER_LOOK = 10;

/**
 * Waits until `look` answers something (not `null`, `undefined` or `false`), and answers that. No test
 * fails for slowness: the limit only ends a hopeless wait.
 *
 * @param instead what there was in its place, for the error
 */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  instead?: () => unknown,
): Promise<T> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const begin = Date.now();
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    if (Date.now() > deadline) {
      const found = instead === undefined ? '' : `; there was ${JSON.stringify(instead())}`;
      throw new Error(`waited in vain until ${what}${found}`);
    }
    const pause = Math.max(PAUSE_MS, PAUSE_PER_LOOK * (Date.now() - begin));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Lets everything go on that waits for no clock, for so many turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await setImmediate();
}
