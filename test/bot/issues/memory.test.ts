import { expect, it } from 'vitest';
import { checklistOf } from '../../../src/bot/issues/checklist.ts';
import { asksForMemory, seenBefore } from '../../../src/bot/issues/memory.ts';
import { changeNote } from '../../../src/bot/issues/notes.ts';
import { renderSeen, seenLine } from '../../../src/bot/render/issues/memory.ts';
import { addCreated } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const MINUTE = 60_000;

const results = (action: string) => ({
  rootCause: { rootCauseSummary: 'A bad deploy of payments.' },
  remediation: { actions: [{ title: action, steps: [{ title: 'Roll back' }] }] },
});

it('issues of the same identity, or of the same kind and place of cause, are remembered for who may read them', async () => {
  await using opened = await openTestStore();
  const { store, clock } = opened;
  const now = clock.now();
  const common = { number: 0, service: 'checkout', environment: 'production' };
  const add = async (n: number, more: object, action: string) => {
    await addCreated(store, n, {
      ...common,
      id: `issue-${n + 1}`,
      number: n + 1,
      createdAt: now - 60 * MINUTE,
      ...more,
    });
    const id = `issue-${n + 1}`;
    await store.issues.rewrite(id, { endedVersion: 1, ...more });
    await store.results.save(id, 1, JSON.stringify(results(action)), now);
    return id;
  };
  const over = { status: 'resolved', isOpen: false, statusSince: now };
  const current = await add(0, { identity: 'a' }, 'Roll back payments to 1.4.0');
  const same = await add(1, { ...over, identity: 'a', recoveredAt: now - 50 * MINUTE }, 'Something else');
  const kind = await add(2, { ...over, identity: 'b', statusSince: now - 1 }, 'Roll back payments to 1.2.7');
  await add(3, { ...over, identity: 'c' }, 'Restart search');
  await add(4, { ...over, identity: 'd', channel: 'GPRIVATE' }, 'Roll back payments');
  await add(5, { identity: 'e' }, 'Roll back payments');
  const [step] = checklistOf(results('Roll back payments to 1.2.7'), []).flat();
  await store.checklistSteps.add({ issueId: kind, step: step?.key ?? '', who: 'U0ALICE', at: now });
  await changeNote({ issueId: same, who: 'U0ALICE', cause: '1' }, { do: 'add', text: 'x' }, { store, clock });

  const issue = await store.issues.get(current);
  if (issue === null) throw new Error('it is there');
  const found = await seenBefore(issue, now, store, async ({ channel }) => channel !== 'GPRIVATE');
  expect(found.map(({ number, by, steps, notes, tookMs }) => ({ number, by, steps, notes, tookMs }))).toEqual(
    [
      { number: 2, by: 'itself', steps: [], notes: 1, tookMs: 10 * MINUTE },
      { number: 3, by: 'rollback', steps: ['Roll back'], notes: 0, tookMs: 60 * MINUTE - 1 },
    ],
  );
  expect(seenLine(found, 60)).toBe(
    'Seen 2 times in 60 days; 1 ended by a rollback, 1 ended without a person, median 10 min',
  );
  expect(renderSeen([], 60).text).toBe('Not in the last 60 days, as far as I know.');
});

it.each([
  ['has this happened before?', true],
  ['Have we seen this before', true],
  ['what fixed it last time?', true],
  ['what happened before 14:00?', false],
  ['which services failed last time somebody deployed?', false],
])('“%s” is answered from memory: %s', (question, expected) => {
  expect(asksForMemory(question)).toBe(expected);
});
