import type { KnownBlock } from '@slack/types';
import { expect, test } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { clientOf, refusalOf, testWorkspace } from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';
import { DOT } from './support/pictures.ts';

async function completed(workspace: Workspace, filename: string, body: Buffer): Promise<string> {
  await clientOf(workspace).files.uploadV2({ file: body, filename });
  return workspace.files()[0]?.id ?? '';
}

const picture = (slack_file: { id: string } | { url: string }): KnownBlock => ({
  type: 'image',
  alt_text: 'A graph',
  slack_file,
});

const post = (workspace: Workspace, blocks: KnownBlock[]) =>
  clientOf(workspace).chat.postMessage({ channel: workspace.channels.alerts, text: 'x', blocks });

const invalid = (pointer: string) => ({
  ok: false,
  error: 'invalid_blocks',
  errors: [`invalid slack file [json-pointer:${pointer}]`],
  response_metadata: { messages: [`[ERROR] invalid slack file [json-pointer:${pointer}]`] },
});

test('a picture can be shown by its id or its addresses, once Slack knows what it is', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock });
  const id = await completed(workspace, 'graph.png', DOT);
  expect(await refusalOf(post(workspace, [picture({ id })]))).toMatchObject(invalid('/blocks/0/slack_file'));
  await clock.pass(300);
  const { file } = await clientOf(workspace).files.info({ file: id });
  const { url_private = '', permalink = '' } = file ?? {};
  await post(workspace, [picture({ id }), picture({ url: url_private }), picture({ url: permalink })]);
  const [shown] = workspace.messages(workspace.channels.alerts);
  expect(shown?.blocks).toMatchObject([
    { slack_file: { id } },
    { slack_file: { url: url_private } },
    { slack_file: { url: permalink } },
  ]);
});

test('what is no picture, no file, or another’s address is refused, with its place', async () => {
  const workspace = await testWorkspace({ fileDelay: 0 });
  const text = await completed(workspace, 'graph.png', Buffer.from('no picture'));
  const good = await completed(workspace, 'graph.png', DOT);
  const accessory = (id: string): KnownBlock => ({
    type: 'section',
    text: { type: 'mrkdwn', text: 'x' },
    accessory: { type: 'image', alt_text: 'A graph', slack_file: { id } },
  });
  const cases: [KnownBlock[], string][] = [
    [[picture({ id: text })], '/blocks/0/slack_file'],
    [[picture({ id: good }), accessory('F0NONE')], '/blocks/1/accessory/slack_file'],
    [[picture({ url: `https://files.example.com/files-pri/T1-${good}/graph.png` })], '/blocks/0/slack_file'],
  ];
  for (const [blocks, pointer] of cases) {
    expect(await refusalOf(post(workspace, blocks))).toMatchObject(invalid(pointer));
  }
  await clientOf(workspace).files.delete({ file: good });
  expect(await refusalOf(post(workspace, [picture({ id: good })]))).toMatchObject(
    invalid('/blocks/0/slack_file'),
  );
});

test('a picture names its file one way, and says what it shows', async () => {
  const workspace = await testWorkspace({ fileDelay: 0 });
  const id = await completed(workspace, 'graph.png', DOT);
  const refused = async (block: object) => {
    const call = clientOf(workspace).apiCall('chat.postMessage', {
      channel: workspace.channels.alerts,
      blocks: [{ type: 'image', alt_text: 'A graph', ...block }],
    });
    return (await refusalOf(call)).errors;
  };
  const one = 'must have exactly one of: image_url, slack_file [json-pointer:/blocks/0]';
  expect(await refused({})).toEqual([one]);
  expect(await refused({ slack_file: { id }, image_url: 'https://example.com/a.png' })).toEqual([one]);
  expect(await refused({ slack_file: { id, url: 'https://example.com' } })).toEqual([
    'must have exactly one of: id, url [json-pointer:/blocks/0/slack_file]',
  ]);
  expect(await refused({ slack_file: { id }, alt_text: undefined })).toEqual([
    'missing required field: alt_text [json-pointer:/blocks/0]',
  ]);
});
