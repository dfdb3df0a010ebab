import { describe, expect, it } from 'vitest';
import type { Filter } from '../../../src/service/store/issues.ts';
import type { Aggregates, Store } from '../../../src/service/store/store.ts';
import { onPostgres } from '../../support/postgres/databases.ts';
import { START } from '../support.ts';
import { emptyLocation, openTestStore } from './support.ts';

const ISSUE = {
  title: 'Checkout fails',
  description: 'One in five',
  environment: 'production',
  severity: 'low' as const,
  triggeredAt: START,
  context: {},
};

const create = async (store: Aggregates, fields: Partial<typeof ISSUE> = {}, organization = 'acme') => {
  const number = await store.issues.takeNumber(organization);
  return store.issues.create(organization, { ...ISSUE, ...fields, number }, START);
};

/** The numbers that a search finds, newest first. */
async function found(store: Store, filter: Filter): Promise<number[]> {
  return (await store.list('acme', filter, null, 100)).issues.map(({ number }) => number);
}

describe('the numbers of issues', () => {
  it('have no gap and no double where many are created at once, in each organization', async () => {
    const store = await openTestStore();
    const created = await Promise.all(
      Array.from({ length: 60 }, (_, i) => create(store, {}, i % 2 === 0 ? 'acme' : 'globex')),
    );
    for (const organization of ['acme', 'globex']) {
      const own = created.filter((row) => row.organization === organization).map(({ number }) => number);
      expect(own.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    }
  });

  it('are not given again after a creation has failed', async () => {
    const store = await openTestStore();
    await create(store);
    const number = await store.issues.takeNumber('acme');
    const failing = store.transaction(async (tx) => {
      await tx.issues.create('acme', { ...ISSUE, number }, START);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await create(store)).number).toBe(3);
    expect(await found(store, {})).toEqual([3, 1]);
  });
});

describe('a search', () => {
  it('takes every character as it is, and no case', async () => {
    const store = await openTestStore();
    const titles = ['100% of ÄRGER', 'under_score ΟΔΟΣ', 'back\\slash "quoted"', '1000 of Ärger', 'a\0b'];
    for (const title of titles) await create(store, { title });
    const searches = [
      '100%',
      'r_s',
      'ärger',
      'οδοσ',
      'k\\s',
      '\\',
      '%',
      '_',
      '"',
      'Ä',
      'a\0b',
      'one in FIVE',
      "'",
    ];
    const results: Record<string, number[]> = {};
    for (const search of searches) results[search] = await found(store, { search });
    expect(results).toEqual({
      '100%': [1],
      r_s: [2],
      ärger: [4, 1],
      οδοσ: [2],
      'k\\s': [3],
      '\\': [3],
      '%': [1],
      _: [2],
      '"': [3],
      Ä: [4, 1],
      'a\0b': [5],
      'one in FIVE': [5, 4, 3, 2, 1],
      "'": [],
    });
  });

  it('finds the same among many issues as among few, with filters and from a cursor', async () => {
    const store = await openTestStore();
    await store.transaction(async (tx) => {
      for (let i = 1; i <= 450; i++) {
        const environment = i % 3 === 0 ? 'staging' : 'production';
        await create(tx, { environment, title: i % 3 === 0 ? 'late' : 'slow', description: `ref-${i}.` });
      }
    });
    expect(await found(store, { search: 'REF-77.' })).toEqual([77]);
    expect(await found(store, { search: 'late', environment: 'production' })).toEqual([]);
    expect((await found(store, { search: 'late' })).slice(0, 3)).toEqual([450, 447, 444]);
    const at = async (number: number) => (await store.issues.byNumber('acme', number))?.id ?? 0;
    const page = async (start: { after: number } | { before: number }) => {
      const { issues, older, newer } = await store.list('acme', { search: 'late' }, start, 3);
      return { numbers: issues.map(({ number }) => number), older, newer };
    };
    const middle = { numbers: [444, 441, 438], older: true, newer: true };
    expect(await page({ after: await at(447) })).toEqual(middle);
    expect(await page({ before: await at(435) })).toEqual(middle);
    expect(await page({ before: await at(2) })).toEqual({ numbers: [9, 6, 3], older: false, newer: true });
  });
});

it('compares environments by their bytes', async () => {
  const store = await openTestStore();
  for (const environment of ['prod', 'PROD', 'pród', 'pro\u0301d']) await create(store, { environment });
  expect(await found(store, { environment: 'PROD' })).toEqual([2]);
  expect(await found(store, { environment: 'pród' })).toEqual([3]);
});

it('deletes an issue with all that belongs to it, and forgets what was said of it', async () => {
  const store = await openTestStore();
  const { uuid } = await create(store);
  const version = await store.versions.start(uuid, START);
  const said = await store.conversations.add('acme', undefined, { question: 'hi', answer: 'hello' }, START);
  await store.conversations.add('acme', said, { question: 'what was #1?', answer: 'a leak' }, START);
  await store.conversations.add('acme', said, { question: 'and why?', answer: 'nobody knows' }, START);
  await store.transaction(async (tx) => {
    expect(await tx.issues.delete('acme', uuid)).toBe(1);
    await tx.conversations.forget('acme', 1);
  });
  expect(await store.issues.byId('acme', uuid)).toBeUndefined();
  expect([await store.issues.seeds(uuid), await store.versions.of(uuid)]).toEqual([[], []]);
  expect(await store.versions.claim('one', 1)).toEqual([]);
  expect(await store.versions.job(version.uuid, 'one')).toBeUndefined();
  expect(await store.conversations.history('acme', said)).toMatchObject([
    { question: 'hi', answer: 'hello' },
  ]);
});

it('keeps the turns of a conversation in the order in which they came, of two at once too', async () => {
  const store = await openTestStore();
  const turn = (question: string) => ({ question, answer: question.toUpperCase() });
  const conversation = await store.conversations.add('acme', undefined, turn('first'), START);
  await Promise.all(
    ['a', 'b', 'c', 'd'].map((question) =>
      store.conversations.add('acme', conversation, turn(question), START),
    ),
  );
  const questions = (await store.conversations.history('acme', conversation))?.map(
    ({ question }) => question,
  );
  expect(questions?.[0]).toBe('first');
  expect(questions?.slice(1).sort()).toEqual(['a', 'b', 'c', 'd']);
  expect(await store.conversations.history('globex', conversation)).toBeUndefined();
});

it('keeps a change once that is reported five times at once', async () => {
  const store = await openTestStore();
  const about = { service: 'cart', kind: 'deploy', title: 'Deploy 4', version: '4', url: null };
  const change = { ...about, at: START, contents: null };
  for (const isDated of [true, false]) {
    const added = await Promise.all(
      Array.from({ length: 5 }, () => store.changes.add(change, { isDated, now: START })),
    );
    expect(added.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(added.map((one) => one.change.id)).size).toBe(1);
  }
  expect(await store.changes.within({ from: START, to: START + 1 })).toHaveLength(2);
  expect(await store.changes.within({ from: START + 1, to: START + 2 })).toEqual([]);
});

it('starts versions of one issue one after the other', async () => {
  const store = await openTestStore();
  const { uuid } = await create(store);
  const started = await Promise.all(Array.from({ length: 5 }, () => store.versions.start(uuid, START)));
  expect(started.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4, 5]);
  expect(await store.versions.find(uuid, undefined)).toMatchObject({ version: 5, status: 'RUNNING' });
});

