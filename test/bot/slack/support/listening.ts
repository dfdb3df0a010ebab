import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Deps, WebhookSources } from '../../../../src/bot/deps.ts';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../../src/bot/shared/metrics.ts';
import type { NeedsConsent } from '../../../../src/bot/slack/access/consent.ts';
import type { LanguageModelOf } from '../../../../src/bot/slack/access/language-model.ts';
import type { People } from '../../../../src/bot/slack/access/people.ts';
import { createApp } from '../../../../src/bot/slack/app.ts';
import { createHome } from '../../../../src/bot/slack/features/home.ts';
import { registerListeners } from '../../../../src/bot/slack/features/register.ts';
import type { RuntimeStatus } from '../../../../src/bot/slack/status-tracker.ts';
import { createServices } from '../../../../src/contract/client/client.ts';
import { type Checkpoint, noCheckpoint } from '../../../../src/lib/clock.ts';
import { fakeService } from '../../../support/fake-service.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { patientServer } from '../../../support/patient-server.ts';
import { recordWakeups } from '../../../support/record-wakeups.ts';
import { testSlack } from '../../../support/slack.ts';
import { BOT, depsOf } from './deps.ts';

/** Guests and people from outside, by id; everybody else is a member. */
const refusals: Record<string, Awaited<ReturnType<People['refusal']>>> = {
  U0GUEST: 'guest',
  U0EVE: 'external',
};

/** A real Bolt app with every listener, between a real store, a service in memory and a Slack that answers what the test says. */
export async function listening(
  options: {
    people?: Partial<People>;
    runtimeStatus?: Partial<RuntimeStatus>;
    checkpoint?: Checkpoint;
    filePerUserHour?: number;
    /** The tracker; none by default. */
    tickets?: Deps['tickets'];
    webhooks?: WebhookSources;
    /** Channels that are private, whose issues are those of an organization of their own. */
    privateChannels?: readonly string[];
    /** Whether a channel's members have to agree before anything is filed from it; of none by default. */
    needsConsent?: NeedsConsent;
    languageModel?: LanguageModelOf;
    /** A database to begin with. */
    copyOf?: string;
  } = {},
) {
  const { wakeups, woken } = recordWakeups();
  const opened = await openTestStore({ wakeups, copyOf: options.copyOf });
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  const { checkpoint = noCheckpoint } = options;
  await store.channels.watchFromStart('C0WATCHED', '1.000000');
  const service = fakeService();
  const slack = testSlack(clock);
  slack.answers('chat.postEphemeral', {});
  // Of every private channel, unless a test says otherwise.
  slack.answers('conversations.members', { members: ['U1', 'U2', 'U0ADMIN', 'U0ALICE'] });
  const metrics = createMetrics();
  const log = createLogger('silent');
  const reports: string[] = [];
  const { app, handle } = createApp({
    identity: BOT,
    botToken: 'xoxb-fake',
    apiUrl: 'https://slack.test/api/',
    log,
    gaps: { caughtUp: async () => undefined },
    fetch: (url, init) =>
      globalThis.fetch(
        String(url).replace(/^https:\/\/hooks\.slack\.com\/(\d+)/u, 'http://127.0.0.1:$1'),
        init,
      ),
  });
  const people = {
    refusal: async (id: string) => refusals[id] ?? null,
    isAdmin: async (id: string) => id === 'U0ADMIN',
    maySet: async (id: string) => refusals[id] ?? null,
    zone: async () => 'Europe/Berlin',
    whoIs: async () => ({ isExternal: false, name: null, names: [] }),
    ...options.people,
  };
  const runtimeStatus = (): RuntimeStatus => ({
    version: '1.2.3',
    startedAt: 0,
    slackSince: 0,
    service: [],
    polledAt: null,
    problems: [],
    ...options.runtimeStatus,
  });
  const { privateChannels = [], filePerUserHour = 30, webhooks } = options;
  const privateService = fakeService();
  const services = createServices({
    default: service.client,
    private: privateChannels.length > 0 ? privateService.client : null,
  });
  const base = depsOf({
    store,
    clock,
    client: slack.client,
    services,
    isPrivateChannel: async (channel) => privateChannels.includes(channel),
    log,
    metrics,
    people,
    checkpoint,
    runtimeStatus,
    filePerUserHour,
    tickets: options.tickets ?? null,
    ...(webhooks === undefined ? {} : { webhookSources: webhooks }),
    needsConsent: options.needsConsent ?? (async () => false),
    languageModel: options.languageModel ?? (async () => null),
    slackProblems: {
      channelBroke: async (channel, reason) => void reports.push(`${channel} ${reason}`),
      channelChanged: async (channel) => void reports.push(`${channel} changed`),
      channelWorks: async () => undefined,
      scopesMissing: async () => undefined,
    },
    tokenInDoubt: () => void reports.push('token'),
  });
  const home = createHome(base);
  const deps = { ...base, home };
  registerListeners(app, deps);
  const acks: unknown[] = [];
  /** `receivedAt`: when it came; now, if not sent. */
  const give = (body: Record<string, unknown>, receivedAt?: number) => {
    woken.length = 0;
    return handle({
      body,
      ack: async (answer) => void acks.push(answer ?? null),
      ...(receivedAt === undefined ? {} : { receivedAt }),
    });
  };
  return {
    /** What the listeners were given. */
    deps,
    store,
    file: opened.file,
    clock,
    service,
    privateService,
    slack,
    metrics,
    home,
    /** Which workers the last delivery has woken. */
    woken,
    /** What was heard of channels and of the token. */
    heard: reports,
    acks,
    give,
    /** An event as Slack wraps it. */
    event: (event: Record<string, unknown>) =>
      give({ type: 'event_callback', team_id: 'T1', api_app_id: 'A1', event_id: 'Ev1', event }),
  };
}

export interface ResponseAddress {
  url: string;
  /** What was sent there. */
  sent: { text: string; response_type: string }[];
  /** The blocks of each, as JSON. */
  blocks: string[];
  /** Each, whole. */
  bodies: Record<string, unknown>[];
}

/** A `response_url` that answers with a status. */
export async function responseAddress(status = 200): Promise<ResponseAddress> {
  const sent: ResponseAddress['sent'] = [];
  const bodies: ResponseAddress['bodies'] = [];
  const sentBlocks: string[] = [];
  const server = patientServer(async (req, res) => {
    let body = '';
    for await (const piece of req) body += String(piece);
    const parsed = JSON.parse(body);
    const { text, response_type, blocks } = parsed;
    bodies.push(parsed);
    sent.push({ text, response_type });
    sentBlocks.push(JSON.stringify(blocks));
    res.writeHead(status).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo; // listening on a port, so neither a path nor null
  return { url: `https://hooks.slack.com/${port}/commands/1`, sent, blocks: sentBlocks, bodies };
}
