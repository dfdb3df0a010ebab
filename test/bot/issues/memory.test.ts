import { expect, it } from 'vitest';
import { causeKeyOf } from '../../../src/bot/issues/cause.ts';
import { checklistOf } from '../../../src/bot/issues/checklist.ts';
import { asksForMemory, recall, seenBefore } from '../../../src/bot/issues/memory.ts';
import { changeNote } from '../../../src/bot/issues/notes.ts';
import { renderSeen, seenLine } from '../../../src/bot/render/issues/memory.ts';
import { addCreated, theIssue } from '../../support/issues.ts';
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
  const add = async (n: number, action: string, more: object) => {
    const id = `issue-${n}`;
    await addCreated(store, n, { id, number: n, service: `service-${n}`, createdAt: now - 60 * MINUTE });
    const cause = causeKeyOf(results(action));
    await store.issues.rewrite(id, { endedVersion: 1, cause, ...more });
    await store.results.save(id, 1, JSON.stringify(results(action)), now);
    return id;
  };
  const over = { status: 'resolved', isOpen: false, statusSince: now };
  const byAlice = JSON.stringify({ userId: 'U0ALICE', what: 'resolved it', at: now });
  const recoveredAt = now - 50 * MINUTE;
  await add(1, 'Roll back payments to 1.4.0', { identity: 'a' });
  const same = await add(2, 'Something else', { ...over, identity: 'a', recoveredAt });
  const kind = await add(3, 'Roll back payments to 1.2.7', { ...over, identity: 'b', statusSince: now - 1 });
  await add(4, 'Restart search', { ...over, identity: 'c' });
  await add(5, 'Roll back payments', { ...over, identity: 'd', channel: 'GPRIVATE' });
  await add(6, 'Roll back payments', { identity: 'e' });
  await add(7, 'Roll back payments', { ...over, identity: 'f', environment: 'staging' });
  // Somebody resolved it: here, and at the service.
  await add(8, 'Roll back payments', {
    ...over,
    identity: 'g',
    statusSince: now - 2,
    lastAction: byAlice,
    recoveredAt,
  });
  await add(9, 'Roll back payments', { ...over, identity: 'h', statusSince: now - 3 });
  const seen = await add(10, 'Roll back payments', {
    ...over,
    identity: 'i',
    statusSince: now - 4,
    endedVersion: 2,
  });
  // Of one incident, and of this very one.
  await add(11, 'Roll back payments', { ...over, identity: 'j', symptomOf: kind });
  await add(12, 'Roll back payments', { ...over, identity: 'k', symptomOf: 'issue-1' });
  await add(13, 'Roll back payments', { ...over, identity: 'l', createdAt: now });
  const timeline = [
    { type: 'change', timestamp: new Date(now - MINUTE).toISOString(), title: 'payments 1.2.7 (was 1.4.0)' },
  ];
  await store.results.save(seen, 2, JSON.stringify({ ...results('Roll back payments'), timeline }), now);
  const [step] = checklistOf(results('Roll back payments to 1.2.7'), []).flat();
  await store.checklistSteps.add({ issueId: kind, step: step?.key ?? '', who: 'U0ALICE', at: now });
  await changeNote({ issueId: same, who: 'U0ALICE', cause: '1' }, { do: 'add', text: 'x' }, { store, clock });
  for (const [who, value] of [
    ['U0ALICE', 1],
    ['U0BOB', -1],
  ] as const)
    await store.votes.cast({ subject: `result:${kind}:1`, who, value, channel: 'C1', at: now });

  const found = await seenBefore(
    await theIssue(store),
    now,
    store,
    async ({ channel }) => channel !== 'GPRIVATE',
  );
  const who = 'U0ALICE';
  expect(found.map(({ number, by, steps, tookMs }) => ({ number, by, steps, tookMs }))).toEqual([
    { number: 3, by: 'rollback', steps: [{ name: 'Roll back', who }], tookMs: 60 * MINUTE - 1 },
    { number: 2, by: 'itself', steps: [], tookMs: 10 * MINUTE },
    { number: 8, by: 'person', steps: [], tookMs: 10 * MINUTE },
    { number: 9, by: 'person', steps: [], tookMs: 60 * MINUTE - 3 },
    { number: 10, by: 'rollback', steps: [], tookMs: 60 * MINUTE - 4 },
  ]);
  expect(seenLine(found, 60)).toBe(
    'Seen 5 times in 60 days; 2 ended by a rollback, 1 ended without a person (as far as I saw), median 1 h',
  );
  const listed = await recall(found, store);
  expect(
    listed.map(({ cause, notes, votes }) => [cause, notes.map(({ text }) => text), votes]).slice(0, 2),
  ).toEqual([
    ['A bad deploy of payments.', [], { up: 1, down: 1 }],
    ['A bad deploy of payments.', ['x'], { up: 0, down: 0 }],
  ]);
  const { blocks } = renderSeen(
    found,
    listed.map((one) => ({ ...one, url: null })),
    60,
  );
  expect(JSON.stringify(blocks)).toContain('Ended by a rollback: Roll back (<@U0ALICE>)');
  expect(JSON.stringify(blocks)).toContain('👍 1 👎 1');
  expect(renderSeen([], [], 60).text).toBe(
    'I know of no other issue in the last 60 days with this alert or this cause that is over.',
  );
});

it.each([
  'has this happened before?',
  'Has this hapened befor',
  'did this happen before?',
  'Have we seen this before',
  'have we had this problem before?',
  'seen this before?',
  'has this ever occured before',
  'what fixed it last time?',
  'what fixd this last tiem?',
  'how did we fix this last time?',
  'who fixed it last time',
  'what helped previously?',
  'what did we do last time?',
  'how was this resolved before?',
  'last time, what fixed it?',
  'is this the first time?',
  'is this new?',
  'how often has this happened?',
  'how many times did this happen',
  'when did this last happen?',
  'when did this happen last?',
  'any similar issues?',
  'similar incidents before?',
  'previous issues like this',
])('“%s” is answered from memory', (question) => {
  expect(asksForMemory(question)).toBe(true);
});

it.each([
  'what happened before 14:00?',
  'which services failed last time somebody deployed?',
  'what fired last time?',
  'when did this happen?',
  'how do I fix this?',
  'what fixed it?',
  'which issues are open?',
  'did the rollback help?',
  'what changed before the errors?',
  'is this over?',
  'is the new version deployed?',
  'was checkout slow before the deploy?',
  'show the list of services',
  'when was payments last deployed?',
  'why did this happen?',
  'has the error rate happened to rise before?',
  'what did you see before?',
])('“%s” is asked of the agent', (question) => {
  expect(asksForMemory(question)).toBe(false);
});

it('issues that may not be read leave no fewer of the others', async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  const over = { identity: 'a', status: 'resolved', isOpen: false };
  await addCreated(store, 1, { id: 'issue-1', number: 1, createdAt: 100 });
  await store.issues.rewrite('issue-1', { identity: 'a' });
  for (let n = 2; n < 70; n += 1) {
    const channel = n < 5 ? 'C0HERE' : 'GPRIVATE';
    await addCreated(store, n, { id: `issue-${n}`, number: n, createdAt: n });
    await store.issues.rewrite(`issue-${n}`, { ...over, channel, statusSince: n });
  }
  const issue = await theIssue(store);
  const found = await seenBefore(issue, 200, store, async ({ channel }) => channel === 'C0HERE');
  expect(found.map(({ number }) => number)).toEqual([4, 3, 2]);
});
