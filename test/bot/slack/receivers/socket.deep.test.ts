import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import { startWorkspace } from 'local-slack';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../../src/bot/shared/metrics.ts';
import type { Inbox } from '../../../../src/bot/slack/receivers/inbox.ts';
import { createSocketReceiver } from '../../../../src/bot/slack/receivers/socket.ts';
import { type Clock, systemClock } from '../../../../src/lib/clock.ts';
import { MANIFEST } from '../../../support/program.ts';
import { startApiProxy } from '../../../support/proxies/api-proxy.ts';
import { unusedPort } from '../../../support/scripted-service.ts';
import { until } from '../../../support/until.ts';

/** How long a connection that has been replaced still takes deliveries. */
const RETIRING_MS = 10_000;

async function startOne(port?: number, folder = mkdtempSync(join(tmpdir(), 'gumshoe-socket-'))) {
  const workspace = await startWorkspace({
    file: join(folder, 'workspace.db'),
    manifest: MANIFEST,
    // Where it comes back to the same port, nobody else may have been given that meanwhile.
    port: port ?? (await unusedPort()),
    retryDelays: [200, 1_000, 3_000],
  });
  onTestFinished(async () => {
    await workspace.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { ...workspace, folder };
}

/** The receiver before an inbox that only remembers, on a workspace of its own. */
async function connecting(
  apiUrl: (url: string) => Promise<string> | string = (url) => url,
  canStore: (() => Promise<boolean>) | null = null,
) {
  const workspace = await startOne();
  const waits: number[] = [];
  const time = { isEndless: false };
  /** Connections that have been replaced stay until the test ends them. */
  const ends: (() => void)[] = [];
  const retired = {
    waits: 0,
    end: () => {
      for (const end of ends.splice(0)) end();
    },
  };
  const clock: Clock = {
    ...systemClock,
    sleep: (ms, signal) => {
      waits.push(ms);
      if (ms === RETIRING_MS) {
        retired.waits += 1;
        return new Promise((resolve, reject) => {
          ends.push(resolve);
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
      }
      return systemClock.sleep(time.isEndless ? 2 ** 31 - 1 : ms, signal);
    },
  };
  const texts: string[] = [];
  const states: { connected: boolean }[] = [];
  const terminal: string[] = [];
  const failures: string[] = [];
  const log = createLogger('silent');
  const signal = new AbortController();
  const inbox: Inbox = {
    accept: async ({ body, ack }) => {
      const { event } = Object(body);
      texts.push(String(event?.text));
      await ack();
    },
    degraded: () => null,
    start: () => undefined,
    stop: async () => undefined,
  };
  const options = {
    appToken: workspace.appToken,
    apiUrl: await apiUrl(workspace.apiUrl),
    inbox,
    clock,
    random: () => 0,
    log,
    metrics: createMetrics(),
    signal: signal.signal,
    onConnected: (connected: boolean) => void states.push({ connected }),
    onFailure: (reason: string) => void failures.push(reason),
    onTerminal: (sentence: string) => void terminal.push(sentence),
    canStore,
  };
  const receiver = createSocketReceiver(options);
  onTestFinished(async () => {
    await receiver.stop();
  });
  const say = (text: string) => workspace.post({ channel: 'alerts', user: 'U0ALICE001', text });
  const heard = (text: string) => until(`“${text}” is heard`, () => texts.includes(text));
  return {
    ...options,
    receiver,
    workspace,
    texts,
    states,
    waits,
    retired,
    time,
    terminal,
    failures,
    signal,
    say,
    heard,
  };
}

/** The client's sockets that are opened from now on, and whether all of them have been closed. */
function watchSockets() {
  const opened = new Set<unknown>();
  const closed = new Set<unknown>();
  const whichOpened = (message: unknown) => void opened.add(Object(message).websocket);
  const whichClosed = (message: unknown) => void closed.add(Object(message).websocket);
  subscribe('undici:websocket:open', whichOpened);
  subscribe('undici:websocket:close', whichClosed);
  onTestFinished(() => {
    unsubscribe('undici:websocket:open', whichOpened);
    unsubscribe('undici:websocket:close', whichClosed);
  });
  return { opened, areClosed: () => [...opened].every((one) => closed.has(one)) };
}

async function behindProxy() {
  const proxies: Awaited<ReturnType<typeof startApiProxy>>[] = [];
  const c = await connecting(async (url) => {
    const api = await startApiProxy(url);
    proxies.push(api);
    return api.url;
  });
  const [api] = proxies;
  if (!api) throw new Error('the proxy was started above');
  return { ...c, api };
}

const refused = (error: string) =>
  `Slack rejected SLACK_APP_TOKEN (${error}). Open your app at https://api.slack.com/apps, check that it is ` +
  'installed in the workspace, copy the token again, and restart.';

it('hands what Slack delivers to the inbox', async () => {
  const { receiver, say, heard, states } = await connecting();
  await receiver.start();
  await say('hello');
  await heard('hello');
  expect(states.map(({ connected }) => connected)).toEqual([true]);
});

/** The waits for the hello of a connection, among all waits. */
const hellos = (waits: number[]) => waits.filter((ms) => ms === 30_000).length;

it.each(['warning', 'refresh_requested'] as const)(
  'opens the next connection before the old one ends when Slack says %s',
  async (reason) => {
    const { receiver, api, workspace, say, heard, states, retired, metrics } = await behindProxy();
    await receiver.start();
    api.next('hold');
    workspace.disconnectSockets(reason);
    await until('the next one is asked for', () => api.asked.length === 2);
    await say('on the old connection');
    await heard('on the old connection');
    api.release();
    await until('the old one waits for its end', () => retired.waits === 1);
    await say('on either of them');
    await heard('on either of them');
    retired.end();
    await until('one has ended', async () =>
      (await metrics.text()).includes('gumshoe_socket_disconnects_total 1'),
    );
    await say('on the new connection');
    await heard('on the new connection');
    expect(states.map(({ connected }) => connected)).toEqual([true]);
  },
);

it('outlives two warnings in a row, and another after that, without a moment unconnected', async () => {
  const { receiver, workspace, say, heard, states, texts, waits, retired } = await connecting();
  await receiver.start();
  workspace.disconnectSockets('warning');
  workspace.disconnectSockets('warning');
  await until('the old one waits for its end', () => retired.waits === 1);
  expect(hellos(waits)).toBe(2);
  retired.end();
  workspace.disconnectSockets('refresh_requested');
  await until('the next one waits for its end', () => retired.waits >= 2);
  retired.end();
  await say('still here');
  await heard('still here');
  expect(states.map(({ connected }) => connected)).toEqual([true]);
  expect(texts).toEqual(['still here']);
});

it('loses nothing that was said while it was away', async () => {
  const { receiver, workspace, say, heard, states } = await connecting();
  await receiver.start();
  workspace.disconnectSockets('link_disabled');
  await say('in between');
  await heard('in between');
  await until('it is back', () => states.at(-1)?.connected === true);
});

it('is back after Slack itself was away', async () => {
  const { receiver, workspace, states, heard } = await connecting();
  await receiver.start();
  const port = Number(new URL(workspace.apiUrl).port);
  await workspace.close();
  await until('it has noticed', () => states.at(-1)?.connected === false);
  await new Promise((resolve) => setTimeout(resolve, 600));
  const again = await startOne(port, workspace.folder);
  await until('it is back', () => states.at(-1)?.connected === true);
  await again.post({ channel: 'alerts', user: 'U0ALICE001', text: 'welcome back' });
  await heard('welcome back');
});

it('tries again where Slack fails, asks to wait, or names a passing error', async () => {
  const { receiver, api, states, terminal, say, heard } = await behindProxy();
  api.next({ status: 500 }, { error: 'internal_error' }, { error: 'ratelimited' });
  await receiver.start();
  expect(api.asked).toHaveLength(4);
  const waits = api.asked.slice(1).map((at, n) => at - (api.asked[n] ?? 0));
  expect(waits.map((wait, n) => wait >= 240 * 2 ** n)).toEqual([true, true, true]);
  expect({ states: states.map(({ connected }) => connected), terminal }).toEqual({
    states: [true],
    terminal: [],
  });
  await say('after all');
  await heard('after all');
});

it('tries again where Slack fails while it reconnects', async () => {
  const { receiver, api, workspace, states, say, heard } = await behindProxy();
  await receiver.start();
  api.next({ status: 500 }, { status: 503 });
  workspace.disconnectSockets('drop');
  await until('it is back', () => states.length === 3);
  expect(api.asked).toHaveLength(4);
  await say('after all');
  await heard('after all');
});

it('waits for Socket Mode to be switched on again, and says that this is what it waits for', async () => {
  const { receiver, api, workspace, states, terminal, failures, say, heard } = await behindProxy();
  await receiver.start();
  api.next({ error: 'forbidden_team' }, { error: 'forbidden_team' });
  workspace.disconnectSockets('link_disabled');
  await until('it is back', () => states.at(-1)?.connected === true && states.length === 3);
  expect(new Set(failures)).toEqual(
    new Set(['Socket Mode is turned off in the app’s settings (link_disabled)']),
  );
  expect(terminal).toEqual([]);
  await say('switched on');
  await heard('switched on');
});

it('says so where ten others have all the connections there are, and takes the first that is free', async () => {
  const { receiver, workspace, states, failures, terminal, say, heard } = await connecting();
  const client = new WebClient(workspace.appToken, { slackApiUrl: workspace.apiUrl });
  const others: WebSocket[] = [];
  for (let n = 0; n < 10; n += 1) {
    const { url = '' } = await client.apps.connections.open();
    const socket = new WebSocket(url);
    await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
    others.push(socket);
  }
  onTestFinished(() => {
    for (const socket of others) socket.close();
  });
  const starting = receiver.start();
  await until('it says what it waits for', () => failures.length > 0);
  expect(new Set(failures)).toEqual(
    new Set([
      'all ten connections that Slack allows an app are open: waiting for a free one. Is another copy running with this ' +
        'token? (too_many_websockets)',
    ]),
  );
  expect({ connected: states.some((one) => one.connected), terminal }).toEqual({
    connected: false,
    terminal: [],
  });
  for (const socket of others) socket.close();
  await starting;
  await until('it is connected', () => states.at(-1)?.connected === true);
  await say('at last');
  await heard('at last');
});

it.each(['invalid_auth', 'account_inactive', 'not_allowed_token_type', 'token_revoked', 'team_disabled'])(
  'ends with a sentence at the start where Slack answers %s',
  async (error) => {
    const { receiver, api, terminal, states } = await behindProxy();
    api.next({ error });
    await receiver.start();
    expect(terminal).toEqual([refused(error)]);
    expect(api.asked).toHaveLength(1);
    expect(states).toEqual([]);
  },
);

it('ends with a sentence where the token is revoked while it runs', async () => {
  const { receiver, api, workspace, terminal, states } = await behindProxy();
  await receiver.start();
  api.next({ error: 'invalid_auth' });
  workspace.disconnectSockets('warning');
  await until('it says so', () => terminal.length > 0);
  expect(terminal).toEqual([refused('invalid_auth')]);
  expect(states.at(-1)?.connected).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(api.asked).toHaveLength(2);
});

it('leaves no socket behind when it is stopped before Slack has answered', async () => {
  const { receiver, api, workspace, states } = await behindProxy();
  api.next('hold');
  const started = receiver.start();
  await until('it has asked', () => api.asked.length === 1);
  await receiver.stop();
  await started;
  const sockets = watchSockets();
  api.release();
  // The client opens a socket at the address that it has asked for, whatever has come in between.
  await until('it was opened and closed', () => sockets.opened.size === 1 && sockets.areClosed());
  await until('Slack has seen it close', () => !workspace.online());
  expect(states.some(({ connected }) => connected)).toBe(false);
});

it('stops at once while it waits for its next try', async () => {
  const { receiver, api, waits, time } = await behindProxy();
  api.next(...Array(50).fill({ status: 500 }));
  time.isEndless = true;
  const started = receiver.start();
  await until('it waits for its next try', () => waits.length === 2);
  // Else it would be waited for without end.
  await receiver.stop();
  await started;
  const tries = api.asked.length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(api.asked).toHaveLength(tries);
});

it('gives up connecting when the process is to stop', async () => {
  const { receiver, api, signal } = await behindProxy();
  api.next('hold');
  const started = receiver.start();
  await until('it has asked', () => api.asked.length === 1);
  signal.abort();
  await started;
  api.release();
});

it('goes away from Slack when it is stopped', async () => {
  const { receiver, workspace, states } = await connecting();
  await receiver.start();
  await receiver.stop();
  await until('the socket is closed', () => !workspace.online());
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(workspace.online()).toBe(false);
  expect(states.at(-1)?.connected).toBe(false);
});

it('asks on for the next connection while the old one is there, and says nothing of it to people', async () => {
  const { receiver, api, workspace, states, failures, retired } = await behindProxy();
  await receiver.start();
  api.next({ status: 500 }, { error: 'internal_error' });
  workspace.disconnectSockets('warning');
  await until('the next one is there', () => retired.waits === 1);
  expect(api.asked).toHaveLength(4);
  expect({ states, failures }).toEqual({ states: [{ connected: true }], failures: [] });
});

it('waits as long as Slack says before it asks for a connection again', async () => {
  const { receiver, api, waits } = await behindProxy();
  api.next({ status: 429, retryAfter: 2 });
  await receiver.start();
  expect(api.asked).toHaveLength(2);
  expect((api.asked[1] ?? 0) - (api.asked[0] ?? 0)).toBeGreaterThanOrEqual(2_000);
  expect(waits.some((ms) => ms > 1_000 && ms <= 2_000)).toBe(true);
});
