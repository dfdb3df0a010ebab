import { expect, test } from 'vitest';
import type { PageHome, PageMessage } from '../src/page-api.ts';
import type { Workspace } from '../src/workspace.ts';
import { clientOf, servePage, testWorkspace } from '../testing/index.ts';
import { DOT } from './support/pictures.ts';

async function sent(workspace: Workspace, filename: string, file: Buffer, channel_id?: string) {
  const shared = channel_id === undefined ? {} : { channel_id };
  await clientOf(workspace).files.uploadV2({ file, filename, alt_text: 'What it shows', ...shared });
  return workspace.files()[0]?.id ?? '';
}

const headers = (response: Response) => ({
  status: response.status,
  type: response.headers.get('content-type'),
  disposition: response.headers.get('content-disposition'),
});

test('only pictures are shown, all else is saved, and nothing may run', async () => {
  const workspace = await testWorkspace({ fileDelay: 0 });
  const page = `${await servePage(workspace)}/page-api`;
  const channel = workspace.channels.alerts;
  const dot = await sent(workspace, 'the "dot".png', DOT, channel);
  const script = Buffer.from('<script>alert(1)</script>');
  const html = await sent(workspace, 'page.html', script, channel);
  const svg = await sent(workspace, 'run.svg', Buffer.from('<svg onload="alert(1)"/>'), channel);
  const open = (id: string) => fetch(`${page}/files/${id}`);

  const shown = await open(dot);
  expect(headers(shown)).toEqual({
    status: 200,
    type: 'image/png',
    disposition: "inline; filename*=UTF-8''the%20%22dot%22.png",
  });
  expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
  expect(shown.headers.get('content-security-policy')).toContain('sandbox');
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(DOT);
  expect(headers(await open(html))).toEqual({
    status: 200,
    type: 'application/octet-stream',
    disposition: "attachment; filename*=UTF-8''page.html",
  });
  expect(headers(await open(svg))).toMatchObject({
    type: 'application/octet-stream',
    disposition: "attachment; filename*=UTF-8''run.svg",
  });
  expect((await open('F0NONE')).status).toBe(404);
});

test('a file that nobody was shown stays the app’s own', async () => {
  const workspace = await testWorkspace({ fileDelay: 0, home: true });
  const page = `${await servePage(workspace)}/page-api`;
  const id = await sent(workspace, 'graph.png', DOT);
  const open = async () => (await fetch(`${page}/files/${id}`)).status;
  expect(await open()).toBe(404);
  const blocks = [{ type: 'image' as const, alt_text: 'A graph', slack_file: { id } }];
  await clientOf(workspace).views.publish({ user_id: 'U0ALICE001', view: { type: 'home', blocks } });
  expect(await open()).toBe(200);
  await clientOf(workspace).files.delete({ file: id });
  expect(await open()).toBe(404);
});

test('the page gets a message’s files, and each person’s Home', async () => {
  const workspace = await testWorkspace({ fileDelay: 0, home: true });
  const page = `${await servePage(workspace)}/page-api`;
  const channel = workspace.channels.alerts;
  const text = await sent(workspace, 'notes.md', Buffer.from('1\n2\n3\n4\n5\n6\n7\n8\n'), channel);
  const dot = await sent(workspace, 'dot.png', DOT, channel);
  const answer = await (await fetch(`${page}/messages?channel=${channel}`)).text();
  const { messages }: { messages: PageMessage[] } = JSON.parse(answer);
  expect(messages.map(({ files }) => files)).toEqual([
    [
      {
        id: text,
        state: 'ready',
        name: 'notes.md',
        title: 'notes.md',
        kind: 'Markdown (raw)',
        size: 16,
        alt: 'What it shows',
        preview: '1\n2\n3\n4\n5\n6',
        lines_more: 2,
      },
    ],
    [
      {
        id: dot,
        state: 'ready',
        name: 'dot.png',
        title: 'dot.png',
        kind: 'PNG',
        size: DOT.length,
        alt: 'What it shows',
        image: { width: 1, height: 1 },
      },
    ],
  ]);
  const home = async (as: string): Promise<PageHome | null> =>
    JSON.parse(await (await fetch(`${page}/home?as=${as}`)).text()).home;
  const view = { type: 'home' as const, blocks: [{ type: 'divider' as const, block_id: 'line' }] };
  await clientOf(workspace).views.publish({ user_id: 'U0ALICE001', view });
  expect(await home('U0ALICE001')).toEqual({
    id: expect.stringMatching(/^V/),
    user: 'U0ALICE001',
    hash: expect.any(String),
    blocks: view.blocks,
  });
  expect(await home('U0BOB00001')).toBeNull();
});
