import type { RequestListener } from 'node:http';
import { EnvHttpProxyAgent, install, setGlobalDispatcher } from 'undici';
import { createOrganizations } from '../../contract/client/client.ts';
import { type Checkpoint, type Clock, noCheckpoint, systemClock } from '../../lib/clock.ts';
import { programVersion } from '../../lib/io.ts';
import { createDatabaseClock } from '../../lib/postgres/database-clock.ts';
import { reasonOf } from '../../lib/postgres/errors.ts';
import { createInTurn, type Lifecycle, startInOrder, type Worker } from '../../lib/worker-loop.ts';
import type { CompleteConfig, Deps } from '../deps.ts';
import { type Health, notFound, serve } from '../health/server.ts';
import { openOwners } from '../owners/index.ts';
import { createProblems, type Problems } from '../problems/registry.ts';
import { openRunbooks } from '../runbooks/index.ts';
import type { Logger } from '../shared/log.ts';
import { createMetrics, type Metrics, showEventLoopLag, watchEventLoop } from '../shared/metrics.ts';
import { createOnce } from '../shared/once.ts';
import { isPrivateChannel } from '../slack/access/channel-access.ts';
import { createNeedsConsent, createOriginOf } from '../slack/access/consent.ts';
import { createLanguageModelOf } from '../slack/access/language-model.ts';
import { createMayRead } from '../slack/access/may-read.ts';
import { createAdmins, createNameOf, createUserDirectory } from '../slack/access/people.ts';
import { createApp } from '../slack/app.ts';
import { createBackfill } from '../slack/backfill/backfill.ts';
import { createGapRecorder, createGaps } from '../slack/backfill/gaps.ts';
import { logStartChecks } from '../slack/checks.ts';
import { createSlackClient } from '../slack/client.ts';
import { createPace } from '../slack/delivery/pace.ts';
import { classifySlackError, lackingScopes } from '../slack/errors.ts';
import { canMatter } from '../slack/features/alerts/messages.ts';
import { createMessagesTab } from '../slack/features/asking/messages-tab-state.ts';
import { createHome } from '../slack/features/home.ts';
import { registerListeners } from '../slack/features/register.ts';
import { identify } from '../slack/identify.ts';
import { keepCalls } from '../slack/keep-calls.ts';
import { createSlackProblems } from '../slack/problems/problems.ts';
import { createTokenGuard } from '../slack/problems/token.ts';
import { createHttpReceiver } from '../slack/receivers/http.ts';
import { createInbox } from '../slack/receivers/inbox.ts';
import { createSocketReceiver } from '../slack/receivers/socket.ts';
import { createRefusals, createSessions } from '../slack/sessions.ts';
import { createStatusTracker } from '../slack/status-tracker.ts';
import { slackTs } from '../slack/timestamp.ts';
import { openStore, type Store, type StoreLocation } from '../store/open.ts';
import { createWakeups, type Wakeups } from '../store/wakeups.ts';
import { lookForPrivateKey } from '../watching/service-watch.ts';
import { checkedDeps } from './leadership.ts';
import { createNotifier, createReplica } from './replicas.ts';
import { composeWebhookEndpoints, composeWebhookSources } from './webhooks.ts';
import { createPolling, createWorkers } from './workers.ts';

const NOT_REACHABLE =
  'cannot write to the database: check that PostgreSQL runs, accepts connections from here, and is not a standby';

/** What a program, or a test, decides beside the configuration. */
export interface Overrides {
  log: Logger;
  /** Slack has rejected the app for good: the process must stop, showing this sentence. */
  onTerminal: (sentence: string) => void;
  /** Ends a start that waits for Slack or the database. */
  signal: AbortSignal;
  /** Other paths that this program serves on `PORT`. */
  beside?: Readonly<Record<string, RequestListener>>;
  /** Serves every other path on `PORT`. */
  page?: RequestListener;
  clock?: Clock;
  random?: () => number;
  checkpoint?: Checkpoint;
  /** In place of `openStore`: a test can end the store as a crash does. */
  open?: typeof openStore;
}

export interface Bot {
  url: string;
  /** In order: stops intake, lets work in progress finish, then closes everything. */
  stop(): Promise<void>;
}

/**
 * Builds the bot from its parts and starts it. The only place that knows every folder.
 *
 * @throws OperatorError if the database, the port or Slack’s token cannot be used.
 */
export async function createBot(config: CompleteConfig, overrides: Overrides): Promise<Bot> {
  throughProxy(config);
  const stopping = new AbortController();
  const { value: url, stop } = await startInOrder(
    (lifecycle) => start(config, overrides, lifecycle, stopping.signal),
    (error, part) => overrides.log.error({ err: error, part }, 'a component did not stop cleanly'),
  );
  return {
    url,
    stop: () => {
      stopping.abort();
      return stop();
    },
  };
}

