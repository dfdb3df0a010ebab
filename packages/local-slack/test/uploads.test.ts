import { expect, test } from 'vitest';
import { boltOn, clientOf, eventsOf, refusalOf, SCOPES, testWorkspace, until } from '../testing/index.ts';
import { DOT } from './support/pictures.ts';

const ALICE = 'U0ALICE001';
const EVE = 'U0EVE00001';

test('a person’s files come with their message, shaped as Slack shapes them', async () => {
  const workspace = await testWorkspace();
  const events = await eventsOf(workspace);
  const { ts } = await workspace.upload({
    channel: ALICE,
    user: ALICE,
    text: 'Look at this',
    files: [
      { name: 'app.log', content: 'one\ntwo\n' },
      { name: 'diagram.png', content: DOT },
    ],
  });
  const file = {
    id: expect.stringMatching(/^F[A-Z0-9]{10}$/),
    name: 'app.log',
    title: 'app.log',
    mimetype: 'text/plain',
    filetype: 'text',
    pretty_type: 'Plain Text',
    mode: 'snippet',
    editable: true,
    size: 8,
    user: ALICE,
    created: expect.any(Number),
    url_private: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/files-pri\/T0LOCAL001-F\w+\/app\.log$/),
    url_private_download: expect.stringMatching(/\/download\/app\.log$/),
    preview: 'one\ntwo',
  };
  const picture = { name: 'diagram.png', mimetype: 'image/png', mode: 'hosted', original_w: 1 };
  const shared = await until(() => events.find(({ type }) => type === 'message'));
  expect(shared).toMatchObject({
    subtype: 'file_share',
    channel: 'D0ALICE001',
    channel_type: 'im',
    user: ALICE,
    text: 'Look at this',
    ts,
    files: [file, picture],
  });
  const told = await until(() => events.filter(({ type }) => type === 'file_shared').length === 2 && events);
  expect(told.at(-1)).toMatchObject({ type: 'file_shared', user_id: ALICE, channel_id: 'D0ALICE001' });
  const read = await clientOf(workspace).conversations.replies({ channel: 'D0ALICE001', ts });
  expect(read.messages?.[0]).toMatchObject({ text: 'Look at this', files: [file, picture] });
  expect(workspace.files()).toEqual([]);
});

test('the app reads a person’s file with its token, and knows it by its id', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const { ts } = await workspace.upload({
    channel: 'general',
    user: EVE,
    files: [{ name: 'notes', content: 'all of it', mimetype: 'text/x-notes' }],
  });
  const { messages = [] } = await client.conversations.history({ channel: workspace.channels.general });
  const [message] = messages;
  expect(message).toMatchObject({ ts, text: '', user: EVE });
  expect(message).not.toHaveProperty('blocks');
  const id = message?.files?.[0]?.id ?? '';
  const { file, content } = await client.files.info({ file: id });
  expect(file).toMatchObject({ id, user: EVE, user_team: 'T0PARTNER01', mimetype: 'text/x-notes' });
  expect(content).toBe('all of it');
  const url = file?.url_private_download ?? '';
  const answer = await fetch(url, { headers: { authorization: `Bearer ${workspace.botToken}` } });
  expect([answer.status, await answer.text()]).toEqual([200, 'all of it']);
});

test('who may not see a file is sent to a page to sign in, which is no file', async () => {
  const workspace = await testWorkspace();
  await workspace.upload({ channel: 'general', user: ALICE, files: [{ name: 'a.log', content: 'secret' }] });
  const { messages = [] } = await clientOf(workspace).conversations.history({
    channel: workspace.channels.general,
  });
  const url = messages[0]?.files?.[0]?.url_private ?? '';
  const refused = await fetch(url, { redirect: 'manual', headers: { authorization: 'Bearer xoxb-other' } });
  expect(refused.status).toBe(302);
  const followed = await fetch(url);
  expect([followed.status, followed.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await followed.text()).not.toContain('secret');
});

test('a file in a channel where the app is not is nothing to it', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const payments = workspace.channels.payments;
  await workspace.upload({ channel: payments, user: ALICE, files: [{ name: 'a.log', content: 'x' }] });
  const id = workspace.messages(payments)[0]?.files?.[0]?.id ?? '';
  expect(await refusalOf(client.files.info({ file: id }))).toMatchObject({ error: 'file_not_found' });
  expect((await client.files.list({})).files).toEqual([]);
  await workspace.invite('payments');
  expect((await client.files.info({ file: id })).file).toMatchObject({ id });
});

test('Bolt hears of a reply with a file in a thread', async () => {
  const workspace = await testWorkspace({ scopes: SCOPES });
  const heard: unknown[] = [];
  await boltOn(workspace, (app) => {
    app.message(async ({ message }) => {
      if (message.subtype === 'file_share') heard.push([message.thread_ts, message.files?.[0]?.name]);
    });
  });
  const { ts } = await workspace.post({ channel: 'general', user: ALICE, text: 'root' });
  const files = [{ name: 'a.log', content: 'x' }];
  await workspace.upload({ channel: 'general', user: ALICE, text: 'and this', thread_ts: ts, files });
  expect(await until(() => heard[0])).toEqual([ts, 'a.log']);
});

test('an upload without a file is refused', async () => {
  const workspace = await testWorkspace();
  const upload = workspace.upload({ channel: 'general', user: ALICE, text: 'nothing', files: [] });
  await expect(upload).rejects.toThrow('no_text');
});
