import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { closeMessagesTab, lookAt, openMessagesTab, renameSession, stopSession } from './agent/people.ts';
import { messagesTab, resumeSessions, sessionOnPage } from './agent/sessions.ts';
import { createJobs, systemClock } from './clock.ts';
import { createEventQueue, createHttpDelivery, type HttpDelivery } from './deliver.ts';
import type { App, Credentials } from './entities.ts';
import { announceUninstall } from './events/announce.ts';
import { createFaults, faultyTransport } from './faults.ts';
import { completedFiles } from './files/present.ts';
import { uploadAs } from './files/upload.ts';
import { createApiHandler } from './http/api.ts';
import { newHex, type Random, systemRandom } from './ids.ts';
import { act, suggest } from './interact/action.ts';
import { react, runCommand, runShortcut, stopAsPerson } from './interact/command.ts';
import { openHome } from './interact/home.ts';
import { actInView, closeView, submitView } from './interact/submit.ts';
import { createTriggers } from './interact/triggers.ts';
import { createElementStates, createViews } from './interact/views.ts';
import { LIMITS } from './limits.ts';
import { readManifest } from './manifest.ts';
import {
  archiveChannel,
  deleteChannel,
  inviteApp,
  kickApp,
  renameChannel,
  restrictChannel,
  unarchiveChannel,
} from './membership.ts';
import { editAs, removeAs } from './messages/change.ts';
import { postAs } from './messages/post.ts';
import { createPageBus } from './page-bus.ts';
import { createPageHandler, pageMessages, pagePanel } from './page-routes/handler.ts';
import { createRates } from './rates.ts';
import { ADMIN, APP_IDS, SEED_CHANNELS, seedWorkspace, TEAM } from './seed.ts';
import { createSlackbot } from './slackbot.ts';
import { createSocketHub, type SocketHub } from './socket.ts';
import { openStore, type Store } from './store/store.ts';
import { resumeStreams } from './streams.ts';
import type { Workspace, WorkspaceOptions } from './workspace.ts';
import { createViewing, type WorkspaceContext } from './workspace-context.ts';

/** Milliseconds; about as long as Slack needs. */
const FILE_DELAY = 300;
const FILE_STORAGE = 200_000_000;
/** Idle connections are for clients to close: with Node's 5 s, a busy machine closes some just as a request is sent on them. */
const KEEP_ALIVE_MS = 65_000;

