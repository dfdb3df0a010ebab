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
  seed = seeder(opened.file, old);
});

afterEach(async () => {
  seed.close();
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

const bearing = ['results', 'ticks', 'audit', 'conversations', 'questions', 'alerts', 'issues'] as const;

it('an issue that is over goes with everything that hangs on it, and leaves the same of another one', async () => {
  seed.issue('over');
  seed.everythingAbout('over', old);
  seed.issue('lives', { isOpen: 1, status: 'ready_to_fix', watched: 1 });
  seed.everythingAbout('lives', old);
  await sweep('issues');
  const left = (table: keyof Tables, column = 'id') => seed.ids(table, column);
  expect({
    issues: left('issues'),
    alerts: left('alerts'),
    results: left('results', 'issue_id'),
    ticks: left('ticks', 'issue_id'),
    audit: left('audit', 'issue_id'),
    conversations: left('conversations'),
    questions: left('questions'),
    outbox: left('outbox', 'key'),
    votes: left('votes', 'subject'),
    artifacts: left('artifacts', 'owner'),
    files: left('files', 'key'),
  }).toEqual({
    issues: ['lives'],
    alerts: ['alert-lives'],
    results: ['lives'],
    ticks: ['lives'],
    audit: ['lives'],
    conversations: ['talk-lives'],
    questions: ['question-lives'],
    outbox: ['answer:question-lives', 'card:lives'],
    votes: ['answer:question-lives', 'result:lives:1'],
    artifacts: ['lives', 'question:question-lives'],
    files: ['chart:question:question-lives:a', 'graph:lives:1'],
  });
});

it('an issue that the service still has leaves behind where it belongs, and no other does', async () => {
  const at = { checked_at: 7 };
  seed.issue('over', { ...at, number: 12, organization: 'private', channel: 'C0SECRET' });
  seed.issue('deleted', { ...at, number: 13, state: 'gone' });
  seed.issue('failed', { ...at, number: null, state: 'failed', uuid: null });
  await sweep('issues', 1);
  const { tombstones } = opened.store;
  expect(seed.ids('issues')).toEqual([]);
  expect(seed.ids('tombstones', 'uuid')).toEqual(['uuid-over']);
  expect(await tombstones.byUuid('uuid-over')).toEqual({
    uuid: 'uuid-over',
    number: 12,
    organization: 'private',
    channel: 'C0SECRET',
    checkedAt: 7,
  });
});

it('an issue stays while it is open, watched, changed, spoken of, or to be said something of', async () => {
  seed.issue('over');
  seed.issue('failed', { state: 'failed', status: 'investigating', watched: 1 });
  seed.issue('deleted', { state: 'gone', status: 'ready_to_fix' });
  seed.issue('open', { isOpen: 1 });
  seed.issue('watched', { watched: 1 });
  seed.issue('muted', { status: 'muted' });
  seed.issue('pending', { state: 'pending' });
  seed.issue('resolved lately', { statusSince: recent });
  seed.issue('fired lately', { lastRepeatAt: recent });
  seed.issue('recovered lately', { recoveredAt: recent });
  seed.issue('to be changed', { wantedStatus: 'resolved' });
  seed.issue('spoken of');
  seed.conversation('c1', { issueId: 'spoken of', updatedAt: recent });
  seed.issue('asked about');
  seed.conversation('c2', { issueId: 'asked about' });
  seed.question('q2', { conversation: 'c2', updatedAt: recent });
  seed.issue('being answered');
  seed.conversation('c3', { issueId: 'being answered' });
  seed.question('q3', { conversation: 'c3', state: 'asking' });
  seed.issue('to be said');
  seed.message('card', { kind: 'card', issueId: 'to be said', state: 'due' });
  const all = seed.ids('issues');
  await sweep('issues');
  expect(all.filter((id) => !seed.ids('issues').includes(id))).toEqual(['deleted', 'failed', 'over']);
});

it('an issue with many messages and questions goes in many small steps', async () => {
  seed.issue('over');
  for (let n = 0; n < 450; n += 1) seed.alert(`a${n}`, { issueId: 'over' });
  for (let n = 0; n < 5; n += 1) {
    seed.conversation(`c${n}`, { issueId: 'over' });
    for (let q = 0; q < 30; q += 1) seed.question(`q${n}-${q}`, { conversation: `c${n}` });
  }
  const steps = await sweep('issues', 100);
  expect(Math.max(...steps)).toBeLessThanOrEqual(101);
  expect(steps.reduce((sum, some) => sum + some)).toBe(450 + 5 * 30 + 5 + 1);
  expect(bearing.flatMap((table) => seed.ids(table, 'rowid'))).toEqual([]);
});

it('an issue that is reopened while it is swept stays from then on', async () => {
  seed.issue('over');
  for (let n = 0; n < 250; n += 1) seed.alert(`a${n}`, { issueId: 'over' });
  const ages = { over: now - 90 * DAY, spent: 0 };
  await opened.store.transaction((tx) => tx.sweep.issues(ages, 100));
  await opened.store.issues.rewrite('over', { isOpen: true, status: 'ready_to_fix', statusSince: now });
  expect(await sweep('issues')).toEqual([]);
  expect(seed.ids('alerts').length).toBe(150);
});

it('conversations about no issue go with their questions when the last question is old', async () => {
  seed.conversation('over', { threadTs: '1.1' });
  seed.question('over');
  seed.message('answer:over', { kind: 'answer', questionId: 'over' });
  seed.conversation('goes on', { threadTs: '1.2', updatedAt: recent });
  seed.question('goes on');
  seed.conversation('voted', { threadTs: '1.3' });
  seed.question('voted', { updatedAt: recent });
  seed.conversation('waits', { threadTs: '1.4' });
  seed.question('waits', { state: 'queued' });
  await sweep('conversations');
  expect(seed.ids('conversations')).toEqual(['goes on', 'voted', 'waits']);
  expect(seed.ids('questions')).toEqual(['goes on', 'voted', 'waits']);
  expect(seed.ids('outbox', 'key')).toEqual([]);
});

it('decisions that no issue counts go, but for what waits in an open hold', async () => {
  seed.issue('lives', { isOpen: 1 });
  for (const [id, state] of [
    ['open', 'quiet'],
    ['closed', 'closed'],
  ] as const) {
    seed.add('holds', { id, channel: 'C1', reason: 'storm', state, createdAt: old, lastAt: old });
  }
  seed.alert('ignored');
  seed.alert('ignored lately', { decidedAt: recent });
  seed.alert('filed', { issueId: 'lives' });
  seed.alert('waits', { holdId: 'open', decision: 'held' });
  seed.alert('dismissed', { holdId: 'open', decision: 'held', outcome: 'dismissed' });
  seed.alert('waited', { holdId: 'closed', decision: 'held' });
  await sweep('alerts');
  expect(seed.ids('alerts')).toEqual(['filed', 'ignored lately', 'waits']);
  await sweep('holds');
  expect(seed.ids('holds')).toEqual(['open']);
});

it('a closed hold stays as long as one of its messages', async () => {
  seed.add('holds', {
    id: 'h',
    channel: 'C1',
    reason: 'storm',
    state: 'closed',
    createdAt: old,
    lastAt: old,
  });
  seed.alert('a', { holdId: 'h', outcome: 'filed', decidedAt: recent });
  await sweep('holds');
  expect(seed.ids('holds')).toEqual(['h']);
});

it('messages of no issue go after 14 days, but for those that are edited or posted yet', async () => {
  const days = (n: number) => ({ createdAt: now - n * DAY, deliveredAt: now - n * DAY });
  seed.issue('lives', { isOpen: 1 });
  seed.add('holds', { id: 'h1', channel: 'C1', reason: 'storm', state: 'quiet', createdAt: 0, lastAt: 0 });
  seed.add('holds', { id: 'h2', channel: 'C1', reason: 'storm', state: 'closed', createdAt: 0, lastAt: 0 });
  seed.add('troubles', { name: 'channel:C1', reason: 'is_archived', since: 5, detail: '{}' });
  seed.conversation('c');
  seed.question('q', { conversation: 'c', state: 'late', offer: 'late:q' });
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
  for (const [key, row] of Object.entries({ ...gone, ...kept })) seed.message(key, row);
  expect(await sweep('outbox', 3)).toEqual([3, 3, 2]);
  expect(seed.ids('outbox', 'key')).toEqual(Object.keys(kept).sort());
});

it('deliveries go when they are done with, but for the newest', async () => {
  const delivery = (key: string, days: number, state = 'done') =>
    seed.add('inbox', { key, body: '', receivedAt: now - days * DAY, state });
  delivery('handled', 15);
  delivery('given up', 15, 'dead');
  delivery('open', 15, 'open');
  delivery('newest', 14.5);
  await sweep('inbox');
  expect(seed.ids('inbox', 'key')).toEqual(['newest', 'open']);
  expect(await opened.store.inbox.lastReceivedAt()).toBe(now - 14.5 * DAY);
});

it('pictures of no issue go when they are old', async () => {
  for (const [key, at] of [
    ['old', old],
    ['recent', recent],
  ] as const) {
    seed.add('files', { key, state: 'ready', nextAt: at, createdAt: at });
  }
  await sweep('files');
  expect(seed.ids('files', 'key')).toEqual(['recent']);
});

it('changes go two weeks after they were wanted, as the deliveries do that wanted them', async () => {
  const { changes } = opened.store;
  for (const [cause, days] of [['old', 15] as const, ['recent', 13] as const]) {
    await changes.begin({ cause, version: 1, at: now - days * DAY });
  }
  expect(await sweep('changes')).toEqual([1]);
  expect([await changes.isBegun('old'), await changes.isBegun('recent')]).toEqual([false, true]);
});
