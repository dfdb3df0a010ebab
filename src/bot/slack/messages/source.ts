import type { InvestigationResults } from '../../../contract/answers.ts';
import type { TrialAnswer } from '../../../contract/schema.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Config, TicketSettings } from '../../config.ts';
import type { Owners } from '../../owners/index.ts';
import { notInChannel, refusedThere } from '../../render/notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import type { Runbooks } from '../../runbooks/index.ts';
import { cardKey } from '../../store/intents/keys.ts';
import { personOf } from '../../store/intents/payloads.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { StoredResults } from '../../store/results.ts';
import type { MayRead } from '../access/may-read.ts';
import type { Identity } from '../app.ts';
import type { Content } from '../delivery/content.ts';

export interface ContentDeps {
  store: Store;
  mayRead: MayRead;
  clock: Clock;
  /** What a person or a channel is called; `null` if Slack does not say. */
  nameOf: (id: string) => Promise<string | null>;
  /** A permalink to a message, built without calling Slack. */
  permalink: (channel: string, ts: string) => string;
  /** The embedded service with a real Slack: every message is marked as simulated. */
  simulated: boolean;
  identity: Identity;
  /** The tracker; `null` if there is none. */
  tickets?: TicketSettings | null;
  owners?: Owners;
  /** What to do about what, as people wrote it down. */
  runbooks?: Runbooks;
  /** The last days' alerts, investigated as of then, by the service. */
  trial?: (days: number) => Promise<TrialAnswer | null>;
  maxIssuesPerDay: number;
  /** What replaces 👀 on an alert's message, by what became of it: names of emoji. */
  reactions: Config['reactions'];
}

/** Renders one kind of intent from the store's current state. */
export type ContentSource = (row: OutboxRow, deps: ContentDeps) => Promise<Content>;

/**
 * Messages about an issue are posted after its card, and a command's issue only has a thread once the card is posted.
 *
 * @returns what to do instead of posting now; `null` if the card is posted, or never will be although there is a thread
 */
export async function beforeItsCard(issue: Issue, store: Store): Promise<Content | null> {
  const card = await store.outbox.get(cardKey(issue.id));
  if (issue.threadTs !== null) return isAwaited(card) ? { kind: 'later' } : null;
  return card === null || card.state === 'dead' ? { kind: 'nothing' } : { kind: 'later' };
}

/** @throws if they are damaged: the message is tried again, and given up with that error */
export function readable({ version, results }: StoredResults): InvestigationResults {
  if (results === null) throw new Error(`the stored results of version ${version} are damaged`);
  return results;
}

export function isAwaited(row: OutboxRow | null): boolean {
  return row !== null && row.state === 'due' && row.sent === '[]';
}

/** A direct message sent in place of a channel message begins with the reason, or with how to invite the bot. */
export function withoutMembership(rendered: Rendered, row: OutboxRow, botUserId: string): Rendered {
  const { insteadOf, because } = personOf(row);
  if (insteadOf === undefined) return rendered;
  const why = because === undefined ? notInChannel(insteadOf, botUserId) : refusedThere(insteadOf, because);
  return { text: rendered.text, blocks: [...why.blocks, ...rendered.blocks] };
}
