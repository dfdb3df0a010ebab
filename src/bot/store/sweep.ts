import { type ExpressionBuilder, sql } from 'kysely';
import { dropParts, dropQuestion } from './erasure.ts';
import { flagStore } from './flags.ts';
import { afterKeys, HELD_PREFIX, problemPrefix } from './intents/keys.ts';
import type { Database, Tables } from './tables.ts';
import { leaveTombstone } from './tombstones.ts';
import { KEPT } from './webhooks.ts';

/** The cut-off times of retention (milliseconds): rows changed at or after them stay. */
export interface Ages {
  /** For finished business: issues, conversations, decisions. */
  over: number;
  /** For spent records: handled deliveries, messages that are no longer edited. */
  spent: number;
}

/**
 * Deletes expired rows, a few per call: each returns how many, 0 when nothing is left. Each call runs in its own
 * transaction, so it may stop anywhere and resume later.
 */
export function sweepStore(db: Database) {
  const sweepQuestions = async (conversation: string, limit: number): Promise<number> => {
    const questions = await db
      .selectFrom('questions')
      .select('id')
      .where('conversation', '=', conversation)
      .orderBy('createdAt')
      .limit(limit)
      .execute();
    for (const { id } of questions) await dropQuestion(db, id);
    return questions.length;
  };

  /** A conversation's questions, and the conversation once none is left. */
  const sweepConversation = async (id: string, limit: number): Promise<number> => {
    const went = await sweepQuestions(id, limit);
    if (went === limit) return went;
    await db.deleteFrom('conversations').where('id', '=', id).execute();
    return went + 1;
  };

  const sweepAlertsOf = async (issue: string, limit: number): Promise<number> => {
    const some = db.selectFrom('alerts').select('id').where('issueId', '=', issue).limit(limit);
    return gone(await db.deleteFrom('alerts').where('id', 'in', some).executeTakeFirst());
  };

  /** What belongs to an issue, the largest tables first, and the issue once nothing does. */
  const sweepIssue = async (id: string, limit: number): Promise<number> => {
    let went = await sweepAlertsOf(id, limit);
    while (went < limit) {
      const conversation = await db
        .selectFrom('conversations')
        .select('id')
        .where('issueId', '=', id)
        .executeTakeFirst();
      if (conversation === undefined) break;
      went += await sweepConversation(conversation.id, limit - went);
    }
    if (went >= limit) return went;
    await dropParts(db, id);
    await db.deleteFrom('outbox').where('issueId', '=', id).execute();
    const issue = await db.deleteFrom('issues').where('id', '=', id).returningAll().executeTakeFirst();
    if (issue !== undefined) await leaveTombstone(db, issue);
    return went + 1;
  };

  /** The oldest finished issue. */
  const issueOver = async (before: number): Promise<string | null> => {
    const row = await db
      .selectFrom('issues')
      .select('id')
      .where('isOpen', '=', false)
      .where('statusSince', '<', before)
      .where('createdAt', '<', before)
      .where('wantedStatus', 'is', null)
      .where((e) =>
        e.or([
          e('state', '=', 'failed'),
          e.and([
            e('watched', '=', false),
            e.or([
              e('state', '=', 'gone'),
              e.and([e('state', '=', 'created'), e('status', '=', 'resolved')]),
            ]),
          ]),
        ]),
      )
      .where((e) => e.or([e('lastRepeatAt', 'is', null), e('lastRepeatAt', '<', before)]))
      .where((e) => e.or([e('recoveredAt', 'is', null), e('recoveredAt', '<', before)]))
      .where((e) => e.not(e.exists(talkedAbout(e, before))))
      .where((e) => e.not(e.exists(yetToBePosted(e))))
      .orderBy('statusSince')
      .executeTakeFirst();
    return row?.id ?? null;
  };

  const conversationOver = async (before: number): Promise<string | null> => {
    const row = await db
      .selectFrom('conversations')
      .select('id')
      .where('issueId', 'is', null)
      .where('updatedAt', '<', before)
      .where((e) => e.not(e.exists(askedSince(e, before))))
      .orderBy('updatedAt')
      .executeTakeFirst();
    return row?.id ?? null;
  };

  const untilFull = async (
    limit: number,
    next: () => Promise<string | null>,
    sweep: (id: string, limit: number) => Promise<number>,
  ): Promise<number> => {
    let went = 0;
    while (went < limit) {
      const id = await next();
      if (id === null) break;
      went += await sweep(id, limit - went);
    }
    return went;
  };

  return {
    /** Issues that are closed and no longer watched, with everything that belongs to them. */
    issues: ({ over }: Ages, limit: number): Promise<number> =>
      untilFull(limit, () => issueOver(over), sweepIssue),

    /** Conversations not about an issue. */
    conversations: ({ over }: Ages, limit: number): Promise<number> =>
      untilFull(limit, () => conversationOver(over), sweepConversation),

    /** Decisions on messages that no issue counts; alerts waiting in an open hold stay. */
    alerts: async ({ over }: Ages, limit: number): Promise<number> => {
      const some = db
        .selectFrom('alerts')
        .select('id')
        .where('issueId', 'is', null)
        .where('decidedAt', '<', over)
        .where((e) =>
          e.or([e('holdId', 'is', null), e('outcome', 'is not', null), e.not(e.exists(holdOfAlert(e)))]),
        )
        .orderBy('decidedAt')
        .limit(limit);
      return gone(await db.deleteFrom('alerts').where('id', 'in', some).executeTakeFirst());
    },

    /** Closed holds whose messages are gone. */
    holds: async ({ over }: Ages, limit: number): Promise<number> => {
      const some = db
        .selectFrom('holds')
        .select('id')
        .where('state', '=', 'closed')
        .where('lastAt', '<', over)
        .where((e) =>
          e.not(
            e.exists(e.selectFrom('alerts').select('alerts.id').whereRef('alerts.holdId', '=', 'holds.id')),
          ),
        )
        .limit(limit);
      return gone(await db.deleteFrom('holds').where('id', 'in', some).executeTakeFirst());
    },

    /** Uploaded files of no issue: if requested again, they are made again. */
    files: async ({ over }: Ages, limit: number): Promise<number> => {
      const some = db
        .selectFrom('files')
        .select('key')
        .where('issueId', 'is', null)
        .where('createdAt', '<', over)
        .limit(limit);
      return gone(await db.deleteFrom('files').where('key', 'in', some).executeTakeFirst());
    },

    /**
     * Messages of no issue and no question that were posted or given up. Those that may still be edited stay: of an
     * open hold, of questions on offer, of a suggestion that people may take up, of an open problem.
     */
    outbox: async ({ over, spent }: Ages, limit: number): Promise<number> => {
      const open = await db.selectFrom('blockers').select(['name', 'since']).execute();
      const some = db
        .selectFrom('outbox')
        .select('key')
        .where('issueId', 'is', null)
        .where('questionId', 'is', null)
        .where('createdAt', '<', spent)
        .where('deliveredAt', '<', spent)
        .where((e) => e.or([e('state', 'in', ['idle', 'dead']), e('createdAt', '<', over)]))
        .where('state', '!=', 'due')
        .where((e) => e.or([e('kind', '!=', 'suggestion'), e('createdAt', '<', over)]))
        .where((e) => e.or([e('kind', '!=', 'held'), e.not(e.exists(holdOfMessage(e)))]))
        .where((e) => e.or([e('kind', '!=', 'aside'), e.not(e.exists(onOffer(e)))]))
        .where((e) =>
          e.and(
            open.map(({ name, since }) => {
              const prefix = problemPrefix({ name, since });
              return e.or([e('key', '<', prefix), e('key', '>=', afterKeys(prefix))]);
            }),
          ),
        )
        .orderBy('createdAt')
        .limit(limit);
      return gone(await db.deleteFrom('outbox').where('key', 'in', some).executeTakeFirst());
    },

    /** Changes whose deliveries are gone: they cannot be taken up again. */
    changes: async ({ spent }: Ages, limit: number): Promise<number> => {
      const some = db
        .selectFrom('changes')
        .select('cause')
        .where('at', '<', spent)
        .orderBy('at')
        .limit(limit);
      return gone(await db.deleteFrom('changes').where('cause', 'in', some).executeTakeFirst());
    },

    /** People's last acts on something: no older delivery can still arrive. */
    acts: async ({ spent }: Ages, limit: number): Promise<number> => {
      const some = db
        .selectFrom('acts')
        .select('subject')
        .where('receivedAt', '<', spent)
        .orderBy('receivedAt')
        .limit(limit);
      return gone(await db.deleteFrom('acts').where('subject', 'in', some).executeTakeFirst());
    },

    /** Sessions in which nothing happens any more. */
    sessions: async ({ over }: Ages, limit: number): Promise<number> => {
      const some = await db
        .selectFrom('sessions')
        .select(['channel', 'threadTs'])
        .where('status', '=', 'active')
        .where('notifiedAt', '<', over)
        .limit(limit)
        .execute();
      for (const { channel, threadTs } of some) {
        const session = db.deleteFrom('sessions').where('channel', '=', channel);
        await session.where('threadTs', '=', threadTs).execute();
      }
      return some.length;
    },

    /** Deliveries that were handled or given up; the newest stays, as the time of Slack's last delivery. */
    inbox: async ({ spent }: Ages, limit: number): Promise<number> => {
      const some = db
        .selectFrom('inbox')
        .select('key')
        .where('receivedAt', '<', spent)
        .where('state', 'in', ['done', 'dead'])
        .where('receivedAt', '<', (e) =>
          e.selectFrom('inbox as newest').select(({ fn }) => fn.max<number>('newest.receivedAt').as('at')),
        )
        .orderBy('receivedAt')
        .limit(limit);
      return gone(await db.deleteFrom('inbox').where('key', 'in', some).executeTakeFirst());
    },

    /** Webhooks that were handled or given up; those that are known for good are kept without their bodies. */
    webhooks: async ({ spent }: Ages, limit: number): Promise<number> => {
      const some = db
        .selectFrom('webhooks')
        .select('id')
        .where('receivedAt', '<', spent)
        .where((e) =>
          e.or([
            e('state', '=', 'dead'),
            e.and([e('state', '=', 'done'), e('digest', 'not like', `${KEPT}%`)]),
          ]),
        )
        .orderBy('receivedAt')
        .limit(limit);
      return gone(await db.deleteFrom('webhooks').where('id', 'in', some).executeTakeFirst());
    },

    /** Messages that were kept to learn from. */
    senderMessages: async ({ over }: Ages, limit: number): Promise<number> => {
      const old = await db
        .selectFrom('senderMessages')
        .select(['channel', 'ts'])
        .where('at', '<', over)
        .orderBy('at')
        .limit(limit)
        .execute();
      for (const { channel, ts } of old)
        await db.deleteFrom('senderMessages').where('channel', '=', channel).where('ts', '=', ts).execute();
      return old.length;
    },

    /** What a language model proposed. */
    proposals: ({ over }: Ages, _limit: number): Promise<number> => flagStore(db).forgetProposals(over),

    /** Received alerts; those without a route wait for one until they are too old. */
    receivedAlerts: async ({ over }: Ages, limit: number): Promise<number> => {
      const some = db
        .selectFrom('receivedAlerts')
        .select('id')
        .where('receivedAt', '<', over)
        .orderBy('receivedAt')
        .limit(limit);
      return gone(await db.deleteFrom('receivedAlerts').where('id', 'in', some).executeTakeFirst());
    },
  };
}

