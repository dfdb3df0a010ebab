import type { Blocker } from '../../store/blockers.ts';

/** What does not work in Slack until somebody mends it (DESIGN section 5, *Gone*). */
export interface Blockers {
  /** Nothing can be said in a channel, for Slack's own reason (`is_archived`, …): from now on what comes waits. */
  channelBroke(channel: string, reason: string): Promise<void>;
  /** Slack took a post there. */
  channelWorks(channel: string): Promise<void>;
  /** A channel may have been mended, or the bot has come into it: Slack is asked how things stand. */
  channelChanged(channel: string): Promise<void>;
  /** Slack does not grant these scopes. */
  scopesMissing(scopes: readonly string[]): Promise<void>;
  /** What is open now, as far as this process knows. */
  open(): readonly Blocker[];
}
