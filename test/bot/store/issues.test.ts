import { describe, expect, it } from 'vitest';
import { transitions } from '../../../src/bot/store/issue-transitions.ts';
import { addCreated, newIssue, theIssue, uuidOf } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';

describe('issues', () => {
  it('are found by their numbers, those of them that are known', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    for (const number of [7, 12, 30]) {
      await addCreated(store, 0, { id: `issue-${number}`, identity: null, number });
    }
    expect((await store.issues.byNumbers([12, 99, 7])).map(({ id }) => id)).toEqual(['issue-7', 'issue-12']);
    expect(await store.issues.byNumbers([])).toEqual([]);
  });

  it('are one per open identity, whatever arrives at the same moment', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    const added = await Promise.all(
      ['a', 'b', 'c', 'd'].map((id) => store.transaction((tx) => tx.issues.add(newIssue({ id })))),
    );
    expect(added.filter((isNew) => isNew)).toHaveLength(1);
    const id = ['a', 'b', 'c', 'd'][added.indexOf(true)];
    expect(await store.issues.openByIdentity('cpu@production')).toMatchObject({ id });
  });

  it('of one identity may follow each other once the earlier is closed', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await store.issues.add(newIssue({ id: 'first' }));
    await store.issues.rewrite('first', { isOpen: false });
    expect(await store.issues.add(newIssue({ id: 'second' }))).toBe(true);
    expect(await store.issues.openByIdentity('cpu@production')).toMatchObject({ id: 'second' });
    await expect(store.issues.rewrite('first', { isOpen: true })).rejects.toThrow(/unique/iu);
  });

  it('that people ask for have no identity, and any number of them is open', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    expect(await store.issues.add(newIssue({ id: 'a', identity: null }))).toBe(true);
    expect(await store.issues.add(newIssue({ id: 'b', identity: null }))).toBe(true);
  });

  it('of the same cause are one', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await store.issues.add(newIssue({ identity: null, title: 'first' }));
    expect(await store.issues.add(newIssue({ identity: null, title: 'second' }))).toBe(false);
    expect(await theIssue(store)).toMatchObject({ title: 'first' });
  });

  it('count their repeats, and a repeat ends the recovery', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await store.issues.add(newIssue());
    await store.issues.rewrite('issue-1', { recoveredAt: 5 });
    for (const at of [7, 9]) {
      await store.issues.apply(
        'issue-1',
        transitions.countRepeat(await theIssue(store), 'investigating', at),
      );
    }
    expect(await theIssue(store)).toMatchObject({ repeats: 2, lastRepeatAt: 9, recoveredAt: null });
  });

  it('to be created come oldest first, and only when their time has come', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await store.issues.add(newIssue({ id: 'b', identity: null, createdAt: 2 }));
    await store.issues.add(newIssue({ id: 'a', identity: null, createdAt: 1 }));
    await store.issues.add(newIssue({ id: 'waits', identity: null, createdAt: 0 }));
    await store.issues.rewrite('waits', { nextAt: 100 });
    expect((await store.issues.pending(99, 9)).map((issue) => issue.id)).toEqual(['a', 'b']);
    expect((await store.issues.pending(100, 1)).map((issue) => issue.id)).toEqual(['waits']);
  });

  it('are watched as investigating until the end of their newest version was told, then as idle', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await addCreated(store, 1);
    const seen = async () => ({
      investigating: (await store.issues.investigating()).map((issue) => issue.id),
      idle: (await store.issues.idle(1000, 9)).map((issue) => issue.id),
      watched: await store.issues.countWatched(),
    });
    expect(await seen()).toEqual({ investigating: ['issue-1'], idle: [], watched: 1 });
    await store.issues.rewrite('issue-1', { status: 'ready_to_fix' });
    expect(await seen()).toEqual({ investigating: ['issue-1'], idle: [], watched: 1 });
    await store.issues.rewrite('issue-1', { endedVersion: 1, checkedAt: 1000 });
    expect(await seen()).toEqual({ investigating: [], idle: ['issue-1'], watched: 1 });
    await store.issues.rewrite('issue-1', { watched: false });
    expect(await seen()).toEqual({ investigating: [], idle: [], watched: 0 });
  });

  it('are found by uuid, by number, and by thread: there the newest', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await addCreated(store, 1, { number: 4 });
    await addCreated(store, 2, { id: 'issue-2', identity: null, number: 5 });
    expect(await store.issues.byUuid(uuidOf(4))).toMatchObject({ id: 'issue-1' });
    expect(await store.issues.byNumber(5)).toMatchObject({ id: 'issue-2' });
    expect(await store.issues.byThread('C1', '1.0')).toMatchObject({ id: 'issue-2' });
    expect(await store.issues.byNumber(6)).toBeNull();
  });
});

describe('beside the issues', () => {
  it('results are kept one a version, the newest told apart', async () => {
    await using opened = await openTestStore();
    const { store } = opened;
    await addCreated(store, 1);
    await store.results.save('issue-1', 2, '{"issue":"second"}', 5);
    await store.results.save('issue-1', 1, '{"issue":"first"}', 6);
    await store.results.save('issue-1', 1, '{', 7);
    expect(await store.results.get('issue-1', 1)).toEqual({ version: 1, results: null });
    await store.results.save('issue-1', 1, '{"issue":"first again"}', 8);
    expect(await store.results.get('issue-1', 1)).toEqual({ version: 1, results: { issue: 'first again' } });
    expect(await store.results.get('issue-1', 3)).toBeNull();
    expect(await store.results.latest('issue-1')).toEqual({ version: 2, results: { issue: 'second' } });
  });

  it('the audit says who did what, in order', async () => {
    await using opened = await openTestStore();
    const { audit } = opened.store;
    await audit.add({ at: 2, who: 'U2', what: 'muted it', issueId: 'issue-1' });
    await audit.add({ at: 1, who: 'U1', what: 'filed it', issueId: 'issue-1' });
    await audit.add({ at: 1, who: 'U1', what: 'filed it', issueId: 'issue-2' });
    expect(await audit.of('issue-1')).toEqual([
      { at: 1, who: 'U1', what: 'filed it' },
      { at: 2, who: 'U2', what: 'muted it' },
    ]);
  });

  it('a result of an issue that is not there is refused', async () => {
    await using opened = await openTestStore();
    await expect(opened.store.results.save('nobody', 1, '{}', 1)).rejects.toThrow(/foreign key/iu);
  });
});
