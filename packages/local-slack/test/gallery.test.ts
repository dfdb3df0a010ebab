import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import type { Gallery } from '../src/workspace.ts';
import { testWorkspace } from '../testing/index.ts';

const gallery: Gallery = {
  entries: async () => [{ name: 'small', messages: [{ text: 'a', blocks: [] }] }],
};

async function pageOf(options: { gallery?: Gallery }): Promise<string> {
  const server = createServer((await testWorkspace(options)).page);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The page has no port.');
  return `http://127.0.0.1:${address.port}/page-api`;
}

it('a gallery is served', async () => {
  const api = await pageOf({ gallery });
  expect(await (await fetch(`${api}/gallery`)).json()).toEqual({
    entries: [{ name: 'small', messages: [{ text: 'a', blocks: [] }] }],
  });
});

it('a workspace without a gallery has an empty one', async () => {
  const api = await pageOf({});
  expect(await (await fetch(`${api}/gallery`)).json()).toEqual({ entries: [] });
});
