import { randomBytes } from 'node:crypto';
import { LogLevel, WebClient } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import type { Random } from '../src/ids.ts';
import type { PageFaults } from '../src/page-panel.ts';
import type { Workspace } from '../src/workspace.ts';
import { clientOf, eventsOf, refusalOf, SCOPES, tempFolder, testWorkspace, until } from '../testing/index.ts';
import { instantClock, manualClock } from './support/manual-clock.ts';

const NONE: PageFaults = {
  latencyMs: 0,
  rateLimited: 0,
  serverErrors: 0,
  resetsBefore: 0,
  resetsAfter: 0,
  methods: [],
  twins: false,
  shuffleMs: 0,
  token: null,
  withheldScopes: [],
  refusedBlocks: [],
};

/** Randomness whose draws, which are of four bytes, are these in turn, each from 0 to below 1. */
function drawing(...draws: number[]): Random {
  return (size) => {
    const draw = size === 4 ? draws.shift() : undefined;
    if (draw === undefined) return randomBytes(size);
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(Math.floor(draw * 2 ** 32));
    return bytes;
  };
}

const post = (workspace: Workspace, text = 'hi') =>
  clientOf(workspace).chat.postMessage({ channel: workspace.channels.general, text });

/** What Slack's client makes of it: `ok`, or its code, with the status or the seconds to wait. */
async function fateOf(call: Promise<{ ok: boolean }>): Promise<string> {
  return call.then(
    () => 'ok',
    (error) => [error.code, error.statusCode ?? error.retryAfter].filter((part) => part).join(' '),
  );
}

const texts = (workspace: Workspace) =>
  workspace.messages(workspace.channels.general).map(({ text }) => text);

describe('a call of the Web API', () => {
  test.each([
    ['rateLimited', 'slack_webapi_rate_limited_error 1', []],
    ['serverErrors', 'slack_webapi_http_error 500', []],
    ['resetsBefore', 'slack_webapi_request_error', []],
    ['resetsAfter', 'slack_webapi_request_error', ['hi']],
  ] as const)('of which %s take all ends so: %s', async (fault, fate, posted) => {
    const workspace = await testWorkspace();
    workspace.setFaults({ [fault]: 1 });
    expect(await fateOf(post(workspace))).toBe(fate);
    expect(texts(workspace)).toEqual(posted);
    workspace.setFaults({ [fault]: 0 });
    expect(await fateOf(post(workspace))).toBe('ok');
  });

  test('is hit by each fault as often as its share says, by the workspace’s randomness', async () => {
    const workspace = await testWorkspace({ random: drawing(0, 0.19, 0.21, 0.41, 0.61, 0.79, 0.81, 0.99) });
    workspace.setFaults({ rateLimited: 0.2, serverErrors: 0.2, resetsBefore: 0.2, resetsAfter: 0.2 });
    const fates: string[] = [];
    for (let call = 1; call <= 8; call += 1) fates.push(await fateOf(post(workspace, `${call}`)));
    expect(fates).toEqual([
      'slack_webapi_rate_limited_error 1',
      'slack_webapi_rate_limited_error 1',
      'slack_webapi_http_error 500',
      'slack_webapi_request_error',
      'slack_webapi_request_error',
      'slack_webapi_request_error',
      'ok',
      'ok',
    ]);
    expect(texts(workspace)).toEqual(['5', '6', '7', '8']);
  });

  test('of a method that is not among those to be hit passes', async () => {
    const workspace = await testWorkspace();
    workspace.setFaults({ serverErrors: 1, methods: ['chat.postMessage', 'chat.update'] });
    expect(await fateOf(post(workspace))).toBe('slack_webapi_http_error 500');
    expect(await fateOf(clientOf(workspace).auth.test())).toBe('ok');
  });

  test('that is refused breaks off all the same, and the app does not hear why', async () => {
    const workspace = await testWorkspace();
    workspace.setFaults({ resetsAfter: 1 });
    const call = clientOf(workspace).chat.postMessage({ channel: 'C0NOWHERE', text: 'hi' });
    expect(await fateOf(call)).toBe('slack_webapi_request_error');
  });

  test('takes so much longer, and no method but those that are named', async () => {
    const clock = instantClock();
    const workspace = await testWorkspace({ clock });
    workspace.setFaults({ latencyMs: 700, methods: ['chat.postMessage'] });
    await clientOf(workspace).auth.test();
    expect(clock.slept).not.toContain(700);
    await post(workspace);
    expect(clock.slept.filter((ms) => ms === 700)).toHaveLength(1);
  });

  test('that is still late does not keep the workspace from stopping', async () => {
    const clock = manualClock();
    let isLate = false;
    const sleep: typeof clock.sleep = (ms, signal) => {
      isLate ||= ms === 60_000;
      return clock.sleep(ms, signal);
    };
    const workspace = await testWorkspace({ clock: { now: clock.now, sleep } });
    workspace.setFaults({ latencyMs: 60_000 });
    const fate = fateOf(post(workspace));
    await until(() => isLate);
    await workspace.close();
    expect(await fate).toMatch(/^(ok|slack_webapi_request_error)$/);
  });

  test('is repeated by Slack’s own client until it passes', async () => {
    const workspace = await testWorkspace({ random: drawing(0.1, 0.1, 0.9) });
    const client = new WebClient(workspace.botToken, {
      slackApiUrl: workspace.apiUrl,
      retryConfig: { retries: 2, minTimeout: 1, maxTimeout: 2 },
      logLevel: LogLevel.ERROR,
    });
    workspace.setFaults({ resetsBefore: 0.5 });
    await client.chat.postMessage({ channel: workspace.channels.general, text: 'at last' });
    expect(texts(workspace)).toEqual(['at last']);
  });
});

