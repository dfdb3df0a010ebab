import { describe, expect, it, onTestFinished } from 'vitest';
import { checklistOf, completeStep, progressOf, reopenStep } from '../../../src/bot/issues/checklist.ts';
import { resultIntent } from '../../../src/bot/store/intents/issue-intents.ts';
import { resultKey } from '../../../src/bot/store/intents/keys.ts';
import type { Store } from '../../../src/bot/store/open.ts';
import { addCreated, intent } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const ROLL_BACK = { title: 'Roll back', required: true, content: 'kubectl rollout undo' };
const WATCH = { title: 'Watch the error rate' };
const action = (...steps: object[]) => ({ title: 'Go back', steps });

/** An issue whose newest version has these actions, its results posted. */
async function withResults(...versions: object[][]) {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  await addCreated(store, 0);
  for (const [index, actions] of versions.entries()) {
    const version = index + 1;
    await store.results.save('issue-1', version, JSON.stringify({ remediation: { actions } }), 0);
    const key = resultKey('issue-1', version);
    await store.outbox.want(resultIntent({ id: 'issue-1', channel: 'C1', threadTs: '1.0' }, version, 0));
    await store.outbox.delivered(key, 1, 1);
  }
  const keys = async (version = 1) => {
    const stored = await store.results.get('issue-1', version);
    return checklistOf(stored?.results ?? {}, [])
      .flat()
      .map(({ key }) => key);
  };
  return { store, clock, keys };
}

const ref = (key = '', version = 1) => ({ issueId: 'issue-1', version, key });

const NOW = { ts: null, receivedAt: 1 };

/** On the newest results. */
async function progressNow(store: Store) {
  const latest = await store.results.latest('issue-1');
  return progressOf(checklistOf(latest?.results ?? {}, await store.checklistSteps.ofIssue('issue-1')).flat());
}

describe('a tick', () => {
  it('says who and when, on the results, on the card, and in the audit', async () => {
    const { store, clock, keys } = await withResults([action(ROLL_BACK, WATCH)]);
    const [first] = await keys();
    const at = clock.now();
    expect(await completeStep(ref(first), 'U1', NOW, { store, clock })).toBe(true);
    expect(await store.checklistSteps.ofIssue('issue-1')).toEqual([
      { issueId: 'issue-1', step: first, who: 'U1', at },
    ]);
    expect(await progressNow(store)).toEqual({
      done: 1,
      total: 2,
      requiredDone: 1,
      required: 1,
      complete: true,
      last: { by: 'U1', at },
    });
    expect(await store.audit.of('issue-1')).toEqual([{ at, who: 'U1', what: 'did step 1 of version 1' }]);
    expect([await intent(store, 'result:issue-1:1'), await intent(store, 'card:issue-1')]).toEqual([
      'due',
      'due',
    ]);
  });

  it('of two people at once counts for both, and of one step for who was first', async () => {
    const { store, clock, keys } = await withResults([action(ROLL_BACK, WATCH)]);
    const [first, second] = await keys();
    const options = { store, clock };
    await Promise.all([
      completeStep(ref(first), 'U1', NOW, options),
      completeStep(ref(second), 'U2', NOW, options),
      completeStep(ref(first), 'U3', NOW, options),
    ]);
    const ticks = await store.checklistSteps.ofIssue('issue-1');
    expect(ticks.map(({ step, who }) => [step, who])).toEqual(
      expect.arrayContaining([
        [first, 'U1'],
        [second, 'U2'],
      ]),
    );
    expect(ticks).toHaveLength(2);
    expect(await store.audit.of('issue-1')).toHaveLength(2);
  });

  it('is kept where a newer version has the same step, whatever its ids and its place', async () => {
    const newer = [action(WATCH, { ...ROLL_BACK, id: 'other', title: ' Roll  back ' }, { title: 'New' })];
    const { store, clock, keys } = await withResults([action(ROLL_BACK, WATCH)], newer);
    const [first] = await keys();
    await completeStep(ref(first), 'U1', NOW, { store, clock });
    expect((await keys(2))[1]).toBe(first);
    expect(await progressNow(store)).toMatchObject({ done: 1, total: 3, complete: true });
    expect(await intent(store, 'result:issue-1:2')).toBe('due');
  });

  it('is one of two steps that say the same', async () => {
    const { store, clock, keys } = await withResults([action(WATCH, WATCH)]);
    const [, second] = await keys();
    await completeStep(ref(second), 'U1', NOW, { store, clock });
    expect(await progressNow(store)).toMatchObject({ done: 1, total: 2, complete: false });
  });

  it('of a step that those results do not have is none', async () => {
    const { store, clock, keys } = await withResults([action(WATCH)], [action(ROLL_BACK)]);
    const [first] = await keys();
    expect(await completeStep(ref(first, 2), 'U1', NOW, { store, clock })).toBe(false);
    expect(await completeStep(ref(first, 3), 'U1', NOW, { store, clock })).toBe(false);
    expect(await reopenStep({ ...ref('no'), at: 0 }, 'U1', NOW, { store, clock })).toBe(false);
    expect(await store.checklistSteps.ofIssue('issue-1')).toEqual([]);
    expect(await intent(store, 'card:issue-1')).toBe('idle');
  });
});

describe('taking a tick back', () => {
  it('takes back the one that was seen, and not one that was made since', async () => {
    const { store, clock, keys } = await withResults([action(ROLL_BACK)]);
    const [first] = await keys();
    const options = { store, clock };
    await completeStep(ref(first), 'U1', NOW, options);
    const seen = { ...ref(first), at: clock.now() };
    await clock.sleep(1_000);
    expect(await reopenStep(seen, 'U2', NOW, options)).toBe(true);
    expect(await store.checklistSteps.ofIssue('issue-1')).toEqual([]);
    await completeStep(ref(first), 'U3', NOW, options);
    expect(await reopenStep(seen, 'U2', NOW, options)).toBe(true);
    expect((await store.checklistSteps.ofIssue('issue-1')).map(({ who }) => who)).toEqual(['U3']);
    expect((await store.audit.of('issue-1')).map(({ who, what }) => `${who} ${what}`).sort()).toEqual([
      'U1 did step 1 of version 1',
      'U2 unticked step 1 of version 1',
      'U3 did step 1 of version 1',
    ]);
  });
});
