import type { Services } from '../../contract/client/client.ts';
import type { Checkpoint, Clock } from '../../lib/clock.ts';
import type { Wakeup } from '../../lib/worker-loop.ts';
import type { OriginOf } from '../filing/privacy.ts';
import type { Logger } from '../shared/log.ts';
import type { Metrics } from '../shared/metrics.ts';
import type { Store } from '../store/open.ts';
import type { AgentContext } from './agent-context.ts';

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
