import { EnvHttpProxyAgent, install, setGlobalDispatcher } from 'undici';
import { type Checkpoint, noCheckpoint } from '../../lib/checkpoint.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { showEventLoopLag, watchEventLoop } from '../../lib/event-loop.ts';
import { type Lifecycle, startInOrder } from '../../lib/lifecycle.ts';
import type { Logger } from '../../lib/log.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { createDatabaseClock } from '../../lib/postgres/database-clock.ts';
import { reasonOf } from '../../lib/postgres/errors.ts';
import { programVersion } from '../../lib/version.ts';
import type { Config } from '../config.ts';
import { createDegraded, type Health } from '../health/health.ts';
import { serve } from '../health/server.ts';
import type { ImageRenderer } from '../render/pictures/image-renderer.ts';
import { createGaps } from '../slack/backfill/gaps.ts';
import { brokenChannels, channelCountSentences } from '../slack/blockers/sentences.ts';
import { logStartChecks } from '../slack/checks/start.ts';
import { createStatusTracker } from '../slack/status-tracker.ts';
import { slackTs } from '../slack/timestamp.ts';
import type { Blocker } from '../store/blockers.ts';
import { openStore, type Store, type StoreLocation } from '../store/open.ts';
import { createWakeups, type Wake, type Wakeups } from '../store/wakeups.ts';
import { lookForPrivateKey } from '../watching/service-watch.ts';
import type { Common, CompleteConfig, Shared } from './common.ts';
import { startLeading } from './lead.ts';
import { createNotifier, createReplica } from './replicas.ts';
import { composeService } from './service.ts';
import { composeBackfill, composeInlet, composeSlack, type Inlet, type SlackParts } from './slack.ts';
import { composeTracing } from './tracing.ts';
import { composeWebhookEndpoint } from './webhooks.ts';

export type { CompleteConfig } from './common.ts';

const NOT_REACHABLE =
  'cannot write to the database: check that PostgreSQL runs, takes connections from here, and is no standby';

export interface BotOptions {
  config: CompleteConfig;
  log: Logger;
  /** Slack has rejected the app for good: the process must stop, showing this sentence. */
  onTerminal: (sentence: string) => void;
  signal: AbortSignal;
  clock?: Clock;
  random?: () => number;
  checkpoint?: Checkpoint;
  /** In place of the process that draws pictures. */
  imageRenderer?: ImageRenderer;
  /** In place of `openStore`: a test can end the store as a crash does. */
  open?: typeof openStore;
}

export interface Bot {
  url: string;
  /** In order: stops intake, lets work in progress finish, then closes everything. */
  stop(): Promise<void>;
}

/**
 * Builds the bot from its components and starts it. The only place that knows every folder (DESIGN section 2).
 *
 * @throws OperatorError if the database, the port or Slack’s token cannot be used.
 */
