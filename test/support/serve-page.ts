import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';

/** Serves a workspace's page until the test ends; where, without a slash at the end. */
export async function servePage(workspace: Workspace): Promise<string> {
  const server = createServer(workspace.page);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The page has no port.');
  return `http://127.0.0.1:${address.port}`;
}

/** Posts JSON to one of the page's calls, e.g. `stage/faults`; what is answered, read as JSON. */
export async function callPage(page: string, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${page}/page-api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.json();
}
