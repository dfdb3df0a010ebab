import type { Tables } from '../../../../src/bot/store/tables.ts';
import type { TestStore } from '../../../support/open-test-store.ts';

export const DAY = 86_400_000;

type Row<T extends keyof Tables> = Partial<Record<keyof Tables[T], string | number | null>>;

/** Puts rows straight into the database of a store: what the program would have needed months for. */
export interface Seeder {
  add<T extends keyof Tables>(table: T, row: Row<T>): Promise<void>;
  issue(id: string, row?: Row<'issues'>): Promise<void>;
  alert(id: string, row?: Row<'alerts'>): Promise<void>;
  message(key: string, row?: Row<'outbox'>): Promise<void>;
  conversation(id: string, row?: Row<'conversations'>): Promise<void>;
  question(id: string, row?: Row<'questions'>): Promise<void>;
  /** What is kept about an issue in every table, all of one moment. */
  everythingAbout(id: string, at: number): Promise<void>;
  ids(table: keyof Tables, column?: string): Promise<unknown[]>;
  raw(statement: string): Promise<void>;
}

/** The program's names are camelCase, those of tables and columns snake_case. */
const inDatabase = (name: string) => name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);

/** All of it is of `at`, if not said otherwise. */
export function seeder({ execute }: Pick<TestStore, 'execute'>, at: number): Seeder {
  const add: Seeder['add'] = async (table, row) => {
    const names = Object.keys(row).map(inDatabase);
    const places = names.map((_, i) => `$${i + 1}`).join(', ');
    await execute(
      `insert into ${inDatabase(table)} (${names.join(', ')}) values (${places})`,
      Object.values(row),
    );
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
    everythingAbout: async (id, when) => {
      await seed.alert(`alert-${id}`, { issueId: id, decision: 'filed', decidedAt: when });
      await seed.message(`card:${id}`, { kind: 'card', issueId: id });
      await add('results', { issueId: id, version: 1, body: '{}', fetchedAt: when });
      await add('checklistSteps', { issueId: id, step: 's', who: 'U1', at: when });
      await add('votes', { subject: `result:${id}:1`, who: 'U1', value: 1, channel: 'C1', at: when });
      await add('artifacts', { owner: id, id: 'a', state: 'kept', nextAt: when });
      await add('files', {
        key: `graph:${id}:1`,
        issueId: id,
        state: 'ready',
        nextAt: when,
        createdAt: when,
      });
      await add('audit', { id: `audit-${id}`, at: when, who: 'U1', what: 'resolved it', issueId: id });
      await seed.conversation(`talk-${id}`, { issueId: id, threadTs: id, updatedAt: when });
      const question = `question-${id}`;
      await seed.question(question, { conversation: `talk-${id}`, updatedAt: when });
      await seed.message(`answer:${question}`, { kind: 'answer', questionId: question });
      await add('votes', { subject: `answer:${question}`, who: 'U1', value: 1, channel: 'C1', at: when });
      await add('artifacts', { owner: `question:${question}`, id: 'a', state: 'kept', nextAt: when });
    },
    ids: async (table, column = 'id') => {
      const rows = await execute(`select ${column} as it from ${inDatabase(table)} order by ${column}`);
      return rows.map(({ it }) => it);
    },
    raw: async (statement) => void (await execute(statement)),
  };
  return seed;
}
