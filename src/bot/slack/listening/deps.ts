import type { App } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Services } from '../../../contract/client/services.ts';
import type { Checkpoint } from '../../../lib/checkpoint.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { InTurn } from '../../../lib/in-turn.ts';
import type { Logger } from '../../../lib/log.ts';
import type { Metrics } from '../../../lib/metrics.ts';
import type { Confidential } from '../../asking/confidential.ts';
import type { Matcher } from '../../settings/patterns/matcher.ts';
import type { Store } from '../../store/open.ts';
import type { IssueAccess } from '../access/issue-access.ts';
import type { People } from '../access/user-directory.ts';
import type { Identity } from '../app.ts';
import type { Blockers } from '../blockers/blockers.ts';
import type { RefusedBlocks } from '../delivery/refused-blocks.ts';
import type { MessagesTab } from '../features/asking/messages-tab.ts';
import type { Home } from '../features/home/types.ts';
import type { Refusals } from '../sessions/refusals.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { RuntimeStatus } from '../status-tracker.ts';
import type { Once } from './once.ts';

/** What listeners need, passed in by `compose`. */
export interface ListenerDeps {
  store: Store;
  services: Services;
  /** Whether Slack says that a channel is private now. Rejects where it does not say. */
  isPrivateChannel: (channel: string) => Promise<boolean>;
  client: WebClient;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  identity: Identity;
  people: People;
  /** Who may see and steer an issue that the service names. */
  access: IssueAccess;
  home: Home;
  /** Knows which issues people may not hear of. */
  confidential: Pick<Confidential, 'hides'>;
  defaultEnvironment: string;
  /** Looks for the patterns of channels. */
  matcher: Matcher;
  maxIssuesPerDay: number;
  /** How many issues one person may file in an hour. */
  filePerUserHour: number;
  simulated: boolean;
  asking: { perUserHour: number; perChannelHour: number };
  /** What Slack shows of the work in a thread. */
  sessions: Pick<Sessions, 'show'>;
  /** What Slack does not do for this app. */
  refusals: Refusals;
  messagesTab: MessagesTab;
  /** Hears of what happens to channels. */
  blockers: Pick<Blockers, 'channelBroke' | 'channelChanged'>;
  /** Slack may have revoked the bot's token. */
  tokenInDoubt: () => void;
  /** Newer types of blocks that this workspace does not take. */
  refusedBlocks: RefusedBlocks;
  /** What is said once, not each time. */
  once: Once;
  /** What people do to one issue is done one after the other. */
  inTurn: InTurn;
  /** How the program is doing. */
  runtimeStatus: () => RuntimeStatus;
  checkpoint: Checkpoint;
  /** A link to a message, made without a call. */
  permalink: (channel: string, ts: string) => string;
}

/** Adds one listener to the app. */
export type Register = (app: App, deps: ListenerDeps) => void;
