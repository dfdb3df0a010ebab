import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import type { Gallery } from '../src/workspace.ts';
import { testWorkspace } from '../testing/index.ts';

const PNG = new Uint8Array([137, 80, 78, 71]);
const gallery: Gallery = {
  entries: async () => [{ name: 'small', messages: [{ text: 'a', blocks: [] }] }],
  picture: async (id) => (id === 'FGALLERY1' ? PNG : null),
};

async function pageOf(options: { gallery?: Gallery }): Promise<string> {
  const server = createServer((await testWorkspace(options)).page);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The page has no port.');
  return `http://127.0.0.1:${address.port}/page-api`;
}

it('a gallery is served with its pictures, beside the files of the workspace', async () => {
  const api = await pageOf({ gallery });
  expect(await (await fetch(`${api}/gallery`)).json()).toEqual({
    entries: [{ name: 'small', messages: [{ text: 'a', blocks: [] }] }],
  });
  const picture = await fetch(`${api}/files/FGALLERY1`);
  expect([picture.headers.get('content-type'), await picture.bytes()]).toEqual(['image/png', PNG]);
  expect((await fetch(`${api}/files/F0UNKNOWN`)).status).toBe(404);
});

it('a workspace without a gallery has an empty one', async () => {
  const api = await pageOf({});
  expect(await (await fetch(`${api}/gallery`)).json()).toEqual({ entries: [] });
  expect((await fetch(`${api}/files/FGALLERY1`)).status).toBe(404);
});
