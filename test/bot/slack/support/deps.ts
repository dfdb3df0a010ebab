import { readConfig } from '../../../../src/bot/config.ts';
import type { Deps } from '../../../../src/bot/deps.ts';
import { createProblems } from '../../../../src/bot/problems/registry.ts';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../../src/bot/shared/metrics.ts';
import { createOnce } from '../../../../src/bot/shared/once.ts';
import { createMayRead } from '../../../../src/bot/slack/access/may-read.ts';
import { createGaps } from '../../../../src/bot/slack/backfill/gaps.ts';
import { createPace } from '../../../../src/bot/slack/delivery/pace.ts';
import { createMessagesTab } from '../../../../src/bot/slack/features/asking/messages-tab-state.ts';
import { createRefusals } from '../../../../src/bot/slack/sessions.ts';
import { createStatusTracker } from '../../../../src/bot/slack/status-tracker.ts';
import { createWakeups } from '../../../../src/bot/store/wakeups.ts';
import { createServices } from '../../../../src/contract/client/client.ts';
import { noCheckpoint } from '../../../../src/lib/clock.ts';
import { createInTurn } from '../../../../src/lib/worker-loop.ts';
import { fakeService } from '../../../support/fake-service.ts';
import { noSessions } from './no-sessions.ts';

export const BOT = {
  botUserId: 'U0BOT',
  botId: 'B0BOT',
  teamId: 'T1',
  workspaceUrl: 'https://acme.slack.com/',
};

const read = readConfig({
  SLACK_BOT_TOKEN: 'xoxb-fake',
  SLACK_APP_TOKEN: 'xapp-fake',
  SLACK_API_URL: 'https://slack.test/api/',
  ISSUE_SERVICE_URL: 'https://service.test/v1',
  ISSUE_SERVICE_API_KEY: 'key',
});

/** What listeners and workers are given, in a workspace of `acme` of which nobody is an admin. */
export function depsOf({
  store,
  clock,
  client,
  ...given
}: Partial<Deps> & { store: Deps['store']; clock: Deps['clock']; client: Deps['client'] }): Deps {
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const { slack, service } = read.config;
  if (!slack || !service) throw new Error('both are configured above');
  const log = createLogger('silent');
  const metrics = createMetrics();
  const deps = {
    ...read.config,
    slack,
    service,
    store,
    clock,
    client,
    random: () => 1,
    log,
    metrics,
    checkpoint: noCheckpoint,
    wakeups: createWakeups(),
    services: createServices({ default: fakeService().client }),
    organizations: [],
    webhookSources: { sources: [], routes: [], read: async () => null },
    lead: { isHeld: () => true },
    problems: createProblems({ store, clock, metrics }),
    pace: createPace(),
    identity: BOT,
    nameOf: async () => null,
    permalink: (channel: string, ts: string) =>
      `https://acme.slack.com/archives/${channel}/p${ts.replace('.', '')}`,
    isPrivateChannel: async () => false,
    people: {
      refusal: async () => null,
      isAdmin: async () => false,
      maySet: async () => null,
      zone: async () => 'Etc/UTC',
      whoIs: async () => ({ isExternal: false, name: null, names: [] }),
    },
    admins: { adminsToNotify: async () => [] },
    languageModel: async () => null,
    needsConsent: async () => false,
    originOf: async () => ({ isPrivate: false }),
    slackProblems: {
      channelBroke: async () => undefined,
      channelChanged: async () => undefined,
      channelWorks: async () => undefined,
      scopesMissing: async () => undefined,
    },
    tokenInDoubt: () => undefined,
    gaps: createGaps({ store, clock }),
    home: { opened: async () => undefined, show: async () => undefined },
    messagesTab: createMessagesTab(clock),
    sessions: noSessions,
    refusals: createRefusals({ clock, log }),
    once: createOnce(),
    inTurn: createInTurn(),
    owners: {
      of: () => null,
      named: () => null,
      namedIn: () => [],
      onCall: async () => null,
      pager: null,
      secrets: [],
    },
    runbooks: { about: async () => [], problem: () => null },
    statusTracker: createStatusTracker({
      clock,
      version: '1.2.3',
      problems: () => [],
    }),
    ...given,
  };
  const { runtimeStatus = deps.statusTracker.read, mayRead = createMayRead(deps) } = given;
  return { ...deps, runtimeStatus, mayRead };
}
