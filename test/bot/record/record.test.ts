import { describe, expect, it, onTestFinished } from 'vitest';
import { keepVerdict, recordOfIssue, sayOf } from '../../../src/bot/record/keep.ts';
import { fateOf, heldAgainst, recordOf, standingOf } from '../../../src/bot/record/record.ts';
import type { Said } from '../../../src/bot/store/verdicts.ts';
import { InvestigationResults } from '../../../src/contract/answers.ts';
import { addCreated, newIssue, theIssue } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const NOON = Date.parse('2026-06-01T12:00:00Z');

async function store() {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  return opened.store;
}

function results(title = 'Bad deploy of payments', confidence = 'high'): InvestigationResults {
  return InvestigationResults.parse({
    rootCause: { incidentOverview: 'It fails.', rootCauseSummary: `${title} at noon.` },
    causalTreeV2: { nodes: [{ id: 'payments', title, nodeType: 'cause', confidence }], edges: [] },
  });
}

const said = (said: Said | null, n = 1) => ({ said, outcome: null, n });

describe('what became of a verdict', () => {
  it('is what a person said, else what came true, else what looks like it', () => {
    const of = (more: object) => fateOf({ said: null, outcome: null, tickedAt: null, status: '', ...more });
    expect(of({ said: 'no', outcome: 'came_true' })).toEqual({ fate: 'wrong', source: 'said' });
    expect(of({ outcome: 'did_not', tickedAt: 1 })).toEqual({ fate: 'wrong', source: 'came_true' });
    expect(of({ tickedAt: 1, status: 'resolved' })).toEqual({ fate: 'right', source: 'looks_like' });
    expect(of({ tickedAt: 1, status: 'ready_to_fix' })).toEqual({ fate: 'unknown', source: null });
    expect(of({})).toEqual({ fate: 'unknown', source: null });
  });

  it('says nothing on a card before five are known, and counts nearly as not right', () => {
    expect(standingOf([said('yes', 4)])).toBeNull();
    expect(standingOf([said('yes', 4), said('nearly')])).toEqual({ right: 4, of: 5 });
  });
});

describe('a confidence that the record refutes', () => {
  it.each<[string, string, ReturnType<typeof said>[]]>([
    // Two misses are no record.
    ['high', 'high', [said('no', 2)]],
    ['high', 'medium', [said('no', 3)]],
    ['high', 'high', [said('no', 3), said('yes', 6)]],
    ['high', 'low', [said('other', 12)]],
    ['medium', 'low', [said('no', 5)]],
    // Never raised, however often it was right.
    ['medium', 'medium', [said('yes', 100)]],
    ['low', 'low', [said('yes', 100)]],
    ['rather sure', 'rather sure', [said('no', 100)]],
  ])('%s becomes %s', (before, after, record) => {
    expect(heldAgainst(before, record).confidence).toBe(after);
  });
});

it('keeps each verdict once, lowers what was refuted, and takes the first answer', async () => {
  const db = await store();
  for (let n = 1; n <= 7; n++) await addCreated(db, NOON, { id: `issue-${n}`, number: n, identity: `${n}` });
  const keep = async (n: number, found = results(), version = 1) =>
    keepVerdict(db, await theIssue(db, `issue-${n}`), { version, results: found, at: NOON + n });
  const say = (n: number, what: Said, by = 'U1') =>
    db.transaction((tx) => sayOf(tx, { issueId: `issue-${n}`, said: what, by, at: NOON }));

  for (const n of [1, 2, 3]) expect(await keep(n)).toEqual(results());
  expect([await say(1, 'no'), await say(1, 'yes', 'U2'), await say(2, 'other'), await say(3, 'no')]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  const lowered = await keep(4);
  expect(lowered.causalTreeV2?.nodes?.[0]?.confidence).toBe('medium');
  expect(lowered.rootCause?.incidentOverview).toBe(
    'It fails. Confidence medium instead of high: of 3 such verdicts here, 0 were right.',
  );
  // Another kind of cause has another record.
  expect(await keep(5, results('Full disk of orders-db'))).toEqual(results('Full disk of orders-db'));
  // A later investigation does not take away what somebody said.
  await keep(1, results('Full disk of orders-db', 'low'), 2);
  const record = recordOf(await db.verdicts.inChannels([newIssue().channel]));
  const none = { right: 0, nearly: 0, wrong: 0, unknown: 0 };
  expect(record).toEqual([
    {
      confidence: 'high',
      all: 4,
      fates: { ...none, wrong: 3, unknown: 1 },
      sources: { said: { ...none, wrong: 3 }, came_true: none, looks_like: none },
    },
    {
      confidence: 'medium',
      all: 1,
      fates: { ...none, unknown: 1 },
      sources: { said: none, came_true: none, looks_like: none },
    },
  ]);
});

it('asks once an issue is resolved, until somebody has answered', async () => {
  const db = await store();
  await addCreated(db, NOON);
  const issue = await theIssue(db, 'issue-1');
  expect(await recordOfIssue(issue, db)).toBeNull();
  await keepVerdict(db, issue, { version: 1, results: results(), at: NOON });
  const resolved = { ...issue, status: 'resolved' };
  const open = { asks: false, said: null, saidBy: null, confidence: 'high', standing: null };
  expect(await recordOfIssue(issue, db)).toEqual(open);
  expect(await recordOfIssue(resolved, db)).toEqual({ ...open, asks: true });
  await db.transaction((tx) => sayOf(tx, { issueId: 'issue-1', said: 'nearly', by: 'U1', at: NOON }));
  expect(await recordOfIssue(resolved, db)).toEqual({ ...open, said: 'nearly', saidBy: 'U1' });
  // Another issue shows the same cause: one verdict, one question.
  expect(await recordOfIssue({ ...resolved, symptomOf: 'issue-0' }, db)).toBeNull();
});
