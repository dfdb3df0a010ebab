import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Aggregates } from '../../../../src/bot/store/open.ts';
import type { Tables } from '../../../../src/bot/store/tables.ts';
import { openTestStore, type TestStore } from '../../../support/open-test-store.ts';
import { DAY, type Seeder, seeder } from './seeding.ts';

let opened: TestStore;
let seed: Seeder;
let now: number;
let old: number;
let recent: number;

beforeEach(async () => {
  opened = await openTestStore();
  now = opened.clock.now();
  old = now - 91 * DAY;
  recent = now - 89 * DAY;
  seed = seeder(opened, old);
});

afterEach(async () => {
  await opened[Symbol.asyncDispose]();
});

/** Sweeps one part, `limit` rows at a time; answers how many went each time. */
async function sweep(part: keyof Aggregates['sweep'], limit = 200): Promise<number[]> {
  const ages = { over: now - 90 * DAY, spent: now - 14 * DAY };
  const went: number[] = [];
  for (;;) {
    const some = await opened.store.transaction((tx) => tx.sweep[part](ages, limit));
    if (some === 0) return went;
    went.push(some);
  }
}

const bearing = ['results', 'checklistSteps', 'conversations', 'questions', 'alerts', 'issues'] as const;

it('an issue that is over goes with everything that hangs on it, and leaves the same of another one', async () => {
  await seed.issue('over');
  await seed.everythingAbout('over', old);
  await seed.issue('lives', { isOpen: 1, status: 'ready_to_fix', watched: 1 });
  await seed.everythingAbout('lives', old);
  await sweep('issues');
  const left = (table: keyof Tables, column = 'id') => seed.ids(table, column);
  expect({
    issues: await left('issues'),
    alerts: await left('alerts'),
    results: await left('results', 'issue_id'),
    ticks: await left('checklistSteps', 'issue_id'),
    audit: await left('audit', 'issue_id'),
    conversations: await left('conversations'),
    questions: await left('questions'),
    outbox: await left('outbox', 'key'),
    votes: await left('votes', 'subject'),
    artifacts: await left('artifacts', 'owner'),
    files: await left('files', 'key'),
  }).toEqual({
    issues: ['lives'],
    alerts: ['alert-lives'],
    results: ['lives'],
    ticks: ['lives'],
    // Who did what outlives what it was done to.
    audit: ['lives', 'over'],
    conversations: ['talk-lives'],
    questions: ['question-lives'],
    outbox: ['answer:question-lives', 'card:lives'],
    votes: ['answer:question-lives', 'result:lives:1'],
    artifacts: ['lives', 'question:question-lives'],
    files: ['graph:lives:1'],
  });
});

it('an issue that the service still has leaves behind where it belongs, and no other does', async () => {
  const at = { checked_at: 7 };
  await seed.issue('over', { ...at, number: 12, organization: 'private', channel: 'C0SECRET' });
  await seed.issue('deleted', { ...at, number: 13, state: 'gone' });
  await seed.issue('failed', { ...at, number: null, state: 'failed', uuid: null });
  await sweep('issues', 1);
  const { tombstones } = opened.store;
  expect(await seed.ids('issues')).toEqual([]);
  expect(await seed.ids('tombstones', 'uuid')).toEqual(['uuid-over']);
  expect(await tombstones.byUuid('uuid-over')).toEqual({
    uuid: 'uuid-over',
    number: 12,
    organization: 'private',
    channel: 'C0SECRET',
    checkedAt: 7,
  });
});

