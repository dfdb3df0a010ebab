import { describe, expect, it } from 'vitest';
import { rejected } from '../../support/fake-service.ts';
import { intent, theIssue, uuidOf } from '../../support/issues.ts';
import { watching } from './support.ts';

describe('an investigation that somebody asked for', () => {
  const FOUND = {
    rootCause: {
      incidentOverview: 'Checkout is slow.',
      relevantEvidence: [{ title: 'Pool full' }],
      irrelevantEvidence: [{ title: 'Disk' }, { title: 'CPU' }],
    },
    causalTree: { nodes: [{ id: 'a' }] },
    causalTreeV2: { nodes: [] },
  };
  const SHOWN = { overview: true, evidence: 1, ruledOut: 2, causes: 1 };

  it('is shown as far as its results go so far, in its card', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.progress.begin('issue-1');
    test.service.results.set(uuidOf(1), FOUND);
    await test.poller.tick();
    expect(test.service.calls).toEqual(['get 1', 'results 1 v1']);
    expect(await test.store.progress.of('issue-1')).toEqual(SHOWN);
    expect(await intent(test.store, 'card:issue-1')).toBe('due');
    expect(await test.said()).toEqual([]);
    expect(await test.store.results.latest('issue-1')).toBeNull();
  });

  it('has its card edited only when there is more to show', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.progress.begin('issue-1');
    await test.poller.tick();
    expect(await intent(test.store, 'card:issue-1')).toBe('idle');
  });

  it('goes on being watched where its results so far cannot be fetched', async () => {
    await using test = await watching();
    await test.investigation();
    await test.store.progress.begin('issue-1');
    test.service.fail('results 1', { error: rejected(500, 'broken') });
    await test.poller.tick();
    expect(await theIssue(test.store)).toMatchObject({ checkedAt: test.opened.clock.now(), endedVersion: 0 });
    expect(test.poller.degraded()).toBeNull();
  });

  it('costs no request more where nobody asked', async () => {
    await using test = await watching();
    await test.investigation();
    await test.poller.tick();
    expect(test.service.calls).toEqual(['get 1']);
  });
});
