import type { Generated } from 'kysely';

/** What Slack was told of an agent session, which is a thread's. */
export interface SessionsTable {
  channel: string;
  threadTs: string;
  /** What Slack shows, or is being told. */
  status: 'processing' | 'suspended' | 'active';
  /** From before Slack is told until it has answered. */
  telling: Generated<boolean>;
  toldAt: number;
  /** Once it has a title. */
  named: Generated<boolean>;
  /** When somebody last pressed Slack's stop button, by Slack's clock in milliseconds. */
  stoppedAt: number | null;
}
