import { expect, it } from 'vitest';
import { causeIn, shownStatus } from '../../../src/bot/issues/cause.ts';
import { endedIntent } from '../../../src/bot/store/intents/issue-intents.ts';
import { addCreated } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';

it.each([
  ['ready_to_fix', 'failed', null, 'not_investigated'],
  ['ready_to_fix', 'nothing', null, 'no_cause'],
  ['ready_to_fix', 'failed', 'a deploy', 'ready_to_fix'],
  ['ready_to_fix', 'failed', undefined, 'ready_to_fix'],
  ['muted', 'failed', null, 'muted'],
] as const)(
  '%s, whose investigation ended as %s with the cause %s, is shown as %s',
  async (status, notice, cause, shown) => {
    await using opened = await openTestStore();
    const { store } = opened;
    await addCreated(store, 0);
    const place = { id: 'issue-1', channel: 'C1', threadTs: '1.0' };
    await store.outbox.want(endedIntent(place, 2, { notice }, 0));
    const issue = { id: 'issue-1', endedVersion: 2, symptomOf: null };
    expect(await shownStatus(status, { issue, cause }, store)).toBe(shown);
    const symptom = status === 'muted' ? 'muted' : 'symptom';
    expect(await shownStatus(status, { issue: { ...issue, symptomOf: 'issue-9' }, cause }, store)).toBe(
      symptom,
    );
  },
);

it('what is only wrong, and not explained, is no cause', () => {
  const found = (isUnexplained: boolean) =>
    causeIn(
      { version: 1, endedVersion: 1 },
      { results: { rootCause: { rootCauseSummary: 'Unexplained degradation of catalog', isUnexplained } } },
    );
  expect([found(false), found(true)]).toEqual(['Unexplained degradation of catalog', null]);
});
