import { describe, expect, it, test } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { type ControlPanel, panelCall } from '../src/control-panel.ts';
import type { PagePanel, PageSection } from '../src/page-panel.ts';
import type { Workspace } from '../src/workspace.ts';
import { callPage, clientOf, listenToPage, servePage, testWorkspace, until } from '../testing/index.ts';

const NONE = {
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
const PUMP: PageSection = {
  id: 'pump',
  short: 'Pump',
  title: 'The pump',
  about: 'Pumps.',
  buttons: [{ label: 'Stop', call: 'pump', values: { run: false }, busy: 'Stopping…', done: 'Stopped.' }],
};

/** A panel with one call, which writes down what it is asked for and refuses to run at a speed that it does not have. */
function recordingPanel() {
  const asked: unknown[] = [];
  const listeners: (() => void)[] = [];
  let sections = [PUMP];
  const Pump = z.strictObject({ run: z.boolean(), speed: z.enum(['slow', 'fast', 'faster']).optional() });
  const controlPanel: ControlPanel = {
    sections: () => sections,
    calls: {
      pump: panelCall(Pump, async (input) => {
        if (input.speed === 'faster') return { ok: false, error: 'The pump cannot run faster.' };
        asked.push(input);
        return { ok: true };
      }),
    },
    onChange: (listener) => listeners.push(listener),
  };
  const change = (to: PageSection[]) => {
    sections = to;
    for (const listener of listeners) listener();
  };
  return { controlPanel, asked, change };
}

async function viewOf(page: string): Promise<PagePanel> {
  return JSON.parse(await (await fetch(`${page}/page-api/stage`)).text());
}

describe('a workspace that was started by itself', () => {
  it('shows its own faults, and that there is nothing else', async () => {
    const page = await servePage(await testWorkspace());
    expect(await viewOf(page)).toEqual({ sections: [], webhooks: expect.any(Array), faults: NONE });
  });
});

describe('what is around the workspace', () => {
  it('is asked for what the page asks for, and what it answers is passed on', async () => {
    const { controlPanel, asked } = recordingPanel();
    const page = await servePage(await testWorkspace({ controlPanel }));
    expect(await viewOf(page)).toEqual({ sections: [PUMP], webhooks: expect.any(Array), faults: NONE });
    expect(await callPage(page, 'stage/pump', { run: false })).toEqual({ ok: true });
    expect(await callPage(page, 'stage/pump', { run: true, speed: 'fast' })).toEqual({ ok: true });
    expect(asked).toEqual([{ run: false }, { run: true, speed: 'fast' }]);
    expect(await callPage(page, 'stage/pump', { run: true, speed: 'faster' })).toEqual({
      ok: false,
      error: 'The pump cannot run faster.',
    });
  });

  it('is on every open page as soon as it changes, and so are the faults', async () => {
    const { controlPanel, change } = recordingPanel();
    const workspace = await testWorkspace({ controlPanel });
    const page = await servePage(workspace);
    const heard = await listenToPage(page);
    const stopped: PageSection = { ...PUMP, state: { text: 'Stopped.', tone: 'bad' } };
    change([stopped]);
    await callPage(page, 'stage/faults', { twins: true });
    workspace.setFaults({ latencyMs: 20 });
    const down = { sections: [stopped], webhooks: expect.any(Array) };
    await until(() => heard().length === 3);
    expect(heard()).toEqual([
      { type: 'stage', stage: { ...down, faults: NONE } },
      { type: 'stage', stage: { ...down, faults: { ...NONE, twins: true } } },
      { type: 'stage', stage: { ...down, faults: { ...NONE, twins: true, latencyMs: 20 } } },
    ]);
  });
});

describe('faults', () => {
  it('that a person switches on hit the app, and are off where they are left out the next time', async () => {
    const workspace = await testWorkspace();
    const page = await servePage(workspace);
    // All of the calls, though these add up to a little more than 1 in binary.
    const shares = { rateLimited: 0.2, serverErrors: 0.4, resetsBefore: 0.3, resetsAfter: 0.1 };
    const wanted = { ...NONE, ...shares, methods: ['auth.test'] };
    expect(await callPage(page, 'stage/faults', wanted)).toEqual({ ok: true });
    expect((await viewOf(page)).faults).toEqual(wanted);
    expect(await callPage(page, 'stage/faults', { serverErrors: 1 })).toEqual({ ok: true });
    await expect(clientOf(workspace).auth.test()).rejects.toMatchObject({ statusCode: 500 });
    expect(await callPage(page, 'stage/faults', {})).toEqual({ ok: true });
    expect(workspace.faults()).toEqual(NONE);
    expect(await clientOf(workspace).auth.test()).toMatchObject({ ok: true });
  });

  it.each([
    [{ rateLimited: 1.1 }, 'rateLimited must be a number from 0 to 1.'],
    [{ resetsBefore: '0.5' }, 'resetsBefore must be a number from 0 to 1.'],
    [{ latencyMs: -1 }, 'latencyMs must be a number from 0 to 60000.'],
    [
      { rateLimited: 0.5, serverErrors: 0.6 },
      'The body must not have rateLimited, serverErrors, resetsBefore and resetsAfter add up to more than 1.',
    ],
    [{ methods: ['chat.postMesage'] }, 'methods: the local Slack has no method chat.postMesage.'],
    [{ twins: 'yes' }, 'twins must be true or false.'],
    [{ token: 'Revoked!' }, 'token must be a Slack error code such as token_revoked.'],
    [{ refusedBlocks: ['charts'] }, 'refusedBlocks: the local Slack has no block charts.'],
    [{ withheldScopes: ['admin'] }, 'The app’s manifest does not request the scope admin.'],
    [{ latency: 5 }, 'The body must not have latency.'],
    [[], 'The body must be a JSON object.'],
  ])('that make no sense, %j, are refused in a sentence and change nothing', async (body, error) => {
    const workspace = await testWorkspace();
    const page = await servePage(workspace);
    expect(await callPage(page, 'stage/faults', body)).toEqual({ ok: false, error });
    expect(workspace.faults()).toEqual(NONE);
  });
});

test.each([
  ['stage/pump', {}, 'run must be true or false.'],
  ['stage/pump', { run: true, speed: 'x' }, 'speed must be one of slow, fast, faster.'],
  ['stage/pump', { run: true, at: 1 }, 'The body must not have at.'],
  ['stage/socket', { reason: 'x' }, 'reason must be one of warning, refresh_requested, drop.'],
])('%s with %j is answered in a sentence', async (path, body, error) => {
  const { controlPanel, asked } = recordingPanel();
  const page = await servePage(await testWorkspace({ controlPanel }));
  expect(await callPage(page, path, body)).toEqual({ ok: false, error });
  expect(asked).toEqual([]);
});

describe('a Socket Mode connection', () => {
  async function connected(workspace: Workspace) {
    const { url = '' } = await clientOf(workspace, workspace.appToken).apps.connections.open();
    const socket = new WebSocket(url);
    const frames: { type: string; reason?: string }[] = [];
    const codes: number[] = [];
    socket.on('message', (data) => frames.push(JSON.parse(String(data))));
    socket.on('close', (code) => codes.push(code));
    await until(() => frames.some(({ type }) => type === 'hello'));
    return { frames, codes };
  }

  it.each(['warning', 'refresh_requested'])('is told of its end: %s', async (reason) => {
    const workspace = await testWorkspace();
    const page = await servePage(workspace);
    const { frames, codes } = await connected(workspace);
    expect(await callPage(page, 'stage/socket', { reason })).toEqual({ ok: true });
    await until(() => frames.length === 2);
    expect(frames[1]).toMatchObject({ type: 'disconnect', reason });
    expect(codes).toEqual([]);
  });

  it('is dropped without a word', async () => {
    const workspace = await testWorkspace();
    const page = await servePage(workspace);
    const { frames, codes } = await connected(workspace);
    expect(await callPage(page, 'stage/socket', { reason: 'drop' })).toEqual({ ok: true });
    await until(() => codes.length === 1);
    expect(codes).toEqual([1006]);
    expect(frames).toHaveLength(1);
    await until(() => !workspace.online());
  });

  it('that is not there cannot be ended', async () => {
    const page = await servePage(await testWorkspace());
    expect(await callPage(page, 'stage/socket', { reason: 'drop' })).toEqual({
      ok: false,
      error: 'The app has no open Socket Mode connection.',
    });
  });
});

test.each(['stage', 'stage/nothing', 'constructor', 'toString'])('POST /%s is nothing', async (path) => {
  const page = await servePage(await testWorkspace());
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${page}/page-api/${path}`, { method: 'POST', headers, body: '{}' })).status).toBe(404);
});
