import { setImmediate as turn } from 'node:timers/promises';

/**
 * Batches the items that arrive during one turn of the event loop; items that arrive while a batch is processed form the
 * next. Waiting for the end of the turn matters: work that blocks the loop would otherwise process each item alone.
 *
 * @param work returns one result for each of at most `most` items, in order; if it rejects, the whole batch fails.
 * @param turns how many turns of the event loop to collect for, if nobody is waiting; an idle loop turns at once
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
