import type { PageEvent } from './page-api.ts';

/** Tells every open page what happens. */
export interface PageBus {
  emit(event: PageEvent): void;
  /** @returns what ends the listening. */
  listen(listener: (event: PageEvent) => void): () => void;
}

export function createPageBus(): PageBus {
  const listeners = new Set<(event: PageEvent) => void>();
  return {
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
