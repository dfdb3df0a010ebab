import type { Worker } from '../../lib/worker-loop.ts';
import { createAnswerer } from '../asking/answerer.ts';
import { createDigester } from '../digest/digests.ts';
import { createCreator } from '../filing/create.ts';
import { createTimers } from '../filing/timers.ts';
import { createStatusPusher } from '../issues/push-status.ts';
import { createImageRenderer } from '../render/pictures/image-renderer.ts';
import { createLogTruncation, createSweeper, createTombstoneCheck } from '../retention/sweeper.ts';
import { createMaySee } from '../slack/access/visible-places.ts';
import { createAgentContext } from '../slack/agent-context/agent-context.ts';
import { blockUntilRepaired, replaceBlockerPayload, tellBlocker } from '../slack/blockers/blockers.ts';
import type { Slack } from '../slack/delivery/calls.ts';
import { createStreams } from '../slack/delivery/content.ts';
import { createDelivery } from '../slack/delivery/loop.ts';
import { giveUpGone, keepPlace, sendToPerson, stoppedInSlack } from '../slack/delivery/outcomes.ts';
import { createMessages } from '../slack/messages/index.ts';
import { createSessionKeeper } from '../slack/sessions.ts';
import { createPictures, wantChartLater } from '../slack/uploads/pictures.ts';
import { createArtifactFetcher } from '../watching/artifacts.ts';
import { createServiceWatch } from '../watching/service-watch.ts';
import type { Common, Shared } from './common.ts';
import type { ServiceParts } from './service.ts';
import type { SlackParts } from './slack.ts';
import { composeAlertmanagerPull, composeSilences, composeWebhookWorker } from './webhooks.ts';

/** All background workers by name, in start order. */
export function composeWorkers(
  common: Common,
  shared: Pick<Shared, 'config' | 'lifecycle' | 'wakeups' | 'degraded' | 'imageRenderer'>,
  { services, organizations }: ServiceParts,
  slack: SlackParts,
): [name: string, worker: Worker][] {
  const { store, clock, random, log, metrics, checkpoint } = common;
  const { config, wakeups, degraded } = shared;
  const { client, identity, people, admins, isPrivateChannel } = slack;
  const serviceWatches = organizations.map(({ organization, service }) =>
    createServiceWatch({
      store,
      service,
      organization,
      clock,
      log,
      metrics,
      tell: (trouble) => tellBlocker(trouble, { store, client, clock, admins }),
      replacePayload: replaceBlockerPayload,
    }),
  );
  for (const watch of serviceWatches) degraded.add(() => watch.degraded());
  const creators = organizations.map(({ organization, service }) =>
    createCreator({
      store,
      service,
      organization,
      clock,
      random,
      log,
      filed: wakeups.filed[organization],
      checkpoint,
    }),
  );
  const answerer = createAnswerer({
    store,
    services,
    isPrivateChannel,
    clock,
    log,
    metrics,
    asked: wakeups.asked,
    timeoutMs: config.askTimeoutSeconds * 1000,
    materials: createAgentContext({
      ...config,
      ...config.slack,
      slack: webOf(common, slack),
      store,
      maySee: createMaySee(store, slack.home),
      people,
      identity,
    }),
    checkpoint,
  });
  const statusPushers = organizations.map(({ organization, service }) =>
    createStatusPusher({
      store,
      service,
      organization,
      clock,
      random,
      log,
      checkpoint,
      status: wakeups.status[organization],
    }),
  );
  const fetcher = createArtifactFetcher({
    store,
    services,
    clock,
    random,
    log,
    checkpoint,
    onKept: wantChartLater,
    wakeup: wakeups.artifacts,
  });
  const pull = composeAlertmanagerPull(common, shared);
  const silences = composeSilences(common, shared);
  return [
    ['delivery', composeDelivery(common, shared, slack)],
    ['pictures', composePictures(common, shared, slack)],
    ['webhooks', composeWebhookWorker(common, shared, slack)],
    ...(pull === null ? [] : [['Alertmanager', pull] satisfies [string, Worker]]),
    ...(silences === null ? [] : [['silences', silences] satisfies [string, Worker]]),
    ...creators.map((creator): [string, Worker] => ['creator', creator]),
    ['answerer', answerer],
    ...statusPushers.map((pusher): [string, Worker] => ['status pusher', pusher]),
    ['timers', createTimers({ store, clock, log })],
    ['artifact fetcher', fetcher],
    ['digester', createDigester({ store, clock, log })],
    ['sweeper', createSweeper({ store, clock, log, retentionDays: config.retentionDays })],
    ['log truncation', createLogTruncation({ store, clock, log })],
    ['tombstone check', createTombstoneCheck({ store, services, clock, log })],
    ['sessions', createSessionKeeper({ store, sessions: slack.sessions, clock, log })],
    ...serviceWatches.map((watch): [string, Worker] => ['service watch', watch]),
  ];
}

function composeDelivery(
  common: Common,
  { config, wakeups }: Pick<Shared, 'config' | 'wakeups'>,
  slack: SlackParts,
): Worker {
  const { store, clock, random, checkpoint } = common;
  const { client, identity, permalink, blockers } = slack;
  const { simulated, maxIssuesPerDay } = config;
  return createDelivery({
    slack: webOf(common, slack),
    store,
    contentOf: createMessages({
      store,
      clock,
      identity,
      permalink,
      simulated,
      maxIssuesPerDay,
    }),
    onPlaced: keepPlace,
    onRefused: (row, error) => sendToPerson(row, error, { store, client }),
    onWaits: (row, error) => blockUntilRepaired(row, error, { store, clock, blockers }),
    onPosted: (channel) => blockers.channelWorks(channel),
    onGone: (row, error) => giveUpGone(row, error, { store, clock }),
    onStopped: (questionId) => stoppedInSlack(questionId, { store, clock }),
    streams: createStreams(),
    sessions: slack.sessions,
    random,
    checkpoint,
    wakeup: wakeups.outbox,
  });
}

function composePictures(
  common: Common,
  { lifecycle, wakeups, ...given }: Pick<Shared, 'lifecycle' | 'wakeups' | 'imageRenderer'>,
  slack: SlackParts,
): Worker {
  const { store, clock, random, log, checkpoint } = common;
  const onProblem = (problem: Error) => log.warn({ err: problem }, 'could not draw a picture');
  const imageRenderer = given.imageRenderer ?? createImageRenderer({ clock, onProblem });
  lifecycle.onStop('image renderer', () => imageRenderer.close());
  return createPictures({
    slack: webOf(common, slack),
    store,
    imageRenderer,
    random,
    checkpoint,
    wakeup: wakeups.pictures,
  });
}

/** Slack as workers call it: they share one rate limit. */
function webOf({ clock, log, metrics, assertLeads }: Common, { client, pace }: SlackParts): Slack {
  return { client, pace, clock, log, metrics, assertLeads };
}