/** @returns the address of the health port */
async function start(
  config: CompleteConfig,
  overrides: Overrides,
  lifecycle: Lifecycle,
  stopping: AbortSignal,
): Promise<string> {
  const base = await createBase(config, overrides, lifecycle, stopping);
  const { store, log, metrics, lead, statusTracker, gaps, health, slackConnection, notifier, organizations } =
    base;
  const inbox = createInbox({ ...base, gap: { begins: gaps.begin, ended: gaps.end } });
  base.problems.watch({
    name: 'slack:deliveries',
    fixedBy: 'nobody',
    sentence: () => inbox.degraded(),
  });
  const http = config.slack.mode === 'http' ? createHttpReceiver({ ...base, ...config.slack, inbox }) : null;
  // The port is open before Slack answers, so that probes see what the start waits for.
  const endpoints = composeWebhookEndpoints(base);
  // Agents are answered once Slack can say who people are; until then the port answers 503.
  let mcp: RequestListener | null = null;
  const agents: RequestListener = (req, res) => (mcp ?? notFound)(req, res);
  const paths = {
    ...overrides.beside,
    ...(http && { '/slack/events': http }),
    '/plans': endpoints.plans,
    ...(config.mcp !== null && { '/mcp': agents, '/mcp/': agents }),
  };
  const servers = await serve(config, health, metrics, paths, endpoints.alerts, overrides.page);
  for (const server of servers) lifecycle.onStop('server', () => server.close());
  const { deps, home, slackProblems } = await createDeps(base, overrides);
  if (config.mcp !== null) {
    // Most bots run without it, and it takes several megabytes.
    const { createMcp } = await import('../mcp/server.ts');
    mcp = createMcp(config.mcp, deps);
  }

  const { app, handle } = createApp({ ...config.slack, identity: deps.identity, log, gaps });
  registerListeners(app, deps);

  /** Begins what one process at a time does: it posts, files, asks and polls. It may begin again after it has ended. */
  const startLeading = async (whileLeading: Lifecycle, assertLeads?: () => void): Promise<void> => {
    const watch: Problems['watch'] = (source) => {
      const remove = deps.problems.watch(source);
      whileLeading.onStop(`problems of ${source.name}`, remove);
      return remove;
    };
    const own = { ...deps, problems: { ...deps.problems, watch } };
    const leading = assertLeads === undefined ? own : checkedDeps(own, assertLeads);
    for (const [name, worker] of createWorkers(leading)) {
      await whileLeading.start(name, worker);
    }
    await whileLeading.start('poll schedule', createPolling(leading));
    if (store.replicas === null) return;
    // A replica that begins to lead does not know what its predecessor has read.
    await gaps.begin();
    await startBackfill(whileLeading);
    if (slackConnection.isOpen) gaps.end();
  };

  const startBackfill = async (whileLeading: Lifecycle): Promise<void> => {
    const backfill = createBackfill(deps);
    whileLeading.onStop(
      'problems of the backfill',
      deps.problems.watch({
        name: 'slack:backfill',
        fixedBy: 'nobody',
        sentence: () => backfill.degraded(),
      }),
    );
    await whileLeading.start('backfill', backfill);
  };

  function createSocket(appToken: string) {
    const gap = createGapRecorder(gaps, log);
    return createSocketReceiver({
      ...base,
      signal: overrides.signal,
      onTerminal: overrides.onTerminal,
      appToken,
      apiUrl: config.slack.apiUrl,
      inbox,
      onConnected: (connected) => {
        slackConnection.isOpen = connected;
        if (connected) slackConnection.failure = null;
        statusTracker.slackConnected(connected);
        if (connected) void gap.ends();
        else gap.begins();
      },
      onFailure: (reason) => {
        slackConnection.failure = reason;
      },
      canStore:
        store.replicas === null ? null : async () => (await store.writable()) && (await gap.isRecorded()),
    });
  }

  await lifecycle.start('Home', home);
  await lifecycle.start('blockers', slackProblems);
  if (store.replicas === null) await startLeading(lifecycle);
  else {
    const { replicas } = store;
    const url = config.databaseDirectUrl ?? (config.database.kind === 'postgres' ? config.database.url : '');
    const replica = createReplica({
      ...deps,
      replicas,
      url,
      status: statusTracker,
      followClock: base.followClock,
      start: (whileLeading) => startLeading(whileLeading, replica.assertLeads),
    });
    lead.isHeld = replica.isHeld;
    notifier.start(replicas, replica);
    for (const [name, part] of replica.parts) await lifecycle.start(name, part);
  }

  // At shutdown, intake stops before anything else does.
  await gaps.begin();
  await lifecycle.start('inbox', {
    start: () => inbox.start(handle, (delivery) => canMatter(delivery, deps)),
    stop: () => inbox.stop(),
  });
  const socket = config.slack.mode === 'socket' ? createSocket(config.slack.appToken) : null;
  if (socket !== null) lifecycle.onStop('receiver', () => socket.stop());
  if (store.replicas === null) await startBackfill(lifecycle);
  lifecycle.onStop('gaps', () => gaps.close());
  if (socket !== null) await socket.start();
  else {
    slackConnection.isOpen = true;
    statusTracker.slackConnected(true);
    gaps.end();
  }
  health.phase = 'running';
  lifecycle.onStop('health', () => {
    health.phase = 'stopping';
  });

  const checking = new AbortController();
  lifecycle.onStop('startup checks', () => checking.abort());
  const services = organizations.filter(({ organization }) => base.services.has(organization));
  const { alertChannels } = config;
  logStartChecks({ client: deps.client, services, alertChannels, signal: checking.signal }, log);
  return servers[0]?.url ?? '';
}

