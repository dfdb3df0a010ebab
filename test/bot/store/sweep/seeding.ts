import Sqlite from 'better-sqlite3';
import type { Tables } from '../../../../src/bot/store/tables.ts';

export const DAY = 86_400_000;

type Row<T extends keyof Tables> = Partial<Record<keyof Tables[T], string | number | null>>;

/** Puts rows straight into a database file: what the program would have needed months for. */
export interface Seeder {
  add<T extends keyof Tables>(table: T, row: Row<T>): void;
  issue(id: string, row?: Row<'issues'>): void;
  alert(id: string, row?: Row<'alerts'>): void;
  message(key: string, row?: Row<'outbox'>): void;
  conversation(id: string, row?: Row<'conversations'>): void;
  question(id: string, row?: Row<'questions'>): void;
  /** What is kept about an issue in every table, all of one moment. */
  everythingAbout(id: string, at: number): void;
  ids(table: keyof Tables, column?: string): unknown[];
  raw(statement: string): void;
  /** How large the file is. */
  pages(): number;
  close(): void;
}

/** All of it is of `at`, if not said otherwise. */
export function seeder(file: string, at: number): Seeder {
  const db = new Sqlite(file);
  db.pragma('foreign_keys = ON');
  db.pragma('synchronous = OFF');
  const add: Seeder['add'] = (table, row) => {
    // The program's names are camelCase, the file's columns snake_case.
    const names = Object.keys(row).map((name) =>
      name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
    );
    const places = names.map(() => '?').join(', ');
    db.prepare(`insert into "${table}" (${names.join(', ')}) values (${places})`).run(Object.values(row));
  };
  const seed: Seeder = {
    add,
    issue: (id, row = {}) =>
      add('issues', {
        id,
        identity: id,
        isOpen: 0,
        state: 'created',
        request: '{}',
        uuid: `uuid-${id}`,
        status: 'resolved',
        statusSince: at,
        title: id,
        severity: 'high',
        environment: 'production',
        channel: 'C1',
        threadTs: '1.0',
        investigatingSince: at,
        watched: 0,
        createdAt: at,
        ...row,
      }),
    alert: (id, row = {}) =>
      add('alerts', {
        id,
        channel: 'C1',
        ts: id,
        decision: 'ignored',
        reason: 'r',
        kind: 'firing',
        format: 'generic',
        alert: '{}',
        decidedAt: at,
        ...row,
      }),
    message: (key, row = {}) =>
      add('outbox', {
        key,
        kind: 'announcement',
        channel: 'C1',
        payload: '{}',
        priority: 1,
        state: 'idle',
        nextAt: at,
        deliveredAt: at,
        createdAt: at,
        ...row,
      }),
    conversation: (id, row = {}) =>
      add('conversations', { id, channel: 'C1', startedBy: 'U1', createdAt: at, updatedAt: at, ...row }),
    question: (id, row = {}) =>
      add('questions', {
        id,
        conversation: id,
        asker: 'U1',
        text: 'why?',
        state: 'complete',
        createdAt: at,
        updatedAt: at,
        ...row,
      }),
    everythingAbout: (id, when) => {
      seed.alert(`alert-${id}`, { issueId: id, decision: 'filed', decidedAt: when });
      seed.message(`card:${id}`, { kind: 'card', issueId: id });
      add('results', { issueId: id, version: 1, body: '{}', fetchedAt: when });
      add('ticks', { issueId: id, step: 's', who: 'U1', at: when });
      add('votes', { subject: `result:${id}:1`, who: 'U1', value: 1, channel: 'C1', at: when });
      add('artifacts', { owner: id, id: 'a', state: 'kept', nextAt: when });
      add('files', { key: `graph:${id}:1`, issueId: id, state: 'ready', nextAt: when, createdAt: when });
      add('audit', { id: `audit-${id}`, at: when, who: 'U1', what: 'resolved it', issueId: id });
      seed.conversation(`talk-${id}`, { issueId: id, threadTs: id, updatedAt: when });
      const question = `question-${id}`;
      seed.question(question, { conversation: `talk-${id}`, updatedAt: when });
      seed.message(`answer:${question}`, { kind: 'answer', questionId: question });
      add('votes', { subject: `answer:${question}`, who: 'U1', value: 1, channel: 'C1', at: when });
      add('artifacts', { owner: `question:${question}`, id: 'a', state: 'kept', nextAt: when });
      const chart = `chart:question:${question}:a`;
      add('files', { key: chart, state: 'ready', nextAt: when, createdAt: when });
    },
    ids: (table, column = 'id') =>
      db.prepare(`select ${column} from "${table}" order by ${column}`).pluck().all(),
    raw: (statement) => void db.exec(statement),
    pages: () => Number(db.pragma('page_count', { simple: true })),
    close: () => void db.close(),
  };
  return seed;
}
