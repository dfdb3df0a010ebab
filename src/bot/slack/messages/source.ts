import type { Clock } from '../../../lib/clock.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { Identity } from '../app.ts';
import type { Content } from '../delivery/content.ts';

export interface ContentDeps {
  store: Store;
  clock: Clock;
  identity: Identity;
  /** The embedded service with a real Slack: every message is marked as simulated. */
  simulated: boolean;
  /** A permalink to a message, built without calling Slack. */
  permalink: (channel: string, ts: string) => string;
  maxIssuesPerDay: number;
}

/** Renders one kind of intent from the store's current state. */
export type ContentSource = (row: OutboxRow, deps: ContentDeps) => Promise<Content>;
