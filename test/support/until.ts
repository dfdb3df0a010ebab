import { LONGEST_WAIT_MS } from './longest-wait.ts';

/**
 * Waits until `look` answers something (not `null`, `undefined` or `false`), and answers that. No test
 * fails for slowness: the limit only ends a hopeless wait.
 */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
