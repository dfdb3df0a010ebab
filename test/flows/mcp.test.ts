import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { callTool, connectMcp, slackSignature } from '../support/mcp.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { ALICE, BOB, CAROL, untilPosted } from '../support/talking.ts';
import { until } from '../support/until.ts';

/** The local workspace's. */
const TEAM = 'T0LOCAL001';
const READ = 'read-key-of-the-tests';
const WRITE = 'write-key-of-the-tests';
const TOOLS = [
  'list_issues',
  'get_issue',
  'get_result',
  'get_artifact',
  'explain_alert',
  'find_similar',
  'get_writeup',
  'get_record',
  'ask',
  'get_topology',
  'query_metric',
  'list_changes',
];

let around: Surroundings;
let bot: Bot;
let slackbotOf: (userId: string) => { secret: string; userId: string; teamId: string; now: () => number };

beforeEach(async () => {
  around = await startSurroundings('http');
  const { alerts, secrets } = around.workspace.channels;
  bot = await startBotOn(around, {
    env: {
      ALERT_CHANNELS: `${alerts},${secrets}`,
      MCP_TOKENS: `reader:${READ},writer:${WRITE}:write`,
      MCP_SLACKBOT: 'true',
      MCP_ORIGINS: 'https://agents.example.com',
    },
  });
  const { signingSecret: secret } = around.workspace;
  slackbotOf = (userId) => ({ secret, userId, teamId: TEAM, now: () => around.clock.now() });
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

async function investigated(
  channel: 'alerts' | 'secrets',
  name: string,
  words = 'Ready to fix',
): Promise<void> {
  const { ts } = await around.workspace.post({ ...alertmanagerAlert(name), channel });
  await untilPosted(around, { channel: around.workspace.channels[channel], ts }, words);
}

describe.each(['legacy', 'modern'] as const)('a client of the %s era', (era) => {
  it('reads an issue, its result, its evidence, and asks the agent', async () => {
    await investigated('alerts', 'CheckoutErrors');
    const client = await connectMcp(bot.url, { era, key: READ });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    const [first] = Object(await callTool(client, 'list_issues', { search: 'CheckoutErrors' })).data.issues;
    expect(first).toMatchObject({ number: '1', status: 'ready_to_fix', state: 'found' });
    expect((await callTool(client, 'list_issues')).text).toContain(first.rootCause);
    const words = String(first.rootCause).split(' ').slice(0, 4).join(' ');
    expect((await callTool(client, 'find_similar', { words })).data).toMatchObject({
      issues: [{ number: '1' }],
    });
    expect((await callTool(client, 'get_issue', { issue: '#1' })).data).toMatchObject({
      number: '1',
      version: 1,
    });
    const result = await callTool(client, 'get_result', { issue: '1' });
    expect(result.data).toMatchObject({ state: 'found' });
    expect(result.text).toContain('<data-of-others>');
    const handles = Object(result.data).evidence.flatMap((one: object) => Object(one).artifacts);
    const evidence = await callTool(client, 'get_artifact', { artifact: handles[0].artifact });
    expect(evidence).toMatchObject({ failed: false });
    expect((await callTool(client, 'find_similar', { issue: '1' })).failed).toBe(false);
    expect((await callTool(client, 'explain_alert', { issue: '1' })).data).toMatchObject({
      decisions: [{ decision: 'filed' }],
    });
    const answer = await callTool(client, 'ask', { question: 'What is open?' });
    expect(answer.text).toContain('CheckoutErrors');
    const { conversation } = answer.data;
    expect(
      (await callTool(client, 'ask', { question: 'Which of them is worst?', conversation })).failed,
    ).toBe(false);
    for (const [name, args] of [
      ['get_topology', { service: 'checkout-api' }],
      ['query_metric', { service: 'payments', metric: 'error rate' }],
      ['list_changes', {}],
    ] as const) {
      expect(await callTool(client, name, args), name).toMatchObject({ failed: false });
    }
    expect((await client.readResource({ uri: 'gumshoe://issues/1' })).contents[0]).toMatchObject({
      mimeType: 'text/markdown',
    });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['investigate', 'handover']);
    await client.close();
  });

  it('files an issue once however often it asks, and resolves it, with a key that may write', async () => {
    const client = await connectMcp(bot.url, { era, key: WRITE });
    const wish = { title: 'Checkout is slow', service: 'checkout-api' };
    const { data } = await callTool(client, 'file_issue', wish);
    expect(data).toMatchObject({ filed: true, number: '1' });
    expect((await callTool(client, 'file_issue', wish)).data).toEqual(data);
    const search = { search: String(data.reference) };
    await until(
      'it is filed',
      async () => Object(await callTool(client, 'list_issues', search)).data.issues[0],
    );
    expect(await callTool(client, 'set_status', { issue: '1', status: 'resolved' })).toMatchObject({
      data: { number: '1', status: 'resolved' },
    });
    const { data: issue } = await callTool(client, 'get_issue', { issue: '1' });
    expect(Object(issue).history.map(({ who, what }: Record<string, string>) => [who, what])).toEqual([
      ['mcp:writer', 'filed it'],
      ['mcp:writer', 'resolved it'],
    ]);
    const cards = () => around.workspace.messages(around.workspace.channels.alerts);
    await until('its card is posted', () => cards().length > 0);
    expect(cards()).toHaveLength(1);
    await client.close();
  });

  it('plans work in a watched public channel, which is told who plans what', async () => {
    const client = await connectMcp(bot.url, { era, key: WRITE });
    const { alerts, secrets } = around.workspace.channels;
    const work = { scope: ['payments'], minutes: 60, title: 'upgrade' };
    const planned = await callTool(client, 'plan_work', { ...work, channel: alerts });
    expect(planned).toMatchObject({ failed: false, data: { until: expect.any(String) } });
    const told = () => around.workspace.messages(alerts).map(wordsOf).join('\n');
    await until('it is announced', () => /agent `writer` planned work on \*payments\*/u.test(told()));
    for (const channel of [secrets, 'C0NOWHERE'])
      expect(await callTool(client, 'plan_work', { ...work, channel })).toMatchObject({ failed: true });
    await client.close();
  });
});

describe('the definitions', () => {
  it('are small, state all four hints, and offer writing only to keys that may', async () => {
    const client = await connectMcp(bot.url, { key: WRITE });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...TOOLS, 'file_issue', 'plan_work', 'set_status']);
    // Four characters a token, as models count English and JSON.
    expect(JSON.stringify(tools).length / 4).toBeLessThan(4_000);
    for (const { name, annotations, inputSchema, outputSchema } of tools) {
      const reads = !['file_issue', 'plan_work', 'set_status'].includes(name);
      expect(annotations, name).toEqual({
        readOnlyHint: reads,
        destructiveHint: false,
        idempotentHint: reads,
        openWorldHint: false,
      });
      expect([inputSchema.type, outputSchema?.type], name).toEqual(['object', 'object']);
      expect(JSON.stringify([inputSchema, outputSchema]), name).not.toContain('$schema');
    }
    await client.close();
  });
});

