import { randomUUID } from 'node:crypto';
import type { Connection } from '../database.ts';
import type { TurnRow } from '../entities.ts';

export interface ConversationStore {
  /** Undefined where the organisation has no such conversation; the turns oldest first. */
  history(organisation: string, uuid: string): TurnRow[] | undefined;
  /** Adds a turn, to a new conversation where `uuid` is undefined. Answers the conversation's UUID. */
  add(organisation: string, uuid: string | undefined, turn: TurnRow, now: number): string;
}

export function createConversationStore(db: Connection): ConversationStore {
  const find = db.prepare<[string, string], { uuid: string }>(
    'SELECT uuid FROM conversations WHERE organisation = ? AND uuid = ?',
  );
  const turns = db.prepare<[string], TurnRow>(
    'SELECT question, answer FROM turns WHERE conversation = ? ORDER BY position',
  );
  const begin = db.prepare<[string, string, number]>(
    'INSERT INTO conversations (uuid, organisation, createdAt) VALUES (?, ?, ?)',
  );
  const insert = db.prepare<[TurnRow & { conversation: string; askedAt: number }]>(
    `INSERT INTO turns (conversation, position, question, answer, askedAt)
     SELECT @conversation, coalesce(max(position), 0) + 1, @question, @answer, @askedAt
     FROM turns WHERE conversation = @conversation`,
  );
  const add = db.transaction(
    (organisation: string, uuid: string | undefined, turn: TurnRow, now: number): string => {
      const conversation = uuid ?? randomUUID();
      if (uuid === undefined) begin.run(conversation, organisation, now);
      insert.run({ ...turn, conversation, askedAt: now });
      return conversation;
    },
  );
  return {
    history: (organisation, uuid) => (find.get(organisation, uuid) ? turns.all(uuid) : undefined),
    add: (organisation, uuid, turn, now) => add.immediate(organisation, uuid, turn, now),
  };
}
