import type { App } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Services } from '../../../contract/client/client.ts';
import type { Checkpoint } from '../../../lib/checkpoint.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { InTurn } from '../../../lib/in-turn.ts';
import type { Logger } from '../../../lib/log.ts';
import type { Metrics } from '../../../lib/metrics.ts';
import type { WebhookReading } from '../../alerts/format.ts';
import type { Store } from '../../store/open.ts';
import type { Route } from '../../webhooks/routes.ts';
import type { NeedsConsent } from '../access/consent.ts';
import type { MayRead } from '../access/may-read.ts';
import type { People } from '../access/people.ts';
import type { Identity } from '../app.ts';
import type { Blockers } from '../blockers/blockers.ts';
import type { Refusals, Sessions } from '../sessions.ts';
import type { RuntimeStatus } from '../status-tracker.ts';
import type { Home, MessagesTab } from './tabs.ts';

/** Whether a key is seen for the first time, as far as is remembered. */
type Once = (key: string) => boolean;

/** Remembers the last few thousand keys; a restart forgets them all. */
export function createOnce(most = 5_000): Once {
  const known = new Set<string>();
  return (key) => {
    if (known.has(key)) return false;
    const [oldest] = known;
    if (known.size >= most && oldest !== undefined) known.delete(oldest);
    known.add(key);
    return true;
  };
}

/** What is configured for webhooks. */
export interface WebhookSources {
  sources: readonly { name: string; isOn: boolean }[];
  routes: readonly Route[];
  /** What a source's payload says; `null` if there is no such source. */
  read(source: string, payload: string): WebhookReading | null;
}

/** What listeners need, passed in by `compose`. */
export interface ListenerDeps {
  store: Store;
  services: Services;
  webhooks: WebhookSources;
  /** Whether Slack reports a channel as private now. Rejects if Slack does not answer. */
  isPrivateChannel: (channel: string) => Promise<boolean>;
  client: WebClient;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  identity: Identity;
  people: People;
  mayRead: MayRead;
  home: Home;
  /** Whether a private channel's members have to agree before anything is filed from it. */
  needsConsent: NeedsConsent;
  defaultEnvironment: string;
  maxIssuesPerDay: number;
  /** How many issues one person may file in an hour. */
  filePerUserHour: number;
  simulated: boolean;
  asking: { perUserHour: number; perChannelHour: number };
  /** What Slack shows of the work in a thread. */
  sessions: Pick<Sessions, 'show'>;
  /** Features that Slack refuses this app. */
  refusals: Refusals;
  messagesTab: MessagesTab;
  /** Told when a channel breaks or changes. */
  blockers: Pick<Blockers, 'channelBroke' | 'channelChanged'>;
  /** Slack may have revoked the bot's token. */
  tokenInDoubt: () => void;
  /** For messages that are sent once, not each time. */
  once: Once;
  /** Serialises what people do to one issue. */
  inTurn: InTurn;
  /** The program's current status. */
  runtimeStatus: () => RuntimeStatus;
  checkpoint: Checkpoint;
  /** A link to a message, built without a call to Slack. */
  permalink: (channel: string, ts: string) => string;
}

/** Adds one listener to the app. */
export type Register = (app: App, deps: ListenerDeps) => void;
