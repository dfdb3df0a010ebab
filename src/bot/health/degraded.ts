/** Sentences about what is failing although deliveries can be taken, from any component. */
export interface Degraded {
  /** Called on each read; returns `null` while nothing is failing. What it answers takes the source out again. */
  add(source: () => string | string[] | null): () => void;
  /** In the order in which the sources were added. */
  read(): string[];
}

export function createDegraded(): Degraded {
  const sources = new Set<() => string | string[] | null>();
  return {
    add: (source) => {
      sources.add(source);
      return () => void sources.delete(source);
    },
    read: () => [...sources].flatMap((source) => source() ?? []),
  };
}
