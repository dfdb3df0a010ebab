import type { Expression, ExpressionBuilder, Selectable, SqlBool, Updateable } from 'kysely';
import { AT_ONCE, countOf, isDue, untilNext } from './due.ts';
import type { Intent, Revision } from './intents/intent.ts';
import { verdictIntent } from './intents/issue-intents.ts';
import { afterKeys, alertKey, type OutboxKey, signKey, WRITEUPS } from './intents/keys.ts';
import { encodePayload, type IntentKind } from './intents/payloads.ts';
import type { Database, Tables } from './tables.ts';
import { type Wake, wakeNobody } from './wakeups.ts';

export type OutboxRow = Selectable<Tables['outbox']>;

/** First answers and filings, then results. Reactions have a separate rate limit and delay nothing. */
const priorities: Record<IntentKind, number> = {
  reaction: 0,
  answer: 0,
  aside: 1,
  held: 1,
  card: 2,
  short_card: 2,
  suggestion: 2,
  notice: 2,
  announcement: 2,
  // After the cards of those that were posted before: a flood of alerts would be posted whole, then the first card.
  alert: 3,
  result: 3,
  verdict: 3,
  digest: 3,
  file: 3,
  // A flood has one for each of its messages.
  sign: 4,
};

/** Slack's clock, by which a thread started, may be behind ours by this. */
const CLOCKS_APART_MS = 60_000;

/** A message parked for its channel stays parked, even if more edits are wanted. */
function dueUnlessParked(e: ExpressionBuilder<Tables, 'outbox'>) {
  return e
    .case()
    .when('state', '=', 'parked')
    .then('parked' as const)
    .else('due' as const)
    .end();
}

interface Message {
  channel: string;
  ts: string;
}

/** The messages that say what was found: the one whose thread the issue lives in, and in each channel the newest it counts. */
async function messagesOf(db: Database, issueId: string): Promise<Message[]> {
  const newest = await db
    .selectFrom('alerts')
    .select((e) => ['channel', e.fn.max('ts').as('ts')])
    .where('issueId', '=', issueId)
    .where('decision', 'in', ['filed', 'repeat'])
    .groupBy('channel')
    .execute();
  const root = await db
    .selectFrom('issues')
    .select(['channel', 'threadTs as ts'])
    .where('id', '=', issueId)
    .executeTakeFirst();
  return [...newest, ...(root === undefined ? [] : [root])].flatMap(({ channel, ts }) =>
    ts === null ? [] : [{ channel, ts }],
  );
}

