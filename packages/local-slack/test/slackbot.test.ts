import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { testWorkspace, until } from '../testing/index.ts';

const ALICE = 'U0ALICE001';
const DIRECT = 'DSBALICE001';

const READ = { readOnlyHint: true };
const text = { type: 'string' };
const TOOLS = [
  {
    name: 'list_orders',
    title: 'List orders',
    description: 'What is open.',
    inputSchema: { type: 'object', properties: {} },
    annotations: READ,
  },
  {
    name: 'get_order',
    description: 'One order, by its number.',
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    annotations: READ,
    _meta: { slack: { supportsBlockKit: true } },
  },
  {
    name: 'ask',
    description: 'Answers a question about delivery.',
    inputSchema: { type: 'object', properties: { question: text, id: text }, required: ['question'] },
    annotations: READ,
  },
  {
    name: 'cancel_order',
    title: 'Cancel an order',
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  },
];

const says = (words: string) => ({ content: [{ type: 'text', text: words }] });

/** A workspace whose app answers calls of tools with `answers`, or with the call itself. */
async function withServer({ answers = {} as Record<string, object>, stream = false, status = 200 } = {}) {
  const heard: { method: string; params: Record<string, unknown>; signed: boolean }[] = [];
  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    const { id, method, params } = JSON.parse(body);
    const { 'x-slack-request-timestamp': at, 'x-slack-signature': signature } = request.headers;
    const digest = createHmac('sha256', workspace.signingSecret).update(`v0:${at}:${body}`).digest('hex');
    heard.push({ method, params, signed: signature === `v0=${digest}` });
    const call = () => answers[params.name] ?? says(`${params.name} ${JSON.stringify(params.arguments)}`);
    const results: Record<string, () => object> = {
      initialize: () => ({ protocolVersion: '2025-06-18' }),
      'tools/list': () => ({ tools: TOOLS }),
      'tools/call': call,
    };
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const error = { code: -32_000, message: 'not for <you>' };
    const message = { jsonrpc: '2.0', id, ...(status === 200 ? { result: results[method]?.() } : { error }) };
    const sent = JSON.stringify(message);
    response.writeHead(status, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
    response.end(stream ? `event: message\ndata: ${sent}\n\n` : sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const workspace = await testWorkspace({ mcpServer: () => `http://127.0.0.1:${port}/mcp` });
  const answered = () => workspace.messages(DIRECT).filter(({ username }) => username === 'Slackbot');
  const last = () => {
    const message = answered().at(-1);
    if (!message) throw new Error('Slackbot has not answered.');
    return message;
  };
  const ask = async (words: string) => {
    const before = answered().length;
    await workspace.post({ channel: DIRECT, user: ALICE, text: words });
    await until(() => answered().length > before);
    return last();
  };
  /** Presses a button of Slackbot's last message, which is then returned. */
  const press = async (action_id: string) => {
    const { ts, blocks } = last();
    const row = Object((blocks ?? []).find((one) => Object(one).type === 'actions'));
    const pressed = { as: ALICE, channel: DIRECT, message_ts: ts, block_id: row.block_id, action_id };
    expect(await workspace.action(pressed)).toEqual({ ok: true });
    return last();
  };
  return { workspace, heard, ask, press, answered };
}

test.each([
  ['get_order id=7', 'get_order {"id":7}'],
  ['get_order {"id":7}', 'get_order {"id":7}'],
  ['ask question="where is it?" id=7', 'ask {"question":"where is it?","id":"7"}'],
  ['ask where is #7?', 'ask {"id":"7","question":"where is #7?"}'],
  ['which orders are open', 'list_orders {}'],
  ['show the order of that number, 12', 'get_order {"id":12}'],
  ['a question about R&amp;D', 'ask {"question":"a question about R&amp;D"}'],
  ['get_order', '`get_order` needs more. Write `get_order id=…`.'],
  [
    'hm',
    'I can call\n• `list_orders` List orders\n• `get_order` \n• `ask` \n• `cancel_order` Cancel an order',
  ],
])('%s', async (words, answer) => {
  const { ask } = await withServer();
  expect((await ask(words)).text).toBe(answer);
});

test.each([false, true])(
  'each request is signed and names the person, answered as JSON or as a stream',
  async (stream) => {
    const { workspace, heard, ask } = await withServer({ stream });
    expect(await ask('list_orders')).toMatchObject({ text: 'list_orders {}' });
    const named = { _meta: { slack: { user_id: ALICE, team_id: 'T0LOCAL001' } } };
    expect(heard).toMatchObject(
      ['initialize', 'notifications/initialized', 'tools/list', 'tools/call'].map((method) => ({
        method,
        params: named,
        signed: true,
      })),
    );
    expect(workspace.messages('DSBBOB00001')).toEqual([]);
  },
);

test('blocks are shown, and their buttons call tools whose answers take the place of the message', async () => {
  const button = {
    type: 'button',
    text: { type: 'plain_text', text: 'All' },
    action_id: 'tool:list_orders',
    value: '{}',
  };
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: 'Order 7' } },
    { type: 'actions', elements: [button] },
  ];
  const { ask, press, answered } = await withServer({
    answers: { get_order: { ...says('Order 7'), _meta: { slack: { blocks } } } },
  });
  expect(await ask('get_order id=7')).toMatchObject({ text: 'Order 7', blocks });
  const replaced = await press('tool:list_orders');
  expect(replaced).toMatchObject({ text: 'list_orders {}' });
  expect([replaced.blocks, replaced.edited, answered().length]).toEqual([undefined, undefined, 1]);
});