type Base = Awaited<ReturnType<typeof createBase>>;

/** What exists before Slack is called. */
async function createBase(
  config: CompleteConfig,
  { log, signal, clock: given, random = Math.random, checkpoint = noCheckpoint, open }: Overrides,
  lifecycle: Lifecycle,
  stopping: AbortSignal,
) {
  // Replicas' own clocks may differ.
  const databaseClock =
    given === undefined && config.database.kind === 'postgres' ? createDatabaseClock() : null;
  const clock = given ?? databaseClock ?? systemClock;
  const metrics = createMetrics();
  const eventLoop = showEventLoopLag(metrics, watchEventLoop(clock));
  lifecycle.onStop('event loop monitor', () => eventLoop.close());
  await startTracing(config, { log, metrics, lifecycle });
  const wakeups = createWakeups(clock);
  const notifier = createNotifier(log);
  const common = { ...config, clock, random, log, metrics, checkpoint, wakeups };
  const store = await (open ?? openStore)({
    ...locate(common, signal, stopping),
    clock,
    hasPrivateOrganization: config.service.privateApiKey !== undefined,
    wakeups,
    notify: notifier.notify,
  });
  lifecycle.onStop('database', () => store.close());
  const followClock = async () => {
    if (store.replicas !== null) await databaseClock?.follow(store.replicas.now);
  };
  await followClock();
  await lookForPrivateKey({ store, clock });
  const owners = await openOwners(config, common);
  const runbooks = openRunbooks(config, common);
  for (const channel of config.alertChannels) {
    await store.channels.watchFromStart(channel, slackTs(clock.now()));
  }
  const lead: Deps['lead'] = { isHeld: () => store.replicas === null };
  const problems = createProblems({ store, clock, metrics });
  await problems.load();
  problems.watch({ name: 'runbooks', fixedBy: 'operator', sentence: runbooks.problem });
  const slackConnection = watchSlackConnection(problems);
  const health: Health = {
    phase: 'starting',
    check: watchDatabase(store, problems),
    problems: problems.read,
  };
  const statusTracker = createStatusTracker({ clock, version: programVersion(), problems: problems.read });
  const { services, organizations } = createOrganizations({
    ...config.service,
    clock,
    random,
    ...keepCalls({ log, metrics, statusTracker }),
  });
  for (const { organization, service } of organizations) {
    lifecycle.onStop(`service client (${organization})`, () => service.close());
  }
  return {
    ...common,
    owners,
    runbooks,
    followClock,
    store,
    services,
    organizations,
    webhookSources: composeWebhookSources(common),
    lead,
    problems,
    slackConnection,
    health,
    statusTracker,
    runtimeStatus: statusTracker.read,
    gaps: createGaps({ store, clock, lead }),
    notifier,
  };
}

/** Whether Slack can deliver (the socket is open, or HTTP is served), and why not, if that is known. */
function watchSlackConnection(problems: Problems): { isOpen: boolean; failure: string | null } {
  const connection: { isOpen: boolean; failure: string | null } = { isOpen: false, failure: null };
  problems.watch({
    name: 'slack:connection',
    fixedBy: 'nobody',
    stopsDeliveries: true,
    sentence: () => {
      if (connection.isOpen) return null;
      return ['Slack is not connected', ...(connection.failure === null ? [] : [connection.failure])].join(
        ': ',
      );
    },
  });
  return connection;
}

const NOT_WRITABLE =
  'cannot write to the database: check free disk space, and that no other process has it locked';

/** Whether the database accepted a write when that was last checked. */
function watchDatabase(store: Store, problems: Problems): () => Promise<void> {
  let isWritable = true;
  problems.watch({
    name: 'database',
    fixedBy: 'operator',
    stopsDeliveries: true,
    sentence: () => (isWritable ? null : store.replicas === null ? NOT_WRITABLE : NOT_REACHABLE),
  });
  return async () => {
    isWritable = await store.writable();
  };
}

