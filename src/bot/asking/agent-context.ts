import type { Services } from '../../contract/client/client.ts';
import type { ServiceOwner } from '../../contract/schema.ts';
import type { Checkpoint, Clock } from '../../lib/clock.ts';
import type { Wakeup } from '../../lib/worker-loop.ts';
import type { OriginOf } from '../filing/privacy.ts';
import type { Logger } from '../shared/log.ts';
import type { Metrics } from '../shared/metrics.ts';
import type { Conversation } from '../store/conversations.ts';
import type { Issue } from '../store/issues.ts';
import type { Store } from '../store/open.ts';
import type { Question } from '../store/questions.ts';
import type { AskedFile } from './question.ts';

/** One message of a thread, as passed to the agent. */
export interface ThreadMessage {
  /** `Person A`, or a name where names are shared; a tool's or our own name. */
  speaker: string;
  /** What was said, without Slack's markup; mentions of people are named as speakers are. */
  text: string;
}

/** An attached file: its text, or why it was not read in a few words. */
export type ReadFile = { name: string; text: string } | { name: string; notRead: string };

/** What the agent gets besides a question. Read from Slack; none of it rejects. */
export interface AgentContext {
  /**
   * What people said in the thread before the question, oldest first: the last 30 messages, without those of people of
   * other organizations and our own. Empty where threads are not shared, or Slack does not give it.
   */
  talk(conversation: Conversation, question: Question): Promise<ThreadMessage[]>;
  /**
   * A question's own words as the agent gets them: people whom it mentions are named as in `talk`, and no id of anybody
   * is in it. For earlier questions too, where they are sent again. Ask for `talk` first, so that they are named alike.
   */
  words(conversation: Conversation, question: Question): Promise<string>;
  /**
   * The issue that the asker has open in Slack beside their direct message; `null` if they look at none, or may not
   * see it.
   */
  lookedAt(conversation: Conversation, question: Question): Promise<Issue | null>;
  /** Who owns the issue's service, what its verdict names, and the services that a question names. */
  owners(conversation: Conversation, question: Question, issue: Issue | null): Promise<ServiceOwner[]>;
  /** A text file of up to 50 kB. */
  file(file: AskedFile): Promise<ReadFile>;
}

/** What asking the agent needs. */
export interface AnswererOptions {
  store: Store;
  services: Services;
  /** Whether Slack says that a channel is private now; direct messages of several people are not. Rejects if Slack does not answer. */
  isPrivateChannel: (channel: string) => Promise<boolean>;
  originOf: OriginOf;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  /** Wakes it when a question waits, or is stopped. */
  asked: Wakeup;
  timeoutMs: number;
  /** What the agent gets besides the question. */
  materials: AgentContext;
  checkpoint: Checkpoint;
}
