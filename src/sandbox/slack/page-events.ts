import type { ServerResponse } from 'node:http';
import type { PageEvent } from './page-api.ts';
import type { WorkspaceContext } from './workspace-context.ts';

/** `GET /events`: everything that happens, as server-sent events, until the page goes away. */
export function streamEvents(context: WorkspaceContext, response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.write(': open\n\n');
  const stop = context.page.listen((event) => response.write(`data: ${JSON.stringify(event)}\n\n`));
  response.on('close', stop);
}

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
