import { setImmediate as turn } from 'node:timers/promises';

/**
 * Lets at most `perTurn` callers go on in one turn of the event loop, in the order in which they came: what arrives from
 * outside gets in between, however many wait.
 */
export function createTurns(perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let running = false;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    while (waiting.length > 0) {
      await turn();
      for (const goOn of waiting.splice(0, perTurn)) goOn();
    }
    running = false;
  }

  return () =>
    new Promise((goOn) => {
      waiting.push(goOn);
      void run();
    });
}
