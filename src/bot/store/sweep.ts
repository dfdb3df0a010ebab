import { dropParts, dropQuestion } from './erasure.ts';
import { afterKeys, troublePrefix } from './intents/keys.ts';
import {
  askedSince,
  holdOfAlert,
  holdOfMessage,
  onOffer,
  talkedAbout,
  toBeSaid,
} from './sweep-still-needed.ts';
import type { Database } from './tables.ts';
import { leaveTombstone } from './tombstones.ts';

export type SweepStore = ReturnType<typeof sweepStore>;

/** Until when what is kept is too old (milliseconds): nothing that changed at or after it goes. */
export interface Ages {
  /** Of what is over: issues, conversations, decisions. */
  over: number;
  /** Of what is done with: deliveries handled, messages that are edited no more. */
  spent: number;
}

/**
 * Takes away what is past its time, a few rows a call: each answers how many went, 0 when nothing is left. Called in a
 * transaction of its own each, it may be stopped anywhere and goes on where it was.
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

  /** A conversation's questions, and itself when none is left. */
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

  /** What hangs on an issue, the many first, and itself when nothing does. */
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

  /** The oldest issue that is over. */
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
      .where((e) => e.not(e.exists(toBeSaid(e))))
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
    /** Issues that are closed and no longer watched, with everything that hangs on them. */
    issues: ({ over }: Ages, limit: number): Promise<number> =>
      untilFull(limit, () => issueOver(over), sweepIssue),

    /** Conversations about no issue. */
    conversations: ({ over }: Ages, limit: number): Promise<number> =>
      untilFull(limit, () => conversationOver(over), sweepConversation),

    /** Decisions on messages that no issue counts; what waits in an open hold stays. */
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

    /** Holds that are closed, and whose messages have gone. */
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

    /** Uploaded files of no issue: should one be asked for again, it is made again. */
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
     * Messages of no issue and no question that are said, or never will be. What may still be edited stays: of a hold
     * that is open, of questions that are on offer, of a suggestion that people may take up, of a trouble that is open.
     */
    outbox: async ({ over, spent }: Ages, limit: number): Promise<number> => {
      const open = await db.selectFrom('troubles').select(['name', 'since']).execute();
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
              const prefix = troublePrefix({ name, since });
              return e.or([e('key', '<', prefix), e('key', '>=', afterKeys(prefix))]);
            }),
          ),
        )
        .orderBy('createdAt')
        .limit(limit);
      return gone(await db.deleteFrom('outbox').where('key', 'in', some).executeTakeFirst());
    },

    /** Changes of deliveries that are gone by now: no such change is taken up again. */
    changes: async ({ spent }: Ages, limit: number): Promise<number> => {
      const some = db
        .selectFrom('changes')
        .select('cause')
        .where('at', '<', spent)
        .orderBy('at')
        .limit(limit);
      return gone(await db.deleteFrom('changes').where('cause', 'in', some).executeTakeFirst());
    },

    /** What people did last to something: no delivery that is older still comes. */
    acts: async ({ spent }: Ages, limit: number): Promise<number> => {
      const some = db
        .selectFrom('acts')
        .select('subject')
        .where('receivedAt', '<', spent)
        .orderBy('receivedAt')
        .limit(limit);
      return gone(await db.deleteFrom('acts').where('subject', 'in', some).executeTakeFirst());
    },

    /** What Slack was told of sessions in which nothing happens any more. */
    sessions: async ({ over }: Ages, limit: number): Promise<number> => {
      const some = await db
        .selectFrom('sessions')
        .select(['channel', 'threadTs'])
        .where('status', '=', 'active')
        .where('toldAt', '<', over)
        .limit(limit)
        .execute();
      for (const { channel, threadTs } of some) {
        const session = db.deleteFrom('sessions').where('channel', '=', channel);
        await session.where('threadTs', '=', threadTs).execute();
      }
      return some.length;
    },

    /** Deliveries that were handled or given up; the newest stays, since it says when Slack was last heard. */
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

    /** Webhooks that were handled or given up. */
    webhooks: async ({ spent }: Ages, limit: number): Promise<number> => {
      const some = db
        .selectFrom('webhooks')
        .select('id')
        .where('receivedAt', '<', spent)
        .where('state', 'in', ['done', 'dead'])
        .orderBy('receivedAt')
        .limit(limit);
      return gone(await db.deleteFrom('webhooks').where('id', 'in', some).executeTakeFirst());
    },

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
