import type { PageEvent } from './page-api.ts';

/** Sends events to every open page. */
export interface PageBus {
  emit(event: PageEvent): void;
  /** @returns a function that unsubscribes. */
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