describe('an event', () => {
  test('comes twice, the same', async () => {
    const workspace = await testWorkspace();
    const events = await eventsOf(workspace);
    workspace.setFaults({ twins: true });
    await workspace.post({ channel: 'alerts', text: 'twin' });
    await until(() => events.length === 2);
    workspace.setFaults({ twins: false });
    await workspace.post({ channel: 'alerts', text: 'single' });
    await until(() => events.length === 3);
    expect(events[1]).toEqual(events[0]);
    expect(events.map(({ text }) => text)).toEqual(['twin', 'twin', 'single']);
  });

  test('comes late, each by another time, so that a later one overtakes it', async () => {
    const clock = manualClock();
    const workspace = await testWorkspace({ clock, random: drawing(0.9, 0.1) });
    const events = await eventsOf(workspace);
    workspace.setFaults({ shuffleMs: 1_000 });
    await workspace.post({ channel: 'alerts', text: 'first' });
    await workspace.post({ channel: 'alerts', text: 'second' });
    await clock.pass(99);
    expect(events).toEqual([]);
    await clock.pass(1);
    await until(() => events.length === 1);
    await clock.pass(800);
    await until(() => events.length === 2);
    expect(events.map(({ text }) => text)).toEqual(['second', 'first']);
  });

  test('that is late when the workspace stops is not lost', async () => {
    const file = `${await tempFolder()}/kept.db`;
    const clock = manualClock();
    const before = await testWorkspace({ file, clock, random: drawing(0.9) });
    before.setFaults({ shuffleMs: 60_000 });
    await before.post({ channel: 'alerts', text: 'late' });
    await before.close();

    const after = await testWorkspace({ file, clock });
    const events = await eventsOf(after);
    await clock.pass(60_000);
    await until(() => events.length === 1);
    expect(events).toMatchObject([{ text: 'late' }]);
  });
});

test('a token is refused with the word that was chosen, the app’s own for sockets is not', async () => {
  const workspace = await testWorkspace();
  workspace.setFaults({ token: 'token_revoked' });
  expect(await refusalOf(clientOf(workspace).auth.test())).toMatchObject({ error: 'token_revoked' });
  expect(await clientOf(workspace, workspace.appToken).auth.test()).toMatchObject({ ok: true });
  workspace.setFaults({ token: null });
  expect(await clientOf(workspace).auth.test()).toMatchObject({ ok: true });
});

test('a scope that is withheld is missing, as Slack says it, until it is granted', async () => {
  const workspace = await testWorkspace();
  const granted = SCOPES.filter((scope) => scope !== 'users:read').join(',');
  workspace.setFaults({ withheldScopes: ['users:read'] });
  expect(await refusalOf(clientOf(workspace).users.info({ user: 'U0ALICE001' }))).toMatchObject({
    error: 'missing_scope',
    needed: 'users:read',
    provided: granted,
  });
  workspace.setFaults({ withheldScopes: [] });
  expect(await clientOf(workspace).users.info({ user: 'U0ALICE001' })).toMatchObject({ ok: true });
});

test('a type of block that the workspace does not have is refused, as Slack says it, until it has it', async () => {
  const workspace = await testWorkspace();
  workspace.setFaults({ refusedBlocks: ['container'] });
  const { chat } = clientOf(workspace);
  const folded = {
    type: 'container',
    title: { type: 'plain_text', text: 'Evidence' },
    child_blocks: [{ type: 'divider' }],
  };
  const message = { channel: workspace.channels.alerts, text: 'x', blocks: [{ type: 'divider' }, folded] };
  expect(await refusalOf(chat.postMessage(message))).toMatchObject({
    error: 'invalid_blocks',
    errors: ['unsupported type: container [json-pointer:/blocks/1/type]'],
  });
  workspace.setFaults({ refusedBlocks: [] });
  expect(await chat.postMessage(message)).toMatchObject({ ok: true });
});

test('a token that is refused and scopes that are taken away by a test are faults like any other', async () => {
  const workspace = await testWorkspace();
  workspace.refuseToken('account_inactive');
  workspace.grantScopes(SCOPES.filter((scope) => scope !== 'users:read'));
  expect(workspace.faults()).toEqual({ ...NONE, token: 'account_inactive', withheldScopes: ['users:read'] });
  workspace.refuseToken(null);
  workspace.grantScopes();
  expect(workspace.faults()).toEqual(NONE);
});

test('a workspace that starts anew has no faults', async () => {
  const file = `${await tempFolder()}/kept.db`;
  const before = await testWorkspace({ file });
  before.setFaults({ serverErrors: 1, token: 'token_revoked', twins: true });
  before.setFaults({ latencyMs: 5 });
  expect(before.faults()).toEqual({
    ...NONE,
    serverErrors: 1,
    token: 'token_revoked',
    twins: true,
    latencyMs: 5,
  });
  await before.close();

  const after = await testWorkspace({ file });
  expect(after.faults()).toEqual(NONE);
  expect(await clientOf(after).auth.test()).toMatchObject({ ok: true });
});
