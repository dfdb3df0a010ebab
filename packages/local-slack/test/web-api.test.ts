import { expect, test } from 'vitest';
import { clientOf, refusalOf, SCOPES, testWorkspace } from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';

test('auth.test says who the app is, and its scopes stand in a header as Slack sends them', async () => {
  const workspace = await testWorkspace();
  const answer = await clientOf(workspace).auth.test();
  expect(answer).toMatchObject({
    ok: true,
    url: 'http://localhost:3000/',
    team: 'Local workspace',
    user: 'tester',
    team_id: 'T0LOCAL001',
    user_id: workspace.botUserId,
    bot_id: 'B0LOCAL001',
  });
  expect(answer.response_metadata?.scopes).toContain('chat:write');
});

test('each wrong token has its own refusal', async () => {
  const workspace = await testWorkspace();
  const post = (token: string) => clientOf(workspace, token).chat.postMessage({ channel: 'x', text: 'x' });
  expect(await refusalOf(post('xoxb-wrong'))).toMatchObject({ ok: false, error: 'invalid_auth' });
  expect(await refusalOf(post(workspace.appToken))).toMatchObject({ error: 'not_allowed_token_type' });
  const opened = clientOf(workspace).apps.connections.open();
  expect(await refusalOf(opened)).toMatchObject({ error: 'not_allowed_token_type' });
  const bare = await fetch(`${workspace.apiUrl}auth.test`, { method: 'POST' });
  expect(await bare.json()).toEqual({ ok: false, error: 'not_authed' });
});

test('what the workspace lacks is unknown_method', async () => {
  const workspace = await testWorkspace();
  const refusal = await refusalOf(clientOf(workspace).apiCall('stars.list'));
  expect(refusal).toMatchObject({ ok: false, error: 'unknown_method', req_method: 'stars.list' });
});

test('a scope that the manifest lacks is named', async () => {
  const scopes = SCOPES.filter((scope) => scope !== 'reactions:write');
  const workspace = await testWorkspace({ scopes });
  const { channels } = workspace;
  const { ts } = await workspace.post({ channel: 'alerts', text: 'x' });
  const add = clientOf(workspace).reactions.add({ channel: channels.alerts, timestamp: ts, name: 'eyes' });
  expect(await refusalOf(add)).toMatchObject({
    error: 'missing_scope',
    needed: 'reactions:write',
    provided: expect.stringContaining('chat:write'),
  });
});

test('JSON, urlencoded and multipart bodies are one to a method', async () => {
  const workspace = await testWorkspace();
  const blocks = [{ type: 'divider', block_id: 'd' }];
  const fields = { channel: workspace.channels.alerts, text: 'x', blocks: JSON.stringify(blocks) };
  const multipart = new FormData();
  for (const [name, value] of Object.entries(fields)) multipart.set(name, value);
  const json = JSON.stringify({ ...fields, blocks });
  const bodies = [
    { body: json, headers: { 'content-type': 'application/json; charset=utf-8' } },
    { body: new URLSearchParams(fields), headers: {} },
    { body: multipart, headers: {} },
  ];
  for (const { body, headers } of bodies) {
    const response = await fetch(`${workspace.apiUrl}chat.postMessage`, {
      method: 'POST',
      body,
      headers: { ...headers, authorization: `Bearer ${workspace.botToken}` },
    });
    expect(await response.json()).toMatchObject({ ok: true, message: { blocks } });
  }
});

test('a body that is not what it says is refused, and the server lives on', async () => {
  const workspace = await testWorkspace();
  const response = await fetch(`${workspace.apiUrl}api.test`, {
    method: 'POST',
    body: '{"a":',
    headers: { 'content-type': 'application/json' },
  });
  expect(await response.json()).toEqual({ ok: false, error: 'invalid_form_data' });
  expect(await clientOf(workspace).apiCall('api.test', { foo: 'bar' })).toMatchObject({
    ok: true,
    args: { foo: 'bar' },
  });
});

test('one post a second and channel, after a small burst; another channel is not held up', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock });
  const client = clientOf(workspace);
  const post = (channel: string) => client.chat.postMessage({ channel, text: 'x' });
  for (let count = 0; count < 5; count += 1) await post(workspace.channels.alerts);

  const cause = await post(workspace.channels.alerts).catch((error: unknown) => error);
  expect(cause).toMatchObject({ code: 'slack_webapi_rate_limited_error', retryAfter: 1 });
  expect(await post(workspace.channels.general)).toMatchObject({ ok: true });
  await clock.pass(1_000);
  expect(await post(workspace.channels.alerts)).toMatchObject({ ok: true });
});

test('a method has its calls a minute', async () => {
  const clock = manualClock();
  const workspace = await testWorkspace({ clock });
  const list = () => clientOf(workspace).users.list({});
  for (let count = 0; count < 20; count += 1) await list();
  expect(await list().catch((error: unknown) => error)).toMatchObject({ retryAfter: 3 });
  await clock.pass(3_000);
  expect(await list()).toMatchObject({ ok: true });
});