describe('what clients send', () => {
  const sent = (body: object, headers: Record<string, string>, path = '/mcp') =>
    fetch(new URL(path, bot.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${READ}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });
  const tool = (name: string, args: unknown) => ({
    method: 'tools/call',
    params: { name, arguments: args },
  });

  it.each(['*/*', 'application/json', ''])('is answered in JSON if it accepts %o', async (accept) => {
    for (const path of ['/mcp', '/mcp/']) {
      const response = await sent(tool('list_issues', null), { accept }, path);
      expect(response.headers.get('content-type'), path).toBe('application/json');
      expect(await response.json(), path).toMatchObject({
        id: 1,
        result: { structuredContent: { issues: [], next: null } },
      });
    }
  });

  it('hears how to authenticate, which paths there are, and that a key may only read', async () => {
    const unnamed = await sent({ method: 'tools/list' }, { authorization: '' });
    expect([unnamed.status, unnamed.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const elsewhere = await sent({ method: 'tools/list' }, {}, '/mcp/sse');
    expect([elsewhere.status, await elsewhere.json()]).toEqual([404, { error: 'not found' }]);
    const refused = await sent(tool('file_issue', { title: 'Checkout is slow' }), {});
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('This key may only read') },
    });
  });

  it('is allowed from the pages of MCP_ORIGINS, which may read the answer', async () => {
    const origin = 'https://agents.example.com';
    const asked = await fetch(new URL('/mcp', bot.url), {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-headers': 'authorization' },
    });
    expect([asked.status, asked.headers.get('access-control-allow-headers')]).toEqual([204, 'authorization']);
    const response = await sent(tool('list_issues', {}), { origin });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  });
});