test('one invalid block drops all, and the text says so; a tool that takes no blocks has none', async () => {
  const blocks = [
    { type: 'divider' },
    { type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } },
  ];
  const answer = { ...says('Order 7'), _meta: { slack: { blocks } } };
  const { ask } = await withServer({
    answers: { get_order: answer, list_orders: { ...answer, _meta: { slack: { blocks: [blocks[0]] } } } },
  });
  const dropped = await ask('get_order id=7');
  expect(dropped.blocks).toBe(undefined);
  expect(dropped.text).toBe(
    'Order 7\n\n_Its blocks were dropped: invalid_blocks (must be less than 151 characters [json-pointer:/blocks/1/text/text])_',
  );
  expect((await ask('list_orders')).blocks).toBe(undefined);
});

test('a tool that may change something asks first', async () => {
  const { heard, ask, press } = await withServer();
  const calls = () => heard.filter(({ method }) => method === 'tools/call').length;
  const question = 'May I call *Cancel an order* with `{"id":7}`? It may change something.';
  expect((await ask('cancel_order id=7')).text).toBe(question);
  expect(await press('deny:cancel_order')).toMatchObject({ text: '`cancel_order` was not called.' });
  expect(calls()).toBe(0);
  await ask('cancel_order id=7');
  expect(await press('allow:cancel_order')).toMatchObject({ text: 'cancel_order {"id":7}' });
  expect(calls()).toBe(1);
});

test('what goes wrong is a sentence', async () => {
  const { ask } = await withServer({ status: 403 });
  expect((await ask('list_orders')).text).toBe(
    'The app’s MCP server refused initialize: not for &lt;you&gt;',
  );
});

test.each([
  [{ mcpServer: () => null }, 'I have no tools'],
  [{}, 'I have no tools'],
  [{ mcpServer: () => 'http://127.0.0.1:1/mcp' }, 'did not answer'],
])('without a server that answers, Slackbot says so', async (options, sentence) => {
  const workspace = await testWorkspace(options);
  const post = { channel: DIRECT, user: ALICE, text: 'hello' };
  const { ts } = await workspace.post(post);
  await workspace.post({ ...post, thread_ts: ts });
  await until(() => workspace.messages(DIRECT, ts).length === 3 && workspace.messages(DIRECT).length === 2);
  expect(workspace.messages(DIRECT).at(-1)?.text).toContain(sentence);
  expect(workspace.messages(DIRECT, ts).at(-1)?.text).toContain(sentence);
});
