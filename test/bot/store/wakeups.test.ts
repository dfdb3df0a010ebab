import { describe, expect, it, onTestFinished } from 'vitest';
import type { Revision } from '../../../src/bot/store/intents/intent.ts';
import type { Transition } from '../../../src/bot/store/issue-transitions.ts';
import type { Aggregates } from '../../../src/bot/store/open.ts';
import { anIntent } from '../../support/intents.ts';
import { newIssue } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { recordWakeups } from '../../support/record-wakeups.ts';

const CARD = anIntent({ issueId: 'issue-1', at: 0 });
const QUESTION = { id: 'C1:2.0', conversation: 'c1', asker: 'U1', text: 'why?', createdAt: 1 };
const NEWER: Revision = { key: CARD.key, kind: 'card', payload: {} };

async function opened() {
  const { wakeups, woken } = recordWakeups((queue, organization) =>
    organization === undefined ? queue : `${queue} (${organization})`,
  );
  const test = await openTestStore({ wakeups });
  onTestFinished(() => test[Symbol.asyncDispose]());
  const { store } = test;
  /** Whom a write wakes, whatever was done before. */
  const wakes = async (write: (tx: Aggregates) => Promise<unknown>) => {
    woken.length = 0;
    await write(store);
    return [...woken];
  };
  return { store, wakes, woken, wakeups };
}

describe('a write of the store', () => {
  it('wakes its worker once it is committed, and not before', async () => {
    const { store, woken } = await opened();
    await store.transaction(async (tx) => {
      await tx.issues.add(newIssue({ organization: 'private' }));
      await tx.outbox.want(CARD);
      expect(woken).toEqual([]);
    });
    expect(woken).toEqual(['filed (private)', 'outbox', 'sessions', 'timers']);
  });

  it('wakes nobody when it is rolled back', async () => {
    const { store, woken } = await opened();
    const failing = store.transaction(async (tx) => {
      await tx.issues.add(newIssue());
      await tx.outbox.want(CARD);
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(woken).toEqual([]);
  });

  it('ends the wait of a worker, also one that begins only afterwards', async () => {
    const { store, wakeups } = await opened();
    const { signal } = new AbortController();
    await store.issues.add(newIssue());
    const waiting = wakeups.outbox.wait(60_000, signal);
    await store.outbox.want(CARD);
    await waiting;
    await store.outbox.again(CARD.key);
    await wakeups.outbox.wait(60_000, signal);
  });

  it('wakes whoever posts when something is to be said, or said anew', async () => {
    const { wakes } = await opened();
    await wakes((s) => s.issues.add(newIssue()));
    expect(await wakes((s) => s.outbox.want(CARD))).toEqual(['outbox']);
    expect(await wakes((s) => s.outbox.delivered(CARD.key, 1))).toEqual([]);
    expect(await wakes((s) => s.outbox.want(CARD))).toEqual(['outbox']);
    expect(await wakes((s) => s.outbox.again(CARD.key))).toEqual(['outbox']);
    expect(await wakes((s) => s.outbox.refreshCards('issue-1'))).toEqual(['outbox']);
    expect(await wakes((s) => s.outbox.replacePayload(NEWER))).toEqual(['outbox']);
    expect(await wakes((s) => s.outbox.about('issue-1', NEWER))).toEqual(['outbox']);
    expect(await wakes((s) => s.outbox.postpone(CARD.key, 9, 'later'))).toEqual([]);
    expect(await wakes((s) => s.outbox.park(CARD.key, 'is_archived'))).toEqual([]);
    expect(await wakes((s) => s.outbox.unpark('C1'))).toEqual(['outbox']);
    expect(await wakes((s) => s.outbox.dead(CARD.key, 'never'))).toEqual([]);
  });

  it('that changes nothing wakes nobody', async () => {
    const { wakes } = await opened();
    expect(await wakes((s) => s.outbox.again('card:unknown'))).toEqual([]);
    expect(await wakes((s) => s.outbox.unpark('C1'))).toEqual([]);
    expect(await wakes((s) => s.issues.add(newIssue()))).toEqual(['filed (default)', 'sessions', 'timers']);
    expect(await wakes((s) => s.issues.add(newIssue()))).toEqual([]);
  });

  it('wakes whoever files an issue that is to be created, of its organization, and whom it concerns later', async () => {
    const { wakes } = await opened();
    expect(await wakes((s) => s.issues.add(newIssue({ organization: 'default' })))).toEqual([
      'filed (default)',
      'sessions',
      'timers',
    ]);
    const set = (columns: Transition['set']) =>
      wakes((s) => s.issues.apply('issue-1', { from: ['pending', 'failed'], set: columns }));
    expect(await set({ attempts: 1, nextAt: 9 })).toEqual([]);
    expect(await set({ state: 'failed' })).toEqual([]);
    expect(await set({ state: 'pending' })).toEqual(['filed (default)', 'timers']);
    expect(await set({ threadTs: '1.0' })).toEqual(['sessions']);
    expect(await set({ threadTs: '1.0', request: '{}' })).toEqual(['filed (default)', 'sessions', 'timers']);
  });

  it('wakes whoever tells the service a status, also one that waited for the issue to be created', async () => {
    const { wakes } = await opened();
    await wakes((s) => s.issues.add(newIssue({ organization: 'private' })));
    const set = (columns: Transition['set']) =>
      wakes((s) => s.issues.apply('issue-1', { from: ['pending', 'created'], set: columns }));
    expect(await set({ wantedStatus: 'resolved', nextAt: 0 })).toEqual(['status (private)']);
    expect(await set({ state: 'created' })).toEqual(['status (private)']);
    expect(await set({ wantedStatus: null })).toEqual([]);
  });

  it('wakes whoever asks the agent for a question that waits, and for a stop', async () => {
    const { wakes } = await opened();
    const conversation = {
      id: 'c1',
      channel: 'C1',
      threadTs: '1.0',
      issueId: null,
      startedBy: 'U1',
      createdAt: 0,
    };
    await wakes((s) => s.conversations.start(conversation));
    expect(await wakes((s) => s.questions.add(QUESTION))).toEqual(['asked', 'sessions']);
    expect(await wakes((s) => s.questions.begin(QUESTION.id, 2))).toEqual([]);
    expect(await wakes((s) => s.questions.update(QUESTION.id, { answer: 'Beca' }, 3))).toEqual([]);
    expect(await wakes((s) => s.questions.stop(QUESTION.id, 'U1', 4))).toEqual(['asked']);
    expect(await wakes((s) => s.questions.update(QUESTION.id, { state: 'stopped' }, 5))).toEqual([]);
    expect(await wakes((s) => s.questions.askAgain(QUESTION.id, 6))).toEqual(['asked', 'sessions']);
    expect(await wakes((s) => s.questions.add({ ...QUESTION, id: 'C1:3.0', refused: 'too many' }))).toEqual(
      [],
    );
  });

  it('wakes whoever fetches evidence', async () => {
    const { wakes } = await opened();
    expect(await wakes((s) => s.artifacts.want('issue-1', ['a1', 'a2']))).toEqual(['artifacts']);
  });
});
