import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { namesIssue } from './names-issue.ts';
import type { TurnRow } from './tables.ts';

type NewTurn = Pick<TurnRow, 'question' | 'answer'> & Partial<TurnRow>;

export function createConversationStore(db: Database) {
  return {
    /** Undefined if the organization has no such conversation; turns oldest first. */
    history: async (organization: string, uuid: string): Promise<TurnRow[] | undefined> => {
      const found = await db.query
        .selectFrom('conversations')
        .select('uuid')
        .where('organization', '=', organization)
        .where('uuid', '=', uuid)
        .executeTakeFirst();
      if (found === undefined) return undefined;
      return await db.query
        .selectFrom('turns')
        .select(['question', 'answer', 'visibility', 'agreedModel', 'subject'])
        .where('conversation', '=', uuid)
        .orderBy('position')
        .execute();
    },
    /** Adds a turn, to a new conversation if `uuid` is undefined. Returns the conversation's UUID. */
    add: (organization: string, uuid: string | undefined, turn: NewTurn, now: number): Promise<string> =>
      db.transaction(async ({ query, dialect }) => {
        const conversation = uuid ?? randomUUID();
        await dialect.lock(query, conversation);
        if (uuid === undefined) {
          const begun = { uuid: conversation, organization, createdAt: now };
          await query.insertInto('conversations').values(begun).execute();
        }
        const { last } = await query
          .selectFrom('turns')
          .select(({ fn }) => fn.max('position').as('last'))
          .where('conversation', '=', conversation)
          .executeTakeFirstOrThrow();
        await query
          .insertInto('turns')
          .values({ ...turn, conversation, position: Number(last ?? 0) + 1, askedAt: now })
          .execute();
        return conversation;
      }),
    /**
     * Erases what was said about an issue: in each conversation, everything from the first turn that names its number.
     */
    forget: (organization: string, issue: number): Promise<void> =>
      db.transaction(async ({ query, dialect }) => {
        const names = namesIssue(issue);
        const holding = await query
          .selectFrom('turns')
          .innerJoin('conversations', 'conversations.uuid', 'turns.conversation')
          .select(['conversation', 'position', 'question', 'answer'])
          .where('organization', '=', organization)
          .where(dialect.contains(sql<string>`question || ' ' || answer`, String(issue)))
          .execute();
        for (const { conversation, position, question, answer } of holding) {
          if (!names.test(`${question}\n${answer}`)) continue;
          await query
            .deleteFrom('turns')
            .where('conversation', '=', conversation)
            .where('position', '>=', position)
            .execute();
        }
      }),
  };
}
