import { expect, test } from 'vitest';
import type { PageEvent } from '../src/page-api.ts';
import type { Workspace } from '../src/workspace.ts';
import { callPage, clientOf, listenToPage, servePage, testWorkspace, until } from '../testing/index.ts';

const ALICE = 'U0ALICE001';
const BOB = 'U0BOB00001';
const DM = 'D0ALICE001';

interface Page {
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
  /** What an open page has heard. */
  events(): PageEvent[];
}

async function pageOn(workspace: Workspace): Promise<Page> {
  const page = await servePage(workspace);
  const heard = await listenToPage(page);
  return {
    get: async (path) => (await fetch(`${page}/page-api/${path}`)).json(),
    post: (path, body) => callPage(page, path, body),
    events: heard,
  };
}

test('an answer grows on the page, and the person stops it', async () => {
  const workspace = await testWorkspace();
  const page = await pageOn(workspace);
  const { chat } = clientOf(workspace);
  const { ts: thread_ts } = await workspace.post({ channel: ALICE, user: ALICE, text: 'Why?' });
  const { ts = '' } = await chat.startStream({ channel: DM, thread_ts, markdown_text: 'a' });
  await chat.appendStream({ channel: DM, ts, markdown_text: 'b' });
  expect(await page.post('streams/stop', { as: ALICE, channel: DM, ts })).toEqual({ ok: true });
  const grown = () =>
    page
      .events()
      .flatMap((event) =>
        'message' in event && event.message.ts === ts ? [[event.message.text, event.message.streaming]] : [],
      );
  await until(() => grown().length >= 3);
  expect(grown()).toEqual([
    ['a', true],
    ['ab', true],
    ['ab', undefined],
  ]);
});

test('a person attaches a file, which the page can open', async () => {
  const workspace = await testWorkspace();
  const page = await pageOn(workspace);
  const content = Buffer.from('one\n').toString('base64');
  const upload = { as: ALICE, channel: DM, text: 'Look', files: [{ name: 'app.log', content }] };
  expect(await page.post('uploads', upload)).toEqual({ ok: true });
  const [message] = workspace.messages(DM);
  expect(message).toMatchObject({
    text: 'Look',
    user: ALICE,
    files: [{ state: 'ready', name: 'app.log', kind: 'Plain Text', size: 4, preview: 'one' }],
  });
  expect(workspace.fileBytes(message?.files?.[0]?.id ?? '')?.toString()).toBe('one\n');
  expect(await page.post('uploads', { ...upload, as: BOB })).toEqual({
    ok: false,
    error: 'Bob Builder is not a member of this conversation.',
  });
});