it('an issue stays while it is open, watched, changed, spoken of, or to be said something of', async () => {
  await seed.issue('over');
  await seed.issue('failed', { state: 'failed', status: 'investigating', watched: 1 });
  await seed.issue('deleted', { state: 'gone', status: 'ready_to_fix' });
  await seed.issue('open', { isOpen: 1 });
  await seed.issue('watched', { watched: 1 });
  await seed.issue('muted', { status: 'muted' });
  await seed.issue('pending', { state: 'pending' });
  await seed.issue('resolved lately', { statusSince: recent });
  await seed.issue('fired lately', { lastRepeatAt: recent });
  await seed.issue('recovered lately', { recoveredAt: recent });
  await seed.issue('to be changed', { wantedStatus: 'resolved' });
  await seed.issue('spoken of');
  await seed.conversation('c1', { issueId: 'spoken of', updatedAt: recent });
  await seed.issue('asked about');
  await seed.conversation('c2', { issueId: 'asked about' });
  await seed.question('q2', { conversation: 'c2', updatedAt: recent });
  await seed.issue('being answered');
  await seed.conversation('c3', { issueId: 'being answered' });
  await seed.question('q3', { conversation: 'c3', state: 'asking' });
  await seed.issue('to be said');
  await seed.message('card', { kind: 'card', issueId: 'to be said', state: 'due' });
  const all = await seed.ids('issues');
  await sweep('issues');
  const left = await seed.ids('issues');
  expect(all.filter((id) => !left.includes(id))).toEqual(['deleted', 'failed', 'over']);
});

it('an issue with many messages and questions goes in many small steps', async () => {
  await seed.issue('over');
  for (let n = 0; n < 450; n += 1) await seed.alert(`a${n}`, { issueId: 'over' });
  for (let n = 0; n < 5; n += 1) {
    await seed.conversation(`c${n}`, { issueId: 'over' });
    for (let q = 0; q < 30; q += 1) await seed.question(`q${n}-${q}`, { conversation: `c${n}` });
  }
  const steps = await sweep('issues', 100);
  expect(Math.max(...steps)).toBeLessThanOrEqual(101);
  expect(steps.reduce((sum, some) => sum + some)).toBe(450 + 5 * 30 + 5 + 1);
  for (const table of bearing) expect(await seed.ids(table, '1')).toEqual([]);
});

it('an issue that is reopened while it is swept stays from then on', async () => {
  await seed.issue('over');
  for (let n = 0; n < 250; n += 1) await seed.alert(`a${n}`, { issueId: 'over' });
  const ages = { over: now - 90 * DAY, spent: 0 };
  await opened.store.transaction((tx) => tx.sweep.issues(ages, 100));
  await opened.store.issues.rewrite('over', { isOpen: true, status: 'ready_to_fix', statusSince: now });
  expect(await sweep('issues')).toEqual([]);
  expect(await seed.ids('alerts')).toHaveLength(150);
});

it('conversations about no issue go with their questions when the last question is old', async () => {
  await seed.conversation('over', { threadTs: '1.1' });
  await seed.question('over');
  await seed.message('answer:over', { kind: 'answer', questionId: 'over' });
  await seed.conversation('goes on', { threadTs: '1.2', updatedAt: recent });
  await seed.question('goes on');
  await seed.conversation('voted', { threadTs: '1.3' });
  await seed.question('voted', { updatedAt: recent });
  await seed.conversation('waits', { threadTs: '1.4' });
  await seed.question('waits', { state: 'queued' });
  await sweep('conversations');
  expect(await seed.ids('conversations')).toEqual(['goes on', 'voted', 'waits']);
  expect(await seed.ids('questions')).toEqual(['goes on', 'voted', 'waits']);
  expect(await seed.ids('outbox', 'key')).toEqual([]);
});

it('decisions that no issue counts go, but for what waits in an open hold', async () => {
  await seed.issue('lives', { isOpen: 1 });
  for (const [id, state] of [
    ['open', 'quiet'],
    ['closed', 'closed'],
  ] as const) {
    await seed.add('holds', { id, channel: 'C1', reason: 'storm', state, createdAt: old, lastAt: old });
  }
  await seed.alert('ignored');
  await seed.alert('ignored lately', { decidedAt: recent });
  await seed.alert('filed', { issueId: 'lives' });
  await seed.alert('waits', { holdId: 'open', decision: 'held' });
  await seed.alert('dismissed', { holdId: 'open', decision: 'held', outcome: 'dismissed' });
  await seed.alert('waited', { holdId: 'closed', decision: 'held' });
  await sweep('alerts');
  expect(await seed.ids('alerts')).toEqual(['filed', 'ignored lately', 'waits']);
  await sweep('holds');
  expect(await seed.ids('holds')).toEqual(['open']);
});