it('tells the agent what is known of issues', async () => {
  const store = await openTestStore();
  await create(store, { title: 'first', environment: 'staging' });
  await create(store, { title: 'second' });
  const issues = store.briefs('acme');
  expect(await issues.byNumber(1)).toEqual({
    number: 1,
    visibility: null,
    agreedModel: null,
    title: 'first',
    status: 'investigating',
    environment: 'staging',
    severity: 'low',
    triggeredAt: expect.any(Number),
    rootCauseSummary: null,
    remediation: [],
    description: expect.any(String),
    service: null,
    context: {},
    findings: null,
  });
  expect(await issues.byNumber(3)).toBeNull();
  expect(await issues.list({ status: 'open', environment: null, severity: 'low' })).toMatchObject({
    total: 2,
    newest: [{ number: 2 }, { number: 1 }],
  });
  expect(await issues.list({ status: 'open', environment: 'staging', severity: null })).toMatchObject({
    total: 1,
    newest: [{ title: 'first' }],
  });
  expect(await issues.list({ status: 'resolved', environment: null, severity: null })).toEqual({
    total: 0,
    newest: [],
  });
});

it('says that it can be written to', async () => {
  expect(await (await openTestStore()).problem()).toBeNull();
});

it.runIf(onPostgres)(
  'has the same issues for each replica, and numbers that no two of them give',
  async () => {
    const location = await emptyLocation();
    const [one, other] = await Promise.all([openTestStore(location), openTestStore(location)]);
    const created = await Promise.all(
      Array.from({ length: 40 }, (_, i) => create(i % 2 === 0 ? one : other)),
    );
    expect(created.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
    expect(await found(one, {})).toEqual(await found(other, {}));
  },
);
