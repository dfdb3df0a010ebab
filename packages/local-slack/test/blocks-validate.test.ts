import { expect, test } from 'vitest';
import { clientOf, refusalOf, testWorkspace } from '../testing/index.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const validate = async (args: Record<string, unknown>) => {
  const client = clientOf(await testWorkspace());
  return client.apiCall('blocks.validate', args);
};
const refusal = async (args: Record<string, unknown>) => refusalOf(validate(args));

const UNKNOWN = { type: 'section', text: { type: 'plain', text: 'x' } };
const FAULT = {
  code: 'failed_constraint',
  message: 'unsupported type: plain',
  constraint: { type: 'enum', expected: ['mrkdwn', 'plain_text'], got: 'plain' },
};

test('blocks, a message or a view that Slack would take are fine, and nothing is posted', async () => {
  const workspace = await testWorkspace();
  const client = clientOf(workspace);
  const blocks = [{ type: 'section', text: plain('x') }];
  const payloads = [
    { blocks },
    { message: { text: 'x', blocks, attachments: [{ blocks }] } },
    { view: { type: 'modal', title: plain('x'), blocks } },
    { view: { type: 'home', blocks } },
  ];
  for (const payload of payloads) {
    expect(await client.apiCall('blocks.validate', payload)).toMatchObject({ ok: true });
  }
  expect(workspace.messages(workspace.channels.alerts)).toEqual([]);
});

test('each fault has a pointer into what was sent, a code, a sentence, and what was expected', async () => {
  expect(await refusal({ blocks: [UNKNOWN] })).toMatchObject({
    error: 'invalid_blocks',
    errors: [{ pointer: '/0/text/type', ...FAULT }],
  });
  expect(
    await refusal({ message: { blocks: [UNKNOWN], attachments: [{ blocks: [UNKNOWN] }] } }),
  ).toMatchObject({
    error: 'invalid_message',
    errors: [
      { pointer: '/blocks/0/text/type', ...FAULT },
      { pointer: '/attachments/0/blocks/0/text/type', ...FAULT },
    ],
  });
  expect(
    await refusal({ view: { type: 'modal', title: plain('x'.repeat(25)), blocks: [UNKNOWN] } }),
  ).toMatchObject({
    error: 'invalid_view',
    errors: [
      { pointer: '/title/text', code: 'failed_constraint', message: 'must be less than 25 characters' },
      { pointer: '/blocks/0/text/type', ...FAULT },
    ],
  });
});

test('what is no list of blocks is a fault too', async () => {
  expect(await refusal({ blocks: 'nonsense' })).toMatchObject({
    error: 'invalid_blocks',
    errors: [{ pointer: '', code: 'failed_constraint', message: 'must provide an array' }],
  });
});

test('exactly one of blocks, message and view is checked', async () => {
  for (const args of [{}, { blocks: [], message: {} }]) {
    expect(await refusal(args)).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: ['[ERROR] must provide exactly one of: blocks, message, view'] },
    });
  }
});