it('a closed hold stays as long as one of its messages', async () => {
  await seed.add('holds', {
    id: 'h',
    channel: 'C1',
    reason: 'storm',
    state: 'closed',
    createdAt: old,
    lastAt: old,
  });
  await seed.alert('a', { holdId: 'h', outcome: 'filed', decidedAt: recent });
  await sweep('holds');
  expect(await seed.ids('holds')).toEqual(['h']);
});

it('messages of no issue go after 14 days, but for those that are edited or posted yet', async () => {
  const days = (n: number) => ({ createdAt: now - n * DAY, deliveredAt: now - n * DAY });
  await seed.issue('lives', { isOpen: 1 });
  await seed.add('holds', {
    id: 'h1',
    channel: 'C1',
    reason: 'storm',
    state: 'quiet',
    createdAt: 0,
    lastAt: 0,
  });
  await seed.add('holds', {
    id: 'h2',
    channel: 'C1',
    reason: 'storm',
    state: 'closed',
    createdAt: 0,
    lastAt: 0,
  });
  await seed.add('blockers', { name: 'channel:C1', reason: 'is_archived', since: 5, detail: '{}' });
  await seed.conversation('c');
  await seed.question('q', { conversation: 'c', state: 'late', offer: 'late:q' });
  const gone: Record<string, Parameters<Seeder['message']>[1]> = {
    announced: days(15),
    'never said': { ...days(15), state: 'dead' },
    'held:h2': { ...days(15), kind: 'held' },
    'late:answered': { ...days(15), kind: 'aside' },
    'trouble:channel:C1:4:U1': days(15),
    'trouble:channel:C10:5:U1': days(15),
    'suggestion of old': { ...days(91), kind: 'suggestion' },
    'parked for ever': { ...days(91), state: 'parked' },
  };
  const kept: Record<string, Parameters<Seeder['message']>[1]> = {
    'announced lately': days(13),
    'edited lately': { ...days(15), deliveredAt: now - 13 * DAY },
    'still to say': { ...days(91), state: 'due' },
    'card:lives': { ...days(91), kind: 'card', issueId: 'lives' },
    'answer:q': { ...days(91), kind: 'answer', questionId: 'q' },
    'held:h1': { ...days(15), kind: 'held' },
    'late:q': { ...days(15), kind: 'aside' },
    'trouble:channel:C1:5:U1': days(15),
    suggestion: { ...days(15), kind: 'suggestion' },
    parked: { ...days(15), state: 'parked' },
  };
  for (const [key, row] of Object.entries({ ...gone, ...kept })) await seed.message(key, row);
  expect(await sweep('outbox', 3)).toEqual([3, 3, 2]);
  expect(await seed.ids('outbox', 'key')).toEqual(Object.keys(kept).sort());
});

it('deliveries go when they are done with, but for the newest', async () => {
  const delivery = (key: string, days: number, state = 'done') =>
    seed.add('inbox', { key, body: '', receivedAt: now - days * DAY, state });
  await delivery('handled', 15);
  await delivery('given up', 15, 'dead');
  await delivery('open', 15, 'open');
  await delivery('newest', 14.5);
  await sweep('inbox');
  expect(await seed.ids('inbox', 'key')).toEqual(['newest', 'open']);
});

it('files of no issue go when they are old', async () => {
  for (const [key, at] of [
    ['old', old],
    ['recent', recent],
  ] as const) {
    await seed.add('files', { key, state: 'ready', nextAt: at, createdAt: at });
  }
  await sweep('files');
  expect(await seed.ids('files', 'key')).toEqual(['recent']);
});

it('changes go two weeks after they were wanted, as the deliveries do that wanted them', async () => {
  const { changes } = opened.store;
  for (const [cause, days] of [['old', 15] as const, ['recent', 13] as const]) {
    await changes.begin({ cause, version: 1, at: now - days * DAY });
  }
  expect(await sweep('changes')).toEqual([1]);
  expect([await changes.isBegun('old'), await changes.isBegun('recent')]).toEqual([false, true]);
});
