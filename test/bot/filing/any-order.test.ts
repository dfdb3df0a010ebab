import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deciding } from '../../support/deciding.ts';
import { theIssue, uuidOf } from '../../support/issues.ts';
import { runs } from '../../support/property-runs.ts';

const BEGIN = 1_773_748_800;

/** What Slack tells of one alert, and when it was posted; a person may resolve the issue in between. */
interface Happening {
  at: number;
  what: 'fires' | 'recovers' | 'resolved by a person';
}

/** What there is in the end; `null` if a person resolved an issue that was not there yet. */
async function outcomeOf(events: readonly Happening[]) {
  await using d = await deciding();
  let issueId: string | null = null;
  let filed = 0;
  for (const { at, what } of events) {
    const ts = `${BEGIN + at}.000100`;
    if (what === 'resolved by a person') {
      if (issueId === null) return null;
      const act = { subject: `issue:${uuidOf(1)}`, ts, receivedAt: 1, who: 'U1', what: 'resolved it' };
      await d.store.acts.take(act, d.clock.now());
      const resolved = { status: 'resolved', statusSince: d.clock.now(), isOpen: false };
      await d.store.issues.rewrite(issueId, resolved);
      continue;
    }
    const decided = await d.alert({ kind: what === 'fires' ? 'firing' : 'resolved' }, { ts });
    if (decided.decision !== 'filed' || decided.issueId === null) continue;
    filed += 1;
    issueId = decided.issueId;
    const created = { state: 'created', uuid: uuidOf(1), number: 1, status: 'ready_to_fix' } as const;
    await d.store.issues.rewrite(issueId, created);
  }
  if (issueId === null) return null;
  const { status, wantedStatus, isOpen, repeats, recoveredAt } = await theIssue(d.store, issueId);
  return { filed, status: wantedStatus ?? status, isOpen, repeats, isRecovered: recoveredAt !== null };
}

/** Events in the order in which they were posted, and in one in which they may arrive. */
const deliveries = fc
  .array(fc.constantFrom('fires' as const, 'recovers' as const), { minLength: 2, maxLength: 4 })
  .chain((posted) =>
    fc.record({
      posted: fc.constant(posted),
      resolvedAfter: fc.option(fc.integer({ min: 1, max: posted.length }), { freq: 4 }),
      place: fc.nat(5),
      arrived: fc.shuffledSubarray([...posted.keys()], { minLength: posted.length }),
    }),
  )
  .map(({ posted, resolvedAfter, place, arrived }) => {
    const events: Happening[] = posted.map((what, n) => ({ at: n * 10, what }));
    const arriving = arrived.flatMap((n) => events[n] ?? []);
    if (resolvedAfter !== null) {
      const press: Happening = { at: resolvedAfter * 10 - 5, what: 'resolved by a person' };
      events.splice(resolvedAfter, 0, press);
      // Only what was posted before it may arrive after it.
      const newer = arriving.findIndex(({ at }) => at > press.at);
      arriving.splice(place % ((newer < 0 ? arriving.length : newer) + 1), 0, press);
    }
    return { events, arriving };
  });

it('what is told of one alert ends the same in whatever order it arrives', async () => {
  const property = fc.asyncProperty(deliveries, async ({ events, arriving }) => {
    const [inOrder, inAny] = [await outcomeOf(events), await outcomeOf(arriving)];
    if (inOrder === null || inAny === null) return;
    // Whether a recovery is noted on an issue that somebody has resolved depends on which was heard of first.
    const isEither =
      events.some(({ what }) => what === 'resolved by a person') && lastWord(events) === 'recovers';
    expect(inAny).toEqual(isEither ? { ...inOrder, isRecovered: inAny.isRecovered } : inOrder);
  });
  await fc.assert(property, { numRuns: runs(100) });
});

function lastWord(events: readonly Happening[]): string | undefined {
  return events.findLast(({ what }) => what !== 'resolved by a person')?.what;
}
