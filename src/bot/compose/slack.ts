import { createInTurn, type InTurn } from '../../lib/in-turn.ts';
import type { Worker } from '../../lib/worker-loop.ts';
import { isPrivateChannel } from '../slack/access/channel-access.ts';
import { createNeedsConsent } from '../slack/access/consent.ts';
import { createMayRead, type MayRead } from '../slack/access/may-read.ts';
import {
  type Admins,
  createAdmins,
  createUserDirectory,
  type UserDirectory,
} from '../slack/access/people.ts';
import { createApp } from '../slack/app.ts';
import { type Backfill, createBackfill } from '../slack/backfill/backfill.ts';
import { createGapRecorder } from '../slack/backfill/gaps.ts';
import { type Blockers, createBlockers } from '../slack/blockers/blockers.ts';
import { lackingScopes } from '../slack/blockers/missing-scopes.ts';
import { scopeSentences } from '../slack/blockers/sentences.ts';
import { createTokenGuard } from '../slack/blockers/token.ts';
import { createSlackClient } from '../slack/client.ts';
import { createPace, type Pace } from '../slack/delivery/pace.ts';
import { classifySlackError } from '../slack/errors.ts';
import { canMatter } from '../slack/features/alerts/messages.ts';
import { createHome } from '../slack/features/home.ts';
import { registerListeners } from '../slack/features/register.ts';
import { identify, type WorkspaceIdentity } from '../slack/identify.ts';
import { createOnce } from '../slack/listening/deps.ts';
import type { Home } from '../slack/listening/tabs.ts';
import { createMessagesTab } from '../slack/listening/tabs.ts';
import { createHttpReceiver, type HttpReceiver } from '../slack/receivers/http.ts';
import { createInbox, type Handle, type Inbox } from '../slack/receivers/inbox.ts';
import { createSocketReceiver } from '../slack/receivers/socket.ts';
import { createRefusals, createSessions, type Sessions } from '../slack/sessions.ts';
import type { Replicas } from '../store/dialects/postgres-replicas.ts';
import type { Common, Shared } from './common.ts';
import type { ServiceParts } from './service.ts';
import { composeWebhookSources } from './webhooks.ts';

/** Receives deliveries, over HTTP or a socket. */
export interface Inlet {
  inbox: Inbox;
  /** `null` in Socket Mode. */
  http: HttpReceiver | null;
}

/** Slack, as the workers see it. */
export interface SlackParts {
  client: ReturnType<typeof createSlackClient>;
  identity: WorkspaceIdentity;
  pace: Pace;
  sessions: Sessions;
  people: UserDirectory;
  admins: Admins;
  mayRead: MayRead;
  home: Home & Worker;
  blockers: Blockers & Worker;
  listeners: Parameters<typeof registerListeners>[1];
  receiver: HttpReceiver['receiver'];
  /** Passes a stored delivery to the listeners. */
  handle: Handle;
  /** Whether the listeners could do anything with a delivery. */
  canMatter: (delivery: Record<string, unknown>) => Promise<boolean>;
  isPrivateChannel: (channel: string) => Promise<boolean>;
  /** A link to a message, built without calling Slack. */
  permalink: (channel: string, ts: string) => string;
}

interface SlackOptions {
  signal: AbortSignal;
  onTerminal: (sentence: string) => void;
}

/** Creates what stores deliveries. It exists before Slack is called, so that the port can be opened early. */
export function composeInlet(common: Common, { config, gaps }: Pick<Shared, 'config' | 'gaps'>): Inlet {
  const { clock, log } = common;
  const { slack } = config;
  const inbox = createInbox({ ...common, gap: { begins: gaps.begin, ended: gaps.end } });
  return { inbox, http: slack.mode === 'http' ? createHttpReceiver({ ...slack, inbox, clock, log }) : null };
}

