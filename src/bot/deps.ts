import type { WebClient } from '@slack/web-api';
import type { Organization, ServiceClient, Services } from '../contract/client/client.ts';
import type { Checkpoint, Clock } from '../lib/clock.ts';
import type { InTurn } from '../lib/worker-loop.ts';
import type { WebhookReading } from './alerts/format.ts';
import type { Config, ServiceConfig, SlackConfig } from './config.ts';
import type { OriginOf } from './filing/privacy.ts';
import type { Owners } from './owners/index.ts';
import type { Problems } from './problems/registry.ts';
import type { Rendered } from './render/rendered.ts';
import type { Runbooks } from './runbooks/index.ts';
import type { Logger } from './shared/log.ts';
import type { Metrics } from './shared/metrics.ts';
import type { NeedsConsent } from './slack/access/consent.ts';
import type { LanguageModelOf } from './slack/access/language-model.ts';
import type { MayRead } from './slack/access/may-read.ts';
import type { Admins, People, UserDirectory } from './slack/access/people.ts';
import type { Gaps } from './slack/backfill/gaps.ts';
import type { Pace } from './slack/delivery/pace.ts';
import type { MessagesTab } from './slack/features/asking/messages-tab-state.ts';
import type { WorkspaceIdentity } from './slack/identify.ts';
import type { SlackProblems } from './slack/problems/problems.ts';
import type { Refusals, Sessions } from './slack/sessions.ts';
import type { RuntimeStatus, StatusTracker } from './slack/status-tracker.ts';
import type { Store } from './store/open.ts';
import type { Wakeups } from './store/wakeups.ts';
import type { Route } from './webhooks/routes.ts';

/** A configuration with nothing left to embed. */
export type CompleteConfig = Config & { slack: SlackConfig; service: ServiceConfig };

/** What is configured for webhooks. */
export interface WebhookSources {
  sources: readonly { name: string; isOn: boolean }[];
  routes: readonly Route[];
  /** What a source's payload says; `null` if there is no such source. */
  read(source: string, payload: string): Promise<WebhookReading | null>;
}

/** The app's Home, one view per person. */
export interface Home {
  /** Somebody opened their Home: keeps it up to date for an hour. */
  opened(userId: string): Promise<void>;
  /** Updates somebody's Home at once, to another page or with a note about what they just did. */
  show(userId: string, change?: { page?: number; note?: Rendered }): Promise<void>;
}

/** What is stored, and what every part of the program runs on. */
interface Stored {
  store: Store;
  wakeups: Wakeups;
  clock: Clock;
  random: () => number;
  log: Logger;
  metrics: Metrics;
  checkpoint: Checkpoint;
  /** Whether this process does what one process at a time does. */
  lead: { isHeld(): boolean };
  /** Of the leader's workers alone: throws once another replica leads. */
  assertLeads?: () => void;
  /** What does not work. */
  problems: Problems;
  /** Serializes what people do to one issue. */
  inTurn: InTurn;
  /** Whether a key is seen for the first time: for messages that are sent once. */
  once: (key: string) => boolean;
}

/** The investigation service, and what is known of it. */
interface Service {
  services: Services;
  organizations: readonly { organization: Organization; service: ServiceClient }[];
  statusTracker: StatusTracker;
  /** The program's current status. */
  runtimeStatus: () => RuntimeStatus;
  languageModel: LanguageModelOf;
  /** What the service learns about where an issue or a question comes from. */
  originOf: OriginOf;
}

interface Slack {
  client: WebClient;
  pace: Pace;
  identity: WorkspaceIdentity;
  /** A link to a message, built without a call to Slack. */
  permalink: (channel: string, ts: string) => string;
  /** Whether Slack reports a channel as private now. Rejects if Slack does not answer. */
  isPrivateChannel: (channel: string) => Promise<boolean>;
  people: People & UserDirectory;
  /** What a person or a channel is called; `null` if Slack does not say. */
  nameOf: (id: string) => Promise<string | null>;
  admins: Admins;
  mayRead: MayRead;
  /** Whether a private channel's members have to agree before anything is filed from it. */
  needsConsent: NeedsConsent;
  slackProblems: SlackProblems;
  /** Slack may have revoked the bot's token. */
  tokenInDoubt: () => void;
  gaps: Gaps;
  home: Home;
  messagesTab: MessagesTab;
  /** What Slack shows of the work in a thread. */
  sessions: Sessions;
  /** Features that Slack refuses this app. */
  refusals: Refusals;
}

interface Settings extends CompleteConfig {
  webhookSources: WebhookSources;
  /** Who owns what, and is on call. */
  owners: Owners;
  /** What to do about what, as people wrote it down. */
  runbooks: Runbooks;
}

/** What listeners and workers are given: everything that `compose` creates once. A part asks for what it uses of it. */
export type Deps = Settings & Stored & Service & Slack;
