import { setImmediate as turn } from 'node:timers/promises';

/**
 * Collects what is handed in during one turn of the event loop, and does it in one go; what comes in meanwhile has the
 * next. Without the wait for the turn's end each would go alone: work that blocks the loop lets nothing arrive beside it.
 *
 * @param work answers one result for each of at most `most` items, in their order; where it rejects, all of them fail.
 * @param turns for so many turns it is collected, where nobody is in a hurry: they pass at once while nothing else is done.
 */
export function createBatch<Item, Result>(
  most: number,
  work: (items: Item[]) => Promise<Result[]>,
  turns = 1,
): (item: Item) => Promise<Result> {
  const waiting: { item: Item; settle: PromiseWithResolvers<Result> }[] = [];
  let working = false;

  async function workOff(): Promise<void> {
    if (working) return;
    working = true;
    while (waiting.length > 0) {
      for (let n = 0; n < turns; n += 1) await turn();
      const batch = waiting.splice(0, most);
      try {
        const results = await work(batch.map(({ item }) => item));
        for (const [i, { settle }] of batch.entries()) {
          const result = results[i];
          if (result === undefined) settle.reject(new Error('fewer results than items'));
          else settle.resolve(result);
        }
      } catch (error) {
        for (const { settle } of batch) settle.reject(error);
      }
    }
    working = false;
  }

  return (item) => {
    const settle = Promise.withResolvers<Result>();
    waiting.push({ item, settle });
    void workOff();
    return settle.promise;
  };
}
