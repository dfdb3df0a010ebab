/** Sentences on what fails although deliveries can be taken, from whatever part knows. */
export interface Degraded {
  /** Asked each time; `null` while nothing fails. */
  add(source: () => string | string[] | null): void;
  /** In the order in which the sources were added. */
  read(): string[];
}

export function createDegraded(): Degraded {
  const sources: (() => string | string[] | null)[] = [];
  return {
    add: (source) => void sources.push(source),
    read: () => sources.flatMap((source) => source() ?? []),
  };
}