/** Creates everything between the inbox and Slack's API, with every listener; starts nothing. */
export async function composeSlack(
  common: Common,
  shared: Shared,
  { services }: Pick<ServiceParts, 'services'>,
  inlet: Inlet,
  { signal, onTerminal }: SlackOptions,
): Promise<SlackParts> {
  const { store, clock, random, log, metrics, checkpoint } = common;
  const { config, degraded, statusTracker, gaps, openBlockers, lead } = shared;
  const { slack } = config;
  const reach = { token: slack.botToken, apiUrl: slack.apiUrl, log };
  const unwatched = createSlackClient(reach);
  const identity = await identify(unwatched, { clock, random, log, signal });
  const guard = createTokenGuard({ client: unwatched, clock, random, log, signal, onTerminal });
  const client = createSlackClient({
    ...reach,
    onFailure: (error) => {
      if (classifySlackError(error).kind === 'token_refused') guard.doubt();
      else
        void blockers
          .scopesMissing(lackingScopes(error))
          .catch((failure) => log.error({ err: failure }, 'could not record a missing scope'));
    },
  });
  const admins = createAdmins({ adminUsers: config.adminUsers, client, store });
  const needsConsent = createNeedsConsent({ store, client, clock });
  const blockers = createBlockers({
    store,
    client,
    clock,
    log,
    metrics,
    admins,
    open: openBlockers,
    needsConsent,
    configured: [...config.alertChannels, ...config.alertRoutes.map(({ channel }) => channel)],
    lead,
    onBack: async () => {
      await gaps.begin();
      gaps.end();
    },
  });
  degraded.add(() => scopeSentences([...openBlockers.values()]));
  const permalink = (channel: string, ts: string) =>
    `${identity.workspaceUrl}archives/${channel}/p${ts.replace('.', '')}`;
  const people = createUserDirectory({ ...config, client, clock, metrics, teamId: identity.teamId });
  const isPrivateNow = (channel: string) => isPrivateChannel(client, channel);
  const mayRead = createMayRead({ store, client, clock, log, people, isPrivateChannel: isPrivateNow });
  const home = createHome({
    store,
    clock,
    log,
    checkpoint,
    client,
    people,
    mayRead,
    permalink,
    maxIssuesPerDay: config.maxIssuesPerDay,
    simulated: config.simulated,
    runtimeStatus: statusTracker.read,
    isShared: store.replicas !== null,
  });
  const pace = createPace();
  const refusals = createRefusals({ clock, log });
  const sessions = createSessions({
    slack: { client, pace, clock, log, metrics },
    store,
    refusals,
    checkpoint,
  });
  const listeners = {
    store,
    services,
    webhooks: composeWebhookSources(common, config),
    clock,
    log,
    metrics,
    checkpoint,
    client,
    isPrivateChannel: isPrivateNow,
    identity,
    people,
    mayRead,
    home,
    needsConsent,
    defaultEnvironment: config.defaultEnvironment,
    maxIssuesPerDay: config.maxIssuesPerDay,
    filePerUserHour: config.filePerUserHour,
    simulated: config.simulated,
    asking: { perUserHour: config.askPerUserHour, perChannelHour: config.askPerChannelHour },
    runtimeStatus: statusTracker.read,
    permalink,
    blockers,
    tokenInDoubt: guard.doubt,
    once: createOnce(),
    inTurn: inTurnOver(store.replicas),
    sessions,
    refusals,
    messagesTab: createMessagesTab(clock),
  };
  const receiver = inlet.http?.receiver ?? composeSocket(common, shared, inlet, { signal, onTerminal });
  const { app, handle } = createApp({ ...slack, receiver, identity, log, gaps });
  registerListeners(app, listeners);
  return {
    client,
    identity,
    pace,
    sessions,
    people,
    admins,
    mayRead,
    home,
    blockers,
    listeners,
    receiver,
    handle,
    canMatter: (delivery) => canMatter(delivery, listeners),
    isPrivateChannel: listeners.isPrivateChannel,
    permalink,
  };
}

/** What people do to one issue, in turn here, and with what other replicas do. */
function inTurnOver(replicas: Replicas | null): InTurn {
  const inTurn = createInTurn();
  if (replicas === null) return inTurn;
  return (key, work) => inTurn(key, () => replicas.inTurn(key, work));
}

/** Reads what was missed, for as long as this process leads. */
export function composeBackfill(
  { random, checkpoint }: Common,
  { gaps, degraded, lifecycle }: Pick<Shared, 'gaps' | 'degraded' | 'lifecycle'>,
  { listeners, pace }: Pick<SlackParts, 'listeners' | 'pace'>,
): Backfill {
  const backfill = createBackfill({ listeners, pace, gaps, random, checkpoint });
  lifecycle.onStop(
    'degraded backfill',
    degraded.add(() => backfill.degraded()),
  );
  return backfill;
}

function composeSocket(
  { store, clock, random, log, metrics }: Common,
  { config: { slack }, health, statusTracker, gaps }: Shared,
  { inbox }: Inlet,
  { signal, onTerminal }: SlackOptions,
): HttpReceiver['receiver'] {
  const gap = createGapRecorder(gaps, log);
  return createSocketReceiver({
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
      if (connected) void gap.ends();
      else gap.begins();
    },
    onFailure: (reason) => {
      health.slackFailure = reason;
    },
    canStore:
      store.replicas === null ? null : async () => (await store.writable()) && (await gap.isRecorded()),
    onTerminal,
  });
}
