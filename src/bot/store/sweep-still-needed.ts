import { type ExpressionBuilder, sql } from 'kysely';
import { HELD_PREFIX } from './intents/keys.ts';
import type { Tables } from './tables.ts';

/** What expired rows are still needed for, each as a query for use in an `exists`. */

/** A conversation about an issue that was active since then. */
export function talkedAbout(e: ExpressionBuilder<Tables, 'issues'>, since: number) {
  return e
    .selectFrom('conversations')
    .select('conversations.id')
    .whereRef('conversations.issueId', '=', 'issues.id')
    .where((c) => c.or([c('conversations.updatedAt', '>=', since), c.exists(askedSince(c, since))]));
}

/** A question of a conversation that was asked since then, or is yet to be answered. */
export function askedSince(e: ExpressionBuilder<Tables, 'conversations'>, since: number) {
  return e
    .selectFrom('questions')
    .select('questions.id')
    .whereRef('questions.conversation', '=', 'conversations.id')
    .where((q) =>
      q.or([q('questions.updatedAt', '>=', since), q('questions.state', 'in', ['queued', 'asking'])]),
    );
}

/** A message about an issue that is yet to be posted or edited. */
export function yetToBePosted(e: ExpressionBuilder<Tables, 'issues'>) {
  return e
    .selectFrom('outbox')
    .select('outbox.key')
    .whereRef('outbox.issueId', '=', 'issues.id')
    .where('outbox.state', '=', 'due');
}

/** The hold that an alert is in, while it is open. */
export function holdOfAlert(e: ExpressionBuilder<Tables, 'alerts'>) {
  return e
    .selectFrom('holds')
    .select('holds.id')
    .whereRef('holds.id', '=', 'alerts.holdId')
    .where('holds.state', '!=', 'closed');
}

/** The hold behind a message (`held:<id>`), while it is open. */
export function holdOfMessage(e: ExpressionBuilder<Tables, 'outbox'>) {
  return e
    .selectFrom('holds')
    .select('holds.id')
    .where('holds.id', '=', sql<string>`substr(outbox.key, ${HELD_PREFIX.length + 1})`)
    .where('holds.state', '!=', 'closed');
}

/** A question that a message offers to answer. */
export function onOffer(e: ExpressionBuilder<Tables, 'outbox'>) {
  return e
    .selectFrom('questions')
    .select('questions.id')
    .whereRef('questions.offer', '=', 'outbox.key')
    .where('questions.state', '=', 'late');
}