describe('who may', () => {
  const call = (tool: string, args: object, extra: object = {}) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: args, ...extra },
    });

  function send(body: string, headers: Record<string, string>): Promise<Response> {
    const accept = 'application/json, text/event-stream';
    return fetch(new URL('/mcp', bot.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, ...headers },
      body,
    });
  }

  it('nobody without a key or a signature of now, and no browser of another site', async () => {
    const list = call('list_issues', {});
    const { signingSecret } = around.workspace;
    const person = (userId: string, team = TEAM) => ({
      _meta: { slack: { user_id: userId, team_id: team } },
    });
    const signed = (body: string, secret = signingSecret, ageMs = 0) =>
      send(body, slackSignature(body, secret, around.clock.now() - ageMs));
    const byAlice = call('list_issues', {}, person(ALICE));
    const statuses = await Promise.all(
      [
        send(list, {}),
        send(list, { authorization: 'Bearer nobody' }),
        send(list, { authorization: `Basic ${READ}` }),
        send(list, { authorization: `Bearer ${READ}`, origin: 'https://evil.example' }),
        signed(byAlice, 'wrong'),
        signed(byAlice, signingSecret, 6 * 60_000),
        signed(list),
        signed(call('list_issues', {}, person(ALICE, 'T0OTHER'))),
        signed(byAlice),
        send('{', { authorization: `Bearer ${READ}` }),
        send('x'.repeat(1_100_000), { authorization: `Bearer ${READ}` }),
        send(`[${list},${list}]`, { authorization: `Bearer ${READ}` }),
      ].map(async (one) => (await one).status),
    );
    expect(statuses).toEqual([401, 401, 401, 403, 401, 401, 403, 403, 200, 400, 413, 400]);
    const published = await fetch(new URL('/.well-known/oauth-protected-resource', bot.url));
    expect(published.status).toBe(404);
  });

  it('a private channel’s issue is nowhere for a key or a person outside, and there for its members', async () => {
    await investigated('secrets', 'VaultKeyRotationFailed');
    const inside = await connectMcp(bot.url, { era: 'legacy', slackbot: slackbotOf(BOB) });
    const shown = await callTool(inside, 'get_result', { issue: '1' });
    expect(shown.data).toMatchObject({ number: '1', version: 1 });
    expect(shown.meta).toMatchObject({
      slack: { blocks: [{ type: 'header' }, { type: 'markdown' }, { type: 'actions' }] },
    });
    const [{ artifact }] = Object(shown.data).evidence.flatMap((one: object) => Object(one).artifacts);
    for (const outside of [
      await connectMcp(bot.url, { key: WRITE }),
      await connectMcp(bot.url, { era: 'legacy', slackbot: slackbotOf(CAROL) }),
    ]) {
      const answers = [
        await callTool(outside, 'list_issues'),
        await callTool(outside, 'list_issues', { search: 'VaultKey' }),
        await callTool(outside, 'get_issue', { issue: '1' }),
        await callTool(outside, 'get_result', { issue: '1' }),
        await callTool(outside, 'get_artifact', { artifact }),
        await callTool(outside, 'find_similar', { words: 'VaultKey' }),
        await callTool(outside, 'find_similar', { issue: '1' }),
        await callTool(outside, 'explain_alert', { issue: '1' }),
        await callTool(outside, 'get_writeup', { issue: '1' }),
        await callTool(outside, 'ask', { issue: '1', question: 'why?' }),
        await callTool(outside, 'set_status', { issue: '1', status: 'resolved' }),
      ];
      expect(JSON.stringify(answers)).not.toMatch(/rotation|secrets/iu);
      const { contents } = await outside.readResource({ uri: 'gumshoe://issues/1' });
      expect(JSON.stringify(contents)).toContain('no issue #1');
    }
  });

  /** What somebody gets by every tool that reads issues, as it was sent. */
  async function everythingFor(caller: Parameters<typeof connectMcp>[1]): Promise<string[]> {
    const client = await connectMcp(bot.url, caller);
    const asked: [name: string, args: Record<string, unknown>][] = [
      ['list_issues', {}],
      ...['VaultKey', 'rotation', 'Checkout', 'e'].map((search): [string, object] => [
        'list_issues',
        { search },
      ]),
      ['list_issues', { limit: 1 }],
      ['list_issues', { limit: 1, search: 'VaultKey' }],
      ['list_issues', { limit: 1, status: 'ready_to_fix' }],
      ['find_similar', { words: 'VaultKey rotation failed' }],
      ...['1', '2', 'P1', 'P2', '3'].flatMap((issue): [string, object][] =>
        ['get_issue', 'get_result', 'find_similar', 'explain_alert', 'get_writeup'].map((name) => [
          name,
          { issue },
        ]),
      ),
    ].map(([name, args]) => [String(name), { ...Object(args) }]);
    const answers: string[] = [];
    for (const [name, args] of asked)
      answers.push(`${name} ${JSON.stringify(args)} ${JSON.stringify(await callTool(client, name, args))}`);
    for (const number of ['1', '2', 'P1', 'P2'])
      answers.push(JSON.stringify(await client.readResource({ uri: `gumshoe://issues/${number}` })));
    await client.close();
    return answers;
  }

  it('a private channel’s issues, like those they know or not, change nothing of what a key or a person outside gets', async () => {
    await investigated('alerts', 'CheckoutErrors');
    const outside = [{ key: READ }, { era: 'legacy' as const, slackbot: slackbotOf(CAROL) }] as const;
    const before = [await everythingFor(outside[0]), await everythingFor(outside[1])];
    await investigated('secrets', 'VaultKeyRotationFailed', 'A symptom of');
    await investigated('secrets', 'CheckoutLatencyHigh', 'A symptom of');
    expect(await everythingFor(outside[0])).toEqual(before[0]);
    expect(await everythingFor(outside[1])).toEqual(before[1]);
  });

  it('a signed request that is sent again changes nothing', async () => {
    await investigated('alerts', 'CheckoutErrors');
    const { signingSecret } = around.workspace;
    const by = { _meta: { slack: { user_id: ALICE, team_id: TEAM } } };
    const body = call('set_status', { issue: '1', status: 'resolved' }, by);
    const signature = slackSignature(body, signingSecret, around.clock.now());
    expect(await (await send(body, signature)).text()).toContain('#1 is resolved');
    const client = await connectMcp(bot.url, { key: WRITE });
    const reopened = await callTool(client, 'set_status', { issue: '1', status: 'open' });
    expect(reopened.data).toMatchObject({ number: '1', status: 'ready_to_fix' });
    await (await send(body, signature)).text();
    expect((await callTool(client, 'get_issue', { issue: '1' })).data).toMatchObject({
      status: 'ready_to_fix',
    });
    await client.close();
  });

  it('a key has so many calls a minute', async () => {
    const all = Array.from({ length: 300 }, () => send('{}', { authorization: `Bearer ${READ}` }));
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses).toContain(429);
  });
});

it('hostile arguments are refused or answered in words, and never reach the log as failures of ours', async () => {
  const client = await connectMcp(bot.url, { key: WRITE });
  const texts = [
    '',
    ' ',
    '-1',
    '1; drop table issues',
    'P',
    '99999999999999999999',
    '<!channel>',
    '\u0000',
    '\ud800',
    '../1',
    '%2e%2e',
    'a'.repeat(5_000),
  ];
  for (const text of texts) {
    for (const [name, key] of [
      ['get_issue', 'issue'],
      ['get_result', 'issue'],
      ['get_artifact', 'artifact'],
      ['find_similar', 'words'],
      ['list_issues', 'cursor'],
      ['list_issues', 'search'],
      ['explain_alert', 'message'],
    ] as const) {
      const { failed, text: said } = await callTool(client, name, { [key]: text }).catch((error: Error) => ({
        failed: true,
        text: error.message,
      }));
      expect(said, `${name} ${text.slice(0, 20)}`).not.toContain('failed for a reason');
      expect(typeof failed).toBe('boolean');
    }
  }
  await client.close();
});
