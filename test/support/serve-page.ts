import { onTestFinished } from 'vitest';
import type { PageEvent } from '../../src/sandbox/slack/page-api.ts';
import type { Workspace } from '../../src/sandbox/slack/workspace.ts';
import { patientServer } from './patient-server.ts';

/** Serves a workspace's page until the test ends; where, without a slash at the end. */
export async function servePage(workspace: Workspace): Promise<string> {
  const server = patientServer(workspace.page);
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

/** What an open page hears from now on, so far. */
export async function listenToPage(page: string): Promise<() => PageEvent[]> {
  const stream = await fetch(`${page}/page-api/events`);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  // What the stream begins with: who has read it hears all that follows.
  let heard = (await reader?.read())?.value ?? '';
  const read = async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      heard += part.value;
  };
  void read().catch(() => undefined);
  return () =>
    heard
      .split('\n\n')
      .slice(0, -1)
      .filter((event) => event.startsWith('data: '))
      .map((event) => JSON.parse(event.slice('data: '.length)));
}
