import type { ServerResponse } from 'node:http';
import type { WorkspaceContext } from '../workspace-context.ts';

/** `GET /events`: everything that happens, as server-sent events, until the page disconnects. */
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
