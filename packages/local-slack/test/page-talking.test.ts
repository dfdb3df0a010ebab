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

test('the page says whether there is a pane', async () => {
  const withPane = await pageOn(await testWorkspace({ assistant: true }));
  expect(await withPane.get('state')).toMatchObject({ assistant: true });
  const without = await pageOn(await testWorkspace());
  expect(await without.get('state')).toMatchObject({ assistant: false });
  expect(await without.post('assistant', { as: ALICE })).toEqual({
    ok: false,
    error: 'This app has no assistant pane.',
  });
});

test('a person opens the pane, and sees its threads, the newest first, as they change', async () => {
  const workspace = await testWorkspace({ assistant: true });
  const page = await pageOn(workspace);
  const first = await workspace.openAssistant({ user: ALICE });
  const opened = await page.post('assistant', { as: ALICE, channel: workspace.channels.alerts });
  expect(opened).toEqual({ ok: true, channel: DM, thread_ts: expect.any(String) });
  await workspace.openAssistant({ user: BOB });
  const { assistant } = clientOf(workspace);
  const prompts = [{ title: 'Checkout', message: 'What is wrong with checkout?' }];
  const place = { channel_id: DM, thread_ts: first.thread_ts };
  await assistant.threads.setSuggestedPrompts({ ...place, title: 'Ask', prompts });
  await assistant.threads.setStatus({ ...place, status: 'is thinking…' });
  const shown = { user: ALICE, channel: DM, is_pane: true, title: null };
  const thread = { ...shown, ...first, status: 'is thinking…', prompts_title: 'Ask', prompts };
  expect(await page.get(`assistant?as=${ALICE}`)).toEqual({
    threads: [
      { ...shown, thread_ts: expect.any(String), status: null, prompts_title: null, prompts: [] },
      thread,
    ],
  });
  const last = await until(() => page.events().findLast(({ type }) => type === 'assistant'));
  expect(last).toEqual({ type: 'assistant', thread });
});

test('a person looks elsewhere only where they are, and only from a thread of theirs', async () => {
  const workspace = await testWorkspace({ assistant: true });
  const page = await pageOn(workspace);
  const { thread_ts } = await workspace.openAssistant({ user: ALICE });
  const look = (as: string, channel: string) => page.post('assistant/context', { as, thread_ts, channel });
  const { general, secrets } = workspace.channels;
  expect(await look(ALICE, general)).toEqual({ ok: true });
  expect(await look(BOB, general)).toEqual({
    ok: false,
    error: 'The pane has no such thread.',
  });
  const carol = await page.post('assistant', { as: 'U0CAROL001', channel: secrets });
  expect(carol).toEqual({ ok: false, error: 'Carol Oncall is not a member of this conversation.' });
});

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