/** Everything between the inbox and Slack's API; starts nothing. */
async function createDeps(
  base: Base,
  { signal, onTerminal }: Overrides,
): Promise<{ deps: Deps; home: Worker; slackProblems: Worker }> {
  const { store, clock, log, slack, gaps } = base;
  const reach = { token: slack.botToken, apiUrl: slack.apiUrl, log };
  const unwatched = createSlackClient(reach);
  const identity = await identify(unwatched, { ...base, signal });
  const guard = createTokenGuard({ ...base, client: unwatched, signal, onTerminal });
  const client = createSlackClient({
    ...reach,
    onFailure: (error) => {
      if (classifySlackError(error).kind === 'token_refused') guard.doubt();
      else
        void slackProblems
          .scopesMissing(lackingScopes(error))
          .catch((failure) => log.error({ err: failure }, 'could not record a missing scope'));
    },
  });
  const languageModel = createLanguageModelOf({ ...base, service: base.services.for('default') });
  const reached = { ...base, client, identity, pace: createPace(), languageModel };
  const admins = createAdmins(reached);
  const needsConsent = createNeedsConsent(reached);
  const originOf = createOriginOf(reached);
  const slackProblems = createSlackProblems({
    ...reached,
    admins,
    needsConsent,
    configured: [...base.alertChannels, ...base.alertRoutes.map(({ channel }) => channel)],
    onBack: async () => {
      await gaps.begin();
      gaps.end();
    },
  });
  const people = createUserDirectory({ ...reached, teamId: identity.teamId });
  const known = {
    ...reached,
    people,
    nameOf: createNameOf(people, client),
    isPrivateChannel: (channel: string) => isPrivateChannel(client, channel),
    permalink: (channel: string, ts: string) =>
      `${identity.workspaceUrl}archives/${channel}/p${ts.replace('.', '')}`,
  };
  const mayRead = createMayRead(known);
  const home = createHome({ ...known, mayRead, isShared: store.replicas !== null });
  const refusals = createRefusals(base);
  const deps = {
    ...known,
    mayRead,
    admins,
    needsConsent,
    originOf,
    slackProblems,
    home,
    refusals,
    sessions: createSessions({ ...base, slack: reached, refusals }),
    messagesTab: createMessagesTab(clock),
    tokenInDoubt: guard.doubt,
    once: createOnce(),
    inTurn: inTurnOver(store.replicas),
  };
  return { deps, home, slackProblems };
}

/** What people do to one issue, in turn here, and with what other replicas do. */
function inTurnOver(replicas: Deps['store']['replicas']): Deps['inTurn'] {
  const inTurn = createInTurn();
  if (replicas === null) return inTurn;
  return (key, work) => inTurn(key, () => replicas.inTurn(key, work));
}

function locate(
  {
    database,
    log,
    random,
    metrics,
  }: CompleteConfig & { log: Logger; random: () => number; metrics: Metrics; wakeups: Wakeups },
  signal: AbortSignal,
  stopping: AbortSignal,
): StoreLocation {
  if (database.kind === 'sqlite') {
    return {
      file: database.file,
      signal,
      onWait: () => log.warn('another process has the database locked; waiting for it to stop'),
    };
  }
  return {
    url: database.url,
    random,
    signal: stopping,
    onConnectionLost: (error) => {
      metrics.count('gumshoe_database_connections_lost_total');
      log.warn({ reason: reasonOf(error) }, 'lost a connection to the database');
    },
  };
}

/** Starts tracing if it is configured; the libraries are only loaded then. */
async function startTracing(
  { tracing }: CompleteConfig,
  { log, metrics, lifecycle }: { log: Logger; metrics: Metrics; lifecycle: Lifecycle },
): Promise<void> {
  if (tracing === null) return;
  const otlp = await import('../shared/tracing/otlp.ts');
  const { stop } = otlp.startTracing({
    ...tracing,
    version: programVersion(),
    onLost: (error, spans) => {
      metrics.count('gumshoe_spans_lost_total', {}, spans);
      log.warn({ err: error, spans }, 'could not send traces; check OTEL_EXPORTER_OTLP_ENDPOINT');
    },
  });
  lifecycle.onStop('tracing', stop);
}

/** Slack's client and its sockets use undici's proxy; the service's client has its own. */
function throughProxy({ proxy }: CompleteConfig): void {
  if (!proxy) return;
  const { https: httpsProxy, except: noProxy } = proxy;
  setGlobalDispatcher(new EnvHttpProxyAgent({ httpsProxy, ...(noProxy === null ? {} : { noProxy }) }));
  install();
}
