import { type ScheduledTask, schedule } from 'node-cron';
import { EnvHttpProxyAgent, install, setGlobalDispatcher } from 'undici';
import { createOrganizations } from '../contract/client/organizations.ts';
import { type Checkpoint, noCheckpoint } from '../lib/checkpoint.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { showEventLoopLag, watchEventLoop } from '../lib/event-loop.ts';
import { createInTurn } from '../lib/in-turn.ts';
import type { Logger } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { programVersion } from '../lib/version.ts';
import { createWakeup } from '../lib/wakeup.ts';
import { createAnswerer } from './asking/answerer.ts';
import { createConfidential } from './asking/confidential.ts';
import type { Config, ServiceConfig, SlackConfig } from './config/config.ts';
import { createDigester } from './digest/digests.ts';
import { createCreator } from './filing/create.ts';
import { createTimers } from './filing/timers.ts';
import type { Health } from './health/health.ts';
import { serve } from './health/ports.ts';
import { createStatusPusher } from './issues/push-status.ts';
import { createStudio } from './render/pictures/studio.ts';
import { createSweeper } from './retention/sweeper.ts';
import { createTombstoneCheck } from './retention/tombstones.ts';
import { createMatcher } from './settings/patterns/matcher.ts';
import { createAdmins } from './slack/access/admins.ts';
import { isPrivateChannel } from './slack/access/channel-access.ts';
import { createIssueAccess } from './slack/access/issue-access.ts';
import { createMaySee } from './slack/access/readers.ts';
import { createUserDirectory } from './slack/access/user-directory.ts';
import { createAgentContext } from './slack/agent-context/agent-context.ts';
import { createApp } from './slack/app.ts';
import { createBackfill } from './slack/backfill/backfill.ts';
import { createGaps } from './slack/backfill/gaps.ts';
import { type Blockers, blockUntilRepaired, createBlockers } from './slack/blockers/blockers.ts';
import { lackingScopes } from './slack/blockers/missing-scopes.ts';
import { brokenChannels, channelCountSentences, scopeSentences } from './slack/blockers/sentences.ts';
import { replaceBlockerPayload, tellBlocker } from './slack/blockers/tell.ts';
import { createTokenGuard } from './slack/blockers/token.ts';
import { logStartChecks } from './slack/checks/start.ts';
import { createSlackClient } from './slack/client.ts';
import { createDelivery } from './slack/delivery/loop.ts';
import { giveUpGone, keepPlace, sendToPerson, stoppedInSlack } from './slack/delivery/outcomes.ts';
import { createPace } from './slack/delivery/pace.ts';
import { createStreams } from './slack/delivery/streams.ts';
import { classifySlackError } from './slack/errors.ts';
import { createHome } from './slack/features/home/home.ts';
import { registerListeners } from './slack/features/register.ts';
import { identify } from './slack/identify.ts';
import { keepCalls } from './slack/keep-calls.ts';
import { createOnce } from './slack/listening/once.ts';
import { createMessages } from './slack/messages/index.ts';
import { createHttpReceiver } from './slack/receivers/http.ts';
import { createInbox } from './slack/receivers/inbox.ts';
import { createSocketReceiver } from './slack/receivers/socket.ts';
import { createStatusTracker } from './slack/status-tracker.ts';
import { slackTs } from './slack/timestamp.ts';
import { wantBesideResults } from './slack/uploads/beside-results.ts';
import { wantChartLater } from './slack/uploads/charts.ts';
import { createPictures } from './slack/uploads/pictures.ts';
import { openStore } from './store/open.ts';
import { createArtifactFetcher } from './watching/artifacts.ts';
import { createPoller } from './watching/poll.ts';
import { lookForPrivateKey } from './watching/private-key.ts';
import { createServiceWatch } from './watching/service-watch.ts';

/** How long after a start the file may still be missing what an earlier life did. */
const DOUBT_MS = 30 * 60_000;

/** A configuration in which nothing is left to embed. */
export type CompleteConfig = Config & { slack: SlackConfig; service: ServiceConfig };

export interface BotOptions {
  config: CompleteConfig;
  log: Logger;
  /** Slack will not have us any more: the process is to stop with this sentence. */
  onTerminal: (sentence: string) => void;
  signal: AbortSignal;
  clock?: Clock;
  random?: () => number;
  checkpoint?: Checkpoint;
}

export interface Bot {
  url: string;
  /** Ordered: nothing new comes in, what is under way ends, then everything is closed. */
  stop(): Promise<void>;
}

/**
 * Builds the bot from its parts and starts it: the only place that knows every folder (DESIGN section 2).
 *
 * @throws OperatorError when the database, the port or Slack's token cannot be had.
 */