function gone(result: { numDeletedRows: bigint }): number {
  return Number(result.numDeletedRows);
}

/** What expired rows are still needed for, each as a query for use in an `exists`. */

function talkedAbout(e: ExpressionBuilder<Tables, 'issues'>, since: number) {
  return e
    .selectFrom('conversations')
    .select('conversations.id')
    .whereRef('conversations.issueId', '=', 'issues.id')
    .where((c) => c.or([c('conversations.updatedAt', '>=', since), c.exists(askedSince(c, since))]));
}

function askedSince(e: ExpressionBuilder<Tables, 'conversations'>, since: number) {
  return e
    .selectFrom('questions')
    .select('questions.id')
    .whereRef('questions.conversation', '=', 'conversations.id')
    .where((q) =>
      q.or([q('questions.updatedAt', '>=', since), q('questions.state', 'in', ['queued', 'asking'])]),
    );
}

/** A message about an issue that is yet to be posted or edited. */
function yetToBePosted(e: ExpressionBuilder<Tables, 'issues'>) {
  return e
    .selectFrom('outbox')
    .select('outbox.key')
    .whereRef('outbox.issueId', '=', 'issues.id')
    .where('outbox.state', '=', 'due');
}

function holdOfAlert(e: ExpressionBuilder<Tables, 'alerts'>) {
  return e
    .selectFrom('holds')
    .select('holds.id')
    .whereRef('holds.id', '=', 'alerts.holdId')
    .where('holds.state', '!=', 'closed');
}

/** The hold behind a message (`held:<id>`), while it is open. */
function holdOfMessage(e: ExpressionBuilder<Tables, 'outbox'>) {
  return e
    .selectFrom('holds')
    .select('holds.id')
    .where('holds.id', '=', sql<string>`substr(outbox.key, ${HELD_PREFIX.length + 1})`)
    .where('holds.state', '!=', 'closed');
}

function onOffer(e: ExpressionBuilder<Tables, 'outbox'>) {
  return e
    .selectFrom('questions')
    .select('questions.id')
    .whereRef('questions.offer', '=', 'outbox.key')
    .where('questions.state', '=', 'late');
}