export function outboxStore(db: Database, wake: Wake = wakeNobody) {
  const all = db.selectFrom('outbox').selectAll();
  const set = async (key: OutboxKey, columns: Updateable<Tables['outbox']>): Promise<void> => {
    await db.updateTable('outbox').set(columns).where('key', '=', key).execute();
  };
  /** Requests a message, or an edit of it: edits of one key coalesce to the newest. */
  const want = async (intent: Intent): Promise<void> => {
    await db
      .insertInto('outbox')
      .values({
        key: intent.key,
        kind: intent.kind,
        issueId: intent.issueId ?? null,
        questionId: intent.questionId ?? null,
        channel: intent.channel,
        threadTs: intent.threadTs,
        payload: encodePayload(intent.payload),
        priority: intent.urgent === true ? 0 : priorities[intent.kind] + (intent.minor === true ? 1 : 0),
        wanted: 1,
        done: 0,
        state: 'due',
        nextAt: intent.notBefore ?? AT_ONCE,
        attempts: 0,
        sent: '[]',
        sending: null,
        error: null,
        createdAt: intent.since ?? intent.at,
      })
      .onConflict((c) =>
        c.column('key').doUpdateSet((e) => ({
          wanted: e('outbox.wanted', '+', 1),
          state: e
            .case()
            .when('outbox.state', 'in', ['dead', 'parked'])
            .then(e.ref('outbox.state'))
            .else('due' as const)
            .end(),
        })),
      )
      .execute();
    wake('outbox');
  };
  const shortCards = (issueId: string): Promise<OutboxRow[]> =>
    all
      .where((e) => e.and({ issueId, kind: 'short_card' }))
      .where('state', '!=', 'dead')
      .orderBy('createdAt')
      .execute();
  const edit = async (
    which: (e: ExpressionBuilder<Tables, 'outbox'>) => Expression<SqlBool>,
  ): Promise<void> => {
    const { numUpdatedRows } = await db
      .updateTable('outbox')
      .set((e) => ({ wanted: e('wanted', '+', 1), state: dueUnlessParked(e) }))
      .where(which)
      .where('state', '!=', 'dead')
      .executeTakeFirst();
    if (numUpdatedRows > 0n) wake('outbox');
  };
  const again = (key: OutboxKey): Promise<void> => edit((e) => e('key', '=', key));
  const signAgain = async ({ channel, ts }: Message): Promise<void> => {
    await again(signKey({ channel, ts }));
    const own = await db
      .selectFrom('receivedAlerts')
      .select('id')
      .where((e) => e.and({ channel, ts }))
      .executeTakeFirst();
    if (own !== undefined) await again(alertKey(own.id));
  };
  const unpark = async (column: 'channel' | 'error', value: string): Promise<number> => {
    const rows = await db
      .updateTable('outbox')
      .set({ state: 'due', nextAt: AT_ONCE, attempts: 0, error: null })
      .where(column, '=', value)
      .where('state', '=', 'parked')
      .returning('key')
      .execute();
    if (rows.length > 0) wake('outbox');
    return rows.length;
  };
  return {
    want,

    /** Requests an edit of an existing message. */
    again,

    /** Requests an edit of what says what became of a message: the line in its thread, or the message if it is ours. */
    signAgain,

    /**
     * Requests an edit of every message that shows an issue's state: its card, the checklists in its results, short
     * cards in other channels, suggestions, what its newest alert says; of its symptoms, and the card of what leads it.
     */
    refreshCards: async (issueId: string): Promise<void> => {
      for (const message of await messagesOf(db, issueId)) await signAgain(message);
      await edit((e) =>
        e.and([
          e('kind', 'in', ['card', 'short_card', 'suggestion', 'result', 'reaction']),
          e.or([
            e('issueId', '=', issueId),
            e('issueId', 'in', e.selectFrom('issues').select('id').where('symptomOf', '=', issueId)),
            e.and([
              e('kind', '=', 'card'),
              e('issueId', 'in', e.selectFrom('issues').select('symptomOf').where('id', '=', issueId)),
            ]),
          ]),
        ]),
      );
    },

    /** Requests an edit of an issue's results: a message may show those of later versions that found the same. */
    resultsAgain: (issueId: string): Promise<void> => edit((e) => e.and({ kind: 'result', issueId })),

    /** An issue's cards that are not posted yet no longer wait for its number; those that Slack failed on still do. */
    releaseCards: async (issueId: string): Promise<void> => {
      const { numUpdatedRows } = await db
        .updateTable('outbox')
        .set({ nextAt: AT_ONCE })
        .where((e) => e.and({ issueId, state: 'due', sent: '[]', attempts: 0 }))
        .where('kind', 'in', ['card', 'short_card'])
        .executeTakeFirst();
      if (numUpdatedRows > 0n) wake('outbox');
    },

    /** Links the message to an issue, so that it is edited when the issue changes. */
    about: async (issueId: string, { key, payload }: Revision): Promise<void> => {
      await set(key, { issueId, payload: encodePayload(payload) });
      await again(key);
    },

    /** Replaces the message's contents. */
    replacePayload: async ({ key, payload }: Revision): Promise<void> => {
      await set(key, { payload: encodePayload(payload) });
      await again(key);
    },

    shortCards,

    /** Requests the verdict of a version in every other channel's thread that has a short card. */
    wantVerdicts: async (issueId: string, version: number, at: number): Promise<void> => {
      for (const card of await shortCards(issueId)) {
        await want(verdictIntent(issueId, card, version, at));
      }
    },

    /** Messages due now, most urgent first, except in the given channels. */
    due: (now: number, limit: number, without: readonly string[] = []): Promise<OutboxRow[]> =>
      all
        .where('state', '=', 'due')
        .where(isDue(now))
        .$if(without.length > 0, (query) => query.where('channel', 'not in', without))
        .orderBy('priority')
        // Longest wait first; otherwise one busy card could take every turn.
        .orderBy('deliveredAt')
        .orderBy('createdAt')
        .limit(limit)
        .execute(),

    untilNext: (now: number): Promise<number> =>
      untilNext(db.selectFrom('outbox').where('state', '=', 'due'), now),

    get: async (key: OutboxKey): Promise<OutboxRow | null> =>
      (await all.where('key', '=', key).executeTakeFirst()) ?? null,

    /**
     * When the next attempt is due at a message that may have started a thread at `startedAt`: Slack may have it, and its `ts` is
     * not stored yet. In the past while an attempt is under way; `null` if there is no such message.
     */
    unplaced: async (channel: string, startedAt: number): Promise<number | null> => {
      const { at } = await db
        .selectFrom('outbox')
        .select((e) => e.fn.min('nextAt').as('at'))
        .where((e) => e.and({ state: 'due', channel, sending: 0, sent: '[]' }))
        .where('threadTs', 'is', null)
        .where('createdAt', '<=', startedAt + CLOCKS_APART_MS)
        .executeTakeFirstOrThrow();
      return at === null ? null : Number(at);
    },

    countDue: (): Promise<number> => countOf(db.selectFrom('outbox').where('state', '=', 'due')),

    /** How many messages of alerts are still to be posted in a channel. */
    countAlerts: (channel: string): Promise<number> =>
      countOf(
        db
          .selectFrom('outbox')
          .where('state', 'in', ['due', 'parked'])
          .where((e) => e.and({ channel, kind: 'alert', sent: '[]' })),
      ),

    /** Write-ups that have been asked for and are not there yet. */
    countWriteups: (): Promise<number> =>
      countOf(db.selectFrom('outbox').where('state', '=', 'due').where('key', 'like', `${WRITEUPS}%`)),

    /** Before a post: from now on message `part` may exist in Slack. */
    sending: (key: OutboxKey, part: number): Promise<void> => set(key, { sending: part }),

    /** The post certainly did not happen. */
    notSending: (key: OutboxKey): Promise<void> => set(key, { sending: null }),

    /**
     * After a post or an edit: `sent` is the whole list as JSON; `sending` is the next message, which may already
     * exist.
     */
    recordSent: (key: OutboxKey, sent: string, sending: number | null = null): Promise<void> =>
      set(key, { sending, sent }),

    /** Everything up to intent `wanted` is in Slack; due again, after a rest, if more was requested meanwhile. */
    delivered: async (key: OutboxKey, wanted: number, at = 0, restMs = 0): Promise<void> => {
      await db
        .updateTable('outbox')
        .set((e) => ({
          done: wanted,
          sending: null,
          nextAt: at + restMs,
          deliveredAt: at,
          attempts: 0,
          error: null,
          state: e
            .case()
            .when('wanted', '>', wanted)
            .then('due' as const)
            .else('idle' as const)
            .end(),
        }))
        .where('key', '=', key)
        .where('state', '!=', 'dead')
        .execute();
    },

    /** Delayed until `nextAt`. A wait of our own making (pacing) does not count as an attempt. */
    postpone: async (key: OutboxKey, nextAt: number, error: string | null): Promise<void> => {
      await db
        .updateTable('outbox')
        .set((e) => ({
          nextAt: nextAt,
          error,
          ...(error === null ? {} : { attempts: e('attempts', '+', 1) }),
        }))
        .where('key', '=', key)
        .execute();
    },

    /** Nothing new can be posted in a channel until then: one write for all its messages. */
    holdPosts: async (channel: string, until: number): Promise<void> => {
      await db
        .updateTable('outbox')
        .set({ nextAt: until })
        .where((e) => e.and({ channel, state: 'due', sent: '[]' }))
        .where('kind', '!=', 'reaction')
        .where('nextAt', '<', until)
        .execute();
    },

    /** Given up: it cannot be posted there. */
    dead: (key: OutboxKey, error: string): Promise<void> => set(key, { state: 'dead', sending: null, error }),

    /** Whether somebody deleted an issue's card or its thread. */
    isGone: async (issueId: string): Promise<boolean> => {
      const row = await db
        .selectFrom('outbox')
        .select('key')
        .where((e) => e.and({ issueId, state: 'dead' }))
        .where((e) =>
          e.or([
            e('error', 'in', ['thread_gone', 'thread_not_found']),
            e.and([e('kind', '=', 'card'), e('error', '=', 'message_not_found')]),
          ]),
        )
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Waits until its channel works again. */
    park: async (key: OutboxKey, error: string): Promise<void> => {
      await db
        .updateTable('outbox')
        .set({ state: 'parked', sending: null, error })
        .where('key', '=', key)
        .where('state', '!=', 'dead')
        .execute();
    },

    /** A channel can be posted in again. @returns how many messages were waiting for it */
    unpark: (channel: string): Promise<number> => unpark('channel', channel),

    /** Tries the oldest message waiting for its channel, to see whether the channel works again. */
    unparkOldest: async (channel: string): Promise<boolean> => {
      const oldest = await db
        .selectFrom('outbox')
        .select('key')
        .where((e) => e.and({ channel, state: 'parked' }))
        .orderBy('createdAt')
        .executeTakeFirst();
      if (!oldest) return false;
      await db
        .updateTable('outbox')
        .set({ state: 'due', nextAt: AT_ONCE })
        .where('key', '=', oldest.key)
        .execute();
      wake('outbox');
      return true;
    },

    /** Messages parked for this reason, in any channel, are due again. @returns how many */
    unparkFor: (error: string): Promise<number> => unpark('error', error),

    keyed: (prefix: OutboxKey): Promise<OutboxRow[]> =>
      all.where('key', '>=', prefix).where('key', '<', afterKeys(prefix)).execute(),

    /** Starts it over in another place (the person's DM, if it cannot be posted in the channel). */
    redirect: async ({ key, payload }: Revision, channel: string): Promise<void> => {
      await set(key, { channel, threadTs: null, payload: encodePayload(payload), sent: '[]', sending: null });
    },
  };
}
