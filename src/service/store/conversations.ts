import { randomUUID } from 'node:crypto';
import type { Connection } from './database.ts';
import type { TurnRow } from './entities.ts';

export interface ConversationStore {
  /** Undefined where the organisation has no such conversation; the turns oldest first. */
  history(organisation: string, uuid: string): TurnRow[] | undefined;
  /** Adds a turn, to a new conversation where `uuid` is undefined. Answers the conversation's UUID. */
  add(organisation: string, uuid: string | undefined, turn: TurnRow, now: number): string;
  /** Takes out what was said of an issue: in each conversation, all from the first turn that names its number. */
  forget(organisation: string, issue: number): void;
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
  const holding = db.prepare<[string, string], TurnRow & { conversation: string; position: number }>(
    `SELECT turns.* FROM turns JOIN conversations ON conversations.uuid = conversation
     WHERE organisation = ? AND instr(question || ' ' || answer, ?) > 0`,
  );
  const cut = db.prepare<[string, number]>('DELETE FROM turns WHERE conversation = ? AND position >= ?');
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
    forget: (organisation, issue) => {
      const names = new RegExp(`(?:#|\\bissue\\s+(?:number\\s+)?)${issue}(?!\\d)`, 'iu');
      for (const { conversation, position, question, answer } of holding.all(organisation, String(issue))) {
        if (names.test(`${question}\n${answer}`)) cut.run(conversation, position);
      }
    },
  };
}
