import type { Generated } from 'kysely';

/** What Slack was told about an agent session; sessions belong to threads. */
export interface SessionsTable {
  channel: string;
  threadTs: string;
  /** What Slack shows, or is about to show. */
  status: 'processing' | 'suspended' | 'active';
  /** Set before the call to Slack, until it has answered. */
  telling: Generated<boolean>;
  toldAt: number;
  /** Whether it has a title. */
  named: Generated<boolean>;
  /** When somebody last pressed Slack's stop button, by Slack's clock in milliseconds. */
  stoppedAt: number | null;
}