/** Created once per database file, so that a restarted workspace accepts its app again. */
function credentialsOf(options: WorkspaceOptions, store: Store, random: Random): Credentials {
  const stored = (name: string, prefix: string, bytes: number) =>
    store.meta.remember(name, () => prefix + newHex(random, bytes));
  return {
    botToken: options.botToken ?? stored('bot_token', 'xoxb-', 24),
    appToken: options.appToken ?? stored('app_token', `xapp-1-${APP_IDS.id}-`, 24),
    signingSecret: options.signingSecret ?? stored('signing_secret', '', 16),
  };
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The workspace got no port to listen on');
  return `${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

async function builtPage(): Promise<string> {
  const { pageFiles } = await import('./page-build.ts');
  return pageFiles();
}

/** Created once, on first use; after a failure the next use retries. */
function shared<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((cause: unknown) => {
      made = undefined;
      throw cause;
    });
    return made;
  };
}

/**
 * Starts a local Slack for the app of `manifest.yml`: the Web API, Socket Mode or signed HTTP, and the
 * page's server, which the caller mounts.
 *
 * @throws ManifestError if the manifest cannot be used.
 */
export async function startWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { clock = systemClock, random = systemRandom, deliver = { mode: 'socket' } } = options;
  const ackTimeoutMs = options.ackTimeoutMs ?? LIMITS.ackTimeoutMs;
  const manifest =
    typeof options.manifest === 'string' ? await readManifest(options.manifest) : { ...options.manifest };
  const store = openStore(options.file);
  const app: App = { ...APP_IDS, name: manifest.botName };
  const credentials = credentialsOf(options, store, random);
  seedWorkspace(store, app, Math.floor(clock.now() / 1000));

  const bus = createPageBus();
  const hub: SocketHub = createSocketHub({
    appId: app.id,
    clock,
    random,
    ackTimeoutMs,
    onOnline: () => bus.emit({ type: 'bot', online: transport.online() }),
  });
  const http: HttpDelivery = createHttpDelivery({
    url: deliver.mode === 'http' ? deliver.url : '',
    signingSecret: credentials.signingSecret,
    clock,
    ackTimeoutMs,
    fetch,
  });
  const transport = deliver.mode === 'http' ? http : hub;
  const jobs = createJobs(clock);
  const { scopes } = manifest;
  const faults = createFaults(random, ({ withheldScopes }) => {
    manifest.scopes = scopes.filter((scope) => !withheldScopes.includes(scope));
    emitPanel();
  });
  const queue = createEventQueue({
    store: store.deliveries,
    transport: faultyTransport({ transport, faults, jobs }),
    clock,
    delays: options.retryDelays,
  });
  const emitPanel = () => bus.emit({ type: 'stage', stage: pagePanel(context) });

  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => void handle(request, response),
  );
  let address = '';
  const context: WorkspaceContext = {
    clock,
    random,
    manifest,
    team: TEAM,
    app,
    credentials,
    installed: scopes,
    faults,
    controlPanel: options.controlPanel,
    store,
    page: bus,
    rates: createRates(clock),
    triggers: createTriggers(clock, random, ackTimeoutMs),
    views: createViews({ clock, random, page: bus }),
    elementStates: createElementStates(),
    jobs,
    slackbot: createSlackbot(() => context, options.mcpServer),
    viewing: createViewing(),
    fileDelay: options.fileDelay ?? FILE_DELAY,
    streamLife: options.streamLife ?? LIMITS.streamLife,
    storage: options.fileStorage ?? FILE_STORAGE,
    pageUrl: new URL('/', options.pageUrl ?? 'http://localhost:3000').href,
    origin: () => `http://${address}`,
    socketUrl: () => `ws://${address}/link/?ticket=${hub.ticket()}&app_id=${app.id}`,
    endSockets: (how) => hub.disconnect(how),
    online: () => transport.online(),
    deliverEvent: (id, body) => queue.add(id, body),
    send: (kind, payload) => transport.deliver(kind, payload),
  };
  const handle = createApiHandler(context);
  server.on('upgrade', (request, socket, head) => hub.upgrade(request, socket, head));
  try {
    address = await listen(server, options.port ?? 0, options.host ?? '127.0.0.1');
  } catch (cause) {
    store.close();
    throw cause;
  }
  queue.start();
  resumeStreams(context);
  resumeSessions(context);
  options.controlPanel?.onChange(emitPanel);

  return {
    apiUrl: `http://${address}/api/`,
    ...credentials,
    botUserId: app.bot_user_id,
    channels: {
      alerts: SEED_CHANNELS.alerts.id,
      general: SEED_CHANNELS.general.id,
      incidents: SEED_CHANNELS.incidents.id,
      payments: SEED_CHANNELS.payments.id,
      secrets: SEED_CHANNELS.secrets.id,
    },
    page: createPageHandler(context, shared(builtPage), options.gallery),
    setDelivery: (url) => {
      http.setUrl(url);
      bus.emit({ type: 'bot', online: transport.online() });
    },
    post: (input) => postAs(context, input),
    edit: (input) => editAs(context, input),
    remove: (channel, ts) => removeAs(context, channel, ts),
    invite: async (channel, by = ADMIN) => inviteApp(context, channel, by),
    kick: async (channel, by = ADMIN) => kickApp(context, channel, by),
    archive: async (channel, by = ADMIN) => archiveChannel(context, channel, by),
    unarchive: async (channel, by = ADMIN) => unarchiveChannel(context, channel, by),
    rename: async (channel, name, by = ADMIN) => renameChannel(context, channel, name, by),
    deleteChannel: async (channel, by = ADMIN) => deleteChannel(context, channel, by),
    restrict: async (channel, restricted = true) => restrictChannel(context, channel, restricted),
    refuseToken: (refusal, event) => {
      faults.change({ token: refusal });
      if (event) announceUninstall(context, event);
    },
    grantScopes: (granted = scopes) =>
      faults.change({ withheldScopes: scopes.filter((scope) => !granted.includes(scope)) }),
    messages: (channel, thread_ts) => pageMessages(context, channel, thread_ts),
    command: (input) => runCommand(context, input),
    action: (input) => act(context, input),
    suggest: (input) => suggest(context, input),
    shortcut: (input) => runShortcut(context, input),
    react: (input) => react(context, input),
    views: (user) => context.views.of(user).map(({ id, modal, values }) => ({ id, modal, values })),
    files: () => completedFiles(store.files, app.bot_user_id),
    fileBytes: (id) => store.files.bytes(id),
    openHome: (as, tab = 'home') => openHome(context, { as, tab }),
    home: (user) => {
      const view = store.homes.get(user);
      return view && { id: view.id, home: view.home, values: view.values };
    },
    viewAction: (input) => actInView(context, input),
    closeView: (input) => closeView(context, input),
    submit: (input) => submitView(context, input),
    openMessagesTab: async (input) => openMessagesTab(context, input),
    lookAt: async (input) => lookAt(context, input),
    closeMessagesTab: async (user) => closeMessagesTab(context, user),
    messagesTab: (user) => messagesTab(context, user),
    session: (channel, thread_ts) => {
      const session = store.sessions.get(channel, thread_ts);
      return session && sessionOnPage(session);
    },
    sessions: (channel) =>
      store.sessions
        .all()
        .map(sessionOnPage)
        .filter((session) => channel === undefined || session.channel === channel),
    stopSession: (input) => stopSession(context, input),
    renameSession: (input) => renameSession(context, input),
    upload: (input) => uploadAs(context, input),
    stopStream: (input) => stopAsPerson(context, input),
    online: () => transport.online(),
    disconnectSockets: (how) => {
      hub.disconnect(how);
    },
    faults: () => faults.now(),
    setFaults: (change) => faults.change(change),
    close: async () => {
      await context.jobs.close();
      await context.slackbot.close();
      // The queue first: deliveries aborted below must not count as refused by the app.
      const drained = queue.close();
      http.close();
      await hub.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([drained, closed]);
      store.close();
    },
  };
}