export async function startBot(options: BotOptions): Promise<Bot> {
  throughProxy(options.config);
  const stopping = new AbortController();
  const { value: url, stop } = await startInOrder(
    (lifecycle) => start(options, lifecycle, stopping.signal),
    (error, part) => options.log.error({ err: error, part }, 'a component did not stop cleanly'),
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
async function start(options: BotOptions, lifecycle: Lifecycle, stopping: AbortSignal): Promise<string> {
  const { config, log, signal, random = Math.random } = options;
  // Replicas' own clocks may differ.
  const databaseClock =
    options.clock === undefined && config.database.kind === 'postgres' ? createDatabaseClock() : null;
  const clock = options.clock ?? databaseClock ?? systemClock;
  const metrics = createMetrics();
  const eventLoop = showEventLoopLag(metrics, watchEventLoop(clock));
  lifecycle.onStop('event loop monitor', () => eventLoop.close());
  await composeTracing({ config, log, metrics, lifecycle });
  const wakeups = createWakeups();
  const notifier = createNotifier(log);
  const followClock = async ({ replicas }: Store) => {
    if (replicas !== null) await databaseClock?.follow(replicas.now);
  };
  const store = await prepareStore(
    {
      config,
      log,
      signal,
      stopping,
      clock,
      random,
      metrics,
      wakeups,
      notify: notifier.notify,
      open: options.open ?? openStore,
      onOpened: followClock,
    },
    lifecycle,
  );
  let isLeading = () => store.replicas === null;
  let assertLeads: () => void = () => undefined;
  const common = {
    store,
    clock,
    random,
    log,
    metrics,
    checkpoint: options.checkpoint ?? noCheckpoint,
    assertLeads: () => assertLeads(),
  };
  const lead = { isHeld: () => isLeading() };
  const { imageRenderer = null } = options;
  const shared = share(common, { config, lifecycle, wakeups, lead, imageRenderer });

  const service = composeService(common, shared);
  const inlet = composeInlet(common, shared);
  const servers = await serve(
    config,
    shared.health,
    metrics,
    inlet.http?.listener ?? null,
    composeWebhookEndpoint(common, shared),
  );
  for (const server of servers) lifecycle.onStop('server', () => server.close());
  const slack = await composeSlack(common, shared, service, inlet, options);
  const startAsLeader = async (whileLeading: Lifecycle) => {
    await startLeading(common, { ...shared, lifecycle: whileLeading }, service, slack);
    if (store.replicas !== null) {
      await readWhatWasMissed(common, { ...shared, lifecycle: whileLeading }, slack);
    }
  };
  for (const [name, worker] of [
    ['Home', slack.home],
    ['blockers', slack.blockers],
  ] as const) {
    await lifecycle.start(name, worker);
  }
  if (store.replicas === null) await startAsLeader(lifecycle);
  else {
    const replica = createReplica({
      ...common,
      replicas: store.replicas,
      url: config.databaseDirectUrl ?? (config.database.kind === 'postgres' ? config.database.url : ''),
      wakeups,
      status: shared.statusTracker,
      followClock: () => followClock(store),
      start: startAsLeader,
    });
    isLeading = replica.isHeld;
    assertLeads = replica.assertLeads;
    notifier.start(store.replicas, replica);
    for (const [name, part] of replica.parts) await lifecycle.start(name, part);
  }
  await startTaking(common, shared, slack, inlet);

  const checking = new AbortController();
  lifecycle.onStop('startup checks', () => checking.abort());
  const checked = service.organizations.filter(({ organization }) => service.services.has(organization));
  const { alertChannels } = config;
  logStartChecks({ client: slack.client, services: checked, alertChannels, signal: checking.signal }, log);
  return servers[0]?.url ?? '';
}

/** Opens the store and applies the configuration to it. */
async function prepareStore(
  options: Pick<BotOptions, 'config' | 'log' | 'signal'> &
    Pick<Common, 'clock' | 'random' | 'metrics'> & {
      stopping: AbortSignal;
      wakeups: Wakeups;
      notify: Wake;
      open: typeof openStore;
      onOpened: (store: Store) => Promise<void>;
    },
  lifecycle: Lifecycle,
): Promise<Store> {
  const { config, clock, wakeups, notify } = options;
  const store = await options.open({
    ...locate(options),
    clock,
    hasPrivateOrganization: config.service.privateApiKey !== undefined,
    wakeups,
    notify,
  });
  lifecycle.onStop('database', () => store.close());
  await options.onOpened(store);
  await lookForPrivateKey({ store, clock });
  for (const channel of config.alertChannels) {
    await store.channels.watchFromStart(channel, slackTs(clock.now()));
  }
  return store;
}

function locate({
  config: { database },
  log,
  signal,
  stopping,
  random,
  metrics,
}: Pick<BotOptions, 'config' | 'log' | 'signal'> &
  Pick<Common, 'random' | 'metrics'> & { stopping: AbortSignal }): StoreLocation {
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

function share(
  { store, clock }: Common,
  given: Pick<Shared, 'config' | 'lifecycle' | 'wakeups' | 'lead' | 'imageRenderer'>,
): Shared {
  const degraded = createDegraded();
  const openBlockers = new Map<string, Blocker>();
  const broken = () => brokenChannels([...openBlockers.values()]);
  const health: Health = {
    phase: 'starting',
    slackConnected: false,
    slackFailure: null,
    degraded: () => [...degraded.read(), ...channelCountSentences(broken())],
    writable: () => store.writable(),
    ...(store.replicas === null ? {} : { notWritable: NOT_REACHABLE }),
  };
  const statusTracker = createStatusTracker({
    clock,
    version: programVersion(),
    degraded: degraded.read,
    brokenChannels: broken,
  });
  return {
    ...given,
    degraded,
    openBlockers,
    health,
    statusTracker,
    gaps: createGaps({ store, clock, lead: given.lead }),
  };
}

/** Starts taking deliveries. At shutdown, intake stops before anything else does. */
async function startTaking(
  common: Common,
  shared: Shared,
  slack: SlackParts,
  { inbox }: Inlet,
): Promise<void> {
  const { config, lifecycle, health, statusTracker, gaps } = shared;
  const { receiver, handle, canMatter } = slack;
  await gaps.begin();
  await lifecycle.start('inbox', {
    start: () => inbox.start(handle, canMatter),
    stop: () => inbox.stop(),
  });
  lifecycle.onStop('receiver', () => receiver.stop());
  if (common.store.replicas === null) {
    await lifecycle.start('backfill', composeBackfill(common, shared, slack));
  }
  lifecycle.onStop('gaps', () => gaps.close());
  await receiver.start();
  if (config.slack.mode === 'http') {
    health.slackConnected = true;
    statusTracker.slackConnected(true);
    gaps.end();
  }
  health.phase = 'running';
  lifecycle.onStop('health', () => {
    health.phase = 'stopping';
  });
}

/** A replica that begins to lead does not know what its predecessor has read. */
async function readWhatWasMissed(common: Common, shared: Shared, slack: SlackParts): Promise<void> {
  const { lifecycle, gaps, health } = shared;
  await gaps.begin();
  await lifecycle.start('backfill', composeBackfill(common, shared, slack));
  if (health.slackConnected) gaps.end();
}

/** Slack's client and its sockets use undici's proxy; the service's client has its own. */
function throughProxy({ proxy }: Config): void {
  if (!proxy) return;
  const { https: httpsProxy, except: noProxy } = proxy;
  setGlobalDispatcher(new EnvHttpProxyAgent({ httpsProxy, ...(noProxy === null ? {} : { noProxy }) }));
  install();
}