export async function startBot(options: BotOptions): Promise<Bot> {
  const {
    config,
    log,
    signal,
    clock = systemClock,
    random = Math.random,
    checkpoint = noCheckpoint,
  } = options;
  throughProxy(config);
  const metrics = createMetrics();
  const eventLoop = showEventLoopLag(metrics, watchEventLoop(clock));
  const closing: (() => Promise<unknown>)[] = [async () => eventLoop.close()];
  const stopAll = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const store = await openStore({
      file: config.databaseFile,
      clock,
      doubt: { before: clock.now(), until: clock.now() + DOUBT_MS },
      hasPrivateOrganization: config.service.privateApiKey !== undefined,
      signal,
      onWait: () => log.warn('another process has the database locked; waiting for it to stop'),
    });
    closing.push(() => store.close());
    await lookForPrivateKey({ store, clock });
    for (const channel of config.alertChannels) {
      await store.channels.watchFromStart(channel, slackTs(clock.now()));
    }

    let openTroubles: Blockers['open'] = () => [];
    const degraded: (() => string | string[] | null)[] = [];
    const failing = () => degraded.flatMap((one) => one() ?? []);
    const broken = () => brokenChannels(openTroubles());
    const statusTracker = createStatusTracker({
      clock,
      version: programVersion(),
      degraded: failing,
      brokenChannels: broken,
    });
    const { services, organizations } = createOrganizations({
      ...config.service,
      clock,
      random,
      ...keepCalls({ log, metrics, statusTracker }),
    });
    for (const { service } of organizations) closing.push(() => service.close());

    const signals = { outbox: createWakeup(), asked: createWakeup() };
    const wakeups = {
      outbox: () => signals.outbox.wake(),
      filed: () => {
        for (const { filed } of organizations) filed.wake();
      },
      asked: () => signals.asked.wake(),
      status: () => {
        for (const { status } of organizations) status.wake();
      },
    };
    const common = { store, services, clock, random, log, metrics, checkpoint };
    const onResults = wantBesideResults(config);
    const pollers = organizations.map((of) =>
      createPoller({ ...common, ...of, ring: wakeups.outbox, onResults }),
    );
    for (const poller of pollers) degraded.push(() => poller.degraded());
    const health: Health = {
      phase: 'starting',
      slackConnected: false,
      slackFailure: null,
      degraded: () => [...failing(), ...channelCountSentences(broken())],
      writable: () => store.writable(),
    };
    const inbox = createInbox({
      ...common,
      gap: { begins: () => gaps.begin(), ended: () => backfill.gapEnded() },
    });
    const { slack } = config;
    const http = slack.mode === 'http' ? createHttpReceiver({ ...slack, inbox, clock, log }) : null;
    const servers = await serve(config, health, metrics, http?.listener ?? null);
    for (const server of servers) closing.push(() => server.close());

    const reach = { token: slack.botToken, apiUrl: slack.apiUrl, log };
    const unwatched = createSlackClient(reach);
    const identity = await identify(unwatched, { clock, random, log, signal });
    const guard = createTokenGuard({ ...options, client: unwatched, clock, random });
    const client = createSlackClient({
      ...reach,
      onFailure: (error) => {
        if (classifySlackError(error).kind === 'token_refused') guard.doubt();
        else
          void blockers
            .scopesMissing(lackingScopes(error))
            .catch((failure) => log.error({ err: failure }, 'a missing scope could not be written down'));
      },
    });
    const permalink = (channel: string, ts: string) =>
      `${identity.workspaceUrl}archives/${channel}/p${ts.replace('.', '')}`;
    const people = createUserDirectory({ ...config, client, clock, metrics, teamId: identity.teamId });
    const home = createHome({
      ...common,
      ...config,
      client,
      people,
      permalink,
      runtimeStatus: statusTracker.read,
    });
    const confidential = createConfidential({ ...common, maySee: createMaySee(store, home) });
    const admins = createAdmins({ ...config, client, store });
    const blockers = createBlockers({
      ...common,
      client,
      admins,
      ring: wakeups.outbox,
      onBack: async (since) => {
        await store.flags.openUnheard(since);
        await gaps.begin();
        backfill.gapEnded();
      },
    });
    openTroubles = blockers.open;
    degraded.push(() => scopeSentences(openTroubles()));
    const serviceWatches = organizations.map((of) =>
      createServiceWatch({
        ...common,
        ...of,
        tell: (trouble) => tellBlocker(trouble, { ...common, client, admins }),
        retell: replaceBlockerPayload,
        ring: wakeups.outbox,
      }),
    );
    for (const watch of serviceWatches) degraded.push(() => watch.degraded());
    const matcher = createMatcher({ clock });
    closing.push(() => matcher.close());
    const listeners = {
      ...common,
      client,
      isPrivateChannel: (channel: string) => isPrivateChannel(client, channel),
      identity,
      people,
      access: createIssueAccess({ ...common, client, people, permalink }),
      home,
      confidential,
      defaultEnvironment: config.defaultEnvironment,
      matcher,
      maxIssuesPerDay: config.maxIssuesPerDay,
      filePerUserHour: config.filePerUserHour,
      simulated: config.simulated,
      asking: { perUserHour: config.askPerUserHour, perChannelHour: config.askPerChannelHour },
      runtimeStatus: statusTracker.read,
      permalink,
      blockers,
      tokenInDoubt: () => guard.doubt(),
      once: createOnce(),
      inTurn: createInTurn(),
      wakeups,
    };
    const pace = createPace();
    const gaps = createGaps({ store, clock });
    const gapBegins = () =>
      void gaps.begin().catch((error) => log.error({ err: error }, 'a gap could not be written down'));
    const backfill = createBackfill({ listeners, pace, gaps, random, checkpoint });
    degraded.push(() => backfill.degraded());

    const receiver =
      slack.mode === 'http' && http
        ? http.receiver
        : createSocketReceiver({
            appToken: slack.mode === 'socket' ? slack.appToken : '',
            apiUrl: slack.apiUrl,
            inbox,
            clock,
            random,
            log,
            metrics,
            signal,
            onConnected: (connected) => {
              health.slackConnected = connected;
              if (connected) health.slackFailure = null;
              statusTracker.slackConnected(connected);
              if (connected) backfill.gapEnded();
              else gapBegins();
            },
            onFailure: (reason) => {
              health.slackFailure = reason;
            },
            onTerminal: options.onTerminal,
          });
    const { app, handle } = createApp({ ...slack, receiver, identity, log, gaps });
    registerListeners(app, listeners);

    const studio = createStudio({
      clock,
      onProblem: (problem) => log.warn({ err: problem }, 'a picture could not be drawn'),
    });
    closing.push(() => studio.close());
    const web = { client, pace, clock, log, metrics };
    const pictures = createPictures({
      slack: web,
      store,
      studio,
      random,
      checkpoint,
      ring: wakeups.outbox,
    });
    const delivery = createDelivery({
      slack: web,
      store,
      contentOf: createMessages({ ...config, store, clock, identity, permalink }),
      onPlaced: keepPlace,
      onRefused: (row, error) => sendToPerson(row, error, { store, client }),
      onWaits: (row, error) => blockUntilRepaired(row, error, { store, clock, blockers }),
      onPosted: (channel) => blockers.channelWorks(channel),
      onGone: (row, error) => giveUpGone(row, error, { store, clock }),
      onStopped: (questionId) => stoppedInSlack(questionId, { store, clock, ring: wakeups.asked }),
      streams: createStreams(),
      random,
      checkpoint,
      wakeup: signals.outbox,
    });
    const creators = organizations.map((of) => createCreator({ ...common, ...of, outbox: signals.outbox }));
    const answerer = createAnswerer({
      ...listeners,
      outbox: signals.outbox,
      asked: signals.asked,
      timeoutMs: config.askTimeoutSeconds * 1000,
      confidential,
      materials: createAgentContext({ ...config, ...slack, slack: web, store, people, identity }),
    });
    const statusTellers = organizations.map((of) =>
      createStatusPusher({ ...common, ...of, outbox: signals.outbox }),
    );
    const keeper = createTimers({ ...common, wakeups });
    const fetcher = createArtifactFetcher({ ...common, onKept: wantChartLater });
    const digester = createDigester({ ...common, ring: wakeups.outbox });
    const sweeper = createSweeper({ ...common, ...config });
    for (const worker of [
      delivery,
      pictures,
      ...creators,
      answerer,
      ...statusTellers,
      keeper,
      fetcher,
      digester,
      sweeper,
      createTombstoneCheck(common),
      home,
      blockers,
      ...serviceWatches,
    ]) {
      worker.start();
      closing.push(() => worker.stop());
    }
    const cron: ScheduledTask = schedule(config.pollCron, () =>
      Promise.all(pollers.map((poller) => poller.tick())).then(statusTracker.polled),
    );
    closing.push(
      () => Promise.all(pollers.map((poller) => poller.stop())),
      async () => cron.destroy(),
    );
    await gaps.begin();
    inbox.start(handle);
    closing.push(() => inbox.stop());
    closing.push(() => receiver.stop());
    backfill.start();
    closing.push(() => backfill.stop());
    await receiver.start();
    if (slack.mode === 'http') {
      health.slackConnected = true;
      statusTracker.slackConnected(true);
      backfill.gapEnded();
    }
    health.phase = 'running';
    closing.push(async () => {
      health.phase = 'stopping';
    });

    const checking = new AbortController();
    closing.push(async () => checking.abort());
    const checked = organizations.filter(({ organization }) => services.has(organization));
    const { alertChannels } = config;
    logStartChecks({ client, services: checked, alertChannels, signal: checking.signal }, log);
    return { url: servers[0]?.url ?? '', stop: stopAll };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** Slack's client and its sockets take the proxy from undici; the service's client has one of its own. */
function throughProxy({ proxy }: Config): void {
  if (!proxy) return;
  const { https: httpsProxy, except: noProxy } = proxy;
  setGlobalDispatcher(new EnvHttpProxyAgent({ httpsProxy, ...(noProxy === null ? {} : { noProxy }) }));
  install();
}
