import { describe, expect, it } from 'vitest';
import { causeKeyOf, openAbout } from '../../../src/bot/issues/same-cause.ts';
import type { NewIssue } from '../../../src/bot/store/issues.ts';
import type { InvestigationResults } from '../../../src/contract/answers.ts';
import { intent, theIssue, uuidOf } from '../../support/issues.ts';
import { type Watching, watching } from './support.ts';

const badDeploy = (more: InvestigationResults = {}): InvestigationResults => ({
  rootCause: { rootCauseSummary: 'Bad deploy of payments: 1.184.0 rolled out at 10:00.' },
  causalTreeV2: { nodes: [{ id: 'payments', nodeType: 'cause', title: 'Bad deploy of payments' }] },
  ...more,
});

const change = (timestamp: string): InvestigationResults => ({
  timeline: [{ type: 'change', timestamp, title: 'payments 1.184.0' }],
});

/** An investigation begins and ends with these results. */
async function ended(
  test: Watching,
  number: number,
  results: InvestigationResults,
  overrides: Partial<NewIssue> = {},
): Promise<void> {
  await test.investigation(number, overrides);
  await endedAgain(test, number, results);
}

async function endedAgain(test: Watching, number: number, results: InvestigationResults, version = 1) {
  test.service.results.set(uuidOf(number), results);
  test.elsewhere(number, { status: 'ready_to_fix', latestVersion: version });
  await test.opened.clock.sleep(60_000);
  await test.poller.tick();
}

const sameAs = async ({ store }: Watching, number: number) =>
  (await theIssue(store, `issue-${number}`)).sameCauseAs;

describe('an issue whose results say what those of another open issue say', () => {
  it('refers to the one that was investigated first, and both cards say so', async () => {
    await using test = await watching();
    await ended(test, 1, badDeploy());
    await test.store.outbox.delivered('card:issue-1', 2);
    await ended(test, 2, badDeploy());
    await ended(test, 3, badDeploy());
    expect([await sameAs(test, 1), await sameAs(test, 2), await sameAs(test, 3)]).toEqual([
      null,
      'issue-1',
      'issue-1',
    ]);
    expect(await test.said()).toEqual([
      'result:issue-1:1 {"version":1,"notice":"result"}',
      'result:issue-2:1 {"version":1,"notice":"result","sameAs":"issue-1"}',
      'result:issue-3:1 {"version":1,"notice":"result","sameAs":"issue-1"}',
    ]);
    expect(await intent(test.store, 'card:issue-1')).toBe('due');
  });

  it.each<[string, InvestigationResults, Partial<NewIssue>, InvestigationResults?]>([
    ['another environment', badDeploy(), { environment: 'staging' }],
    [
      'another place',
      {
        rootCause: { rootCauseSummary: 'x' },
        causalTreeV2: { nodes: [{ nodeType: 'cause', title: 'Bad deploy of search' }] },
      },
      {},
    ],
    ['no cause', { rootCause: {} }, {}],
    [
      'another deploy of the same service',
      badDeploy(change('2026-11-20T11:00:00Z')),
      {},
      badDeploy(change('2026-11-20T10:00:00Z')),
    ],
  ])('does not if it has %s', async (_, results, overrides, first = badDeploy()) => {
    await using test = await watching();
    await ended(test, 1, first);
    await ended(test, 2, results, overrides);
    expect(await sameAs(test, 2)).toBeNull();
  });

  it('does not if that one is over, or its alert recovered before this one began', async () => {
    await using test = await watching();
    await ended(test, 1, badDeploy());
    await test.store.issues.rewrite('issue-1', { isOpen: false, status: 'resolved' });
    test.elsewhere(1, { status: 'resolved' });
    await ended(test, 2, badDeploy());
    await test.store.issues.rewrite('issue-2', { recoveredAt: test.opened.clock.now() });
    await test.opened.clock.sleep(60_000);
    await ended(test, 3, badDeploy());
    expect([await sameAs(test, 2), await sameAs(test, 3)]).toEqual([null, null]);
  });

  it('does not name an issue of a private channel in another one, nor the other way round where it may', async () => {
    await using test = await watching();
    await test.store.channels.learn('C1', false);
    await ended(test, 1, badDeploy(), { channel: 'GPRIVATE' });
    await ended(test, 2, badDeploy());
    await ended(test, 3, badDeploy());
    await ended(test, 4, badDeploy(), { channel: 'GPRIVATE' });
    expect(await Promise.all([2, 3, 4].map((number) => sameAs(test, number)))).toEqual([
      null,
      'issue-2',
      'issue-1',
    ]);
  });

  it('stands for itself again once that one has another cause', async () => {
    await using test = await watching();
    await ended(test, 1, badDeploy());
    await ended(test, 2, badDeploy());
    await test.store.outbox.delivered('result:issue-2:1', 1);
    test.elsewhere(1, { status: 'investigating', latestVersion: 2 });
    await test.opened.clock.sleep(6 * 60_000);
    await test.poller.tick();
    await endedAgain(test, 1, { rootCause: { rootCauseSummary: '?' } }, 2);
    expect([await sameAs(test, 2), await intent(test.store, 'result:issue-2:1')]).toEqual([null, 'due']);
  });
});

it('versions and numbers are not part of what is compared; without a tree, what to do says kind and place', () => {
  const rootCause = { rootCauseSummary: 'Something' };
  const action = (title: string) => ({ rootCause, remediation: { actions: [{ title }] } });
  expect(
    [
      action('Roll back payments to 1.184.0'),
      action('Roll back payments'),
      badDeploy(),
      { rootCause },
      {},
    ].map(causeKeyOf),
  ).toEqual(['roll back payments', 'roll back payments', 'bad deploy of payments', 'something', null]);
});

it('where no cause was found, open issues about the services that are named are named too', async () => {
  await using test = await watching();
  const { store } = test;
  await store.channels.learn('C1', false);
  const orders = { causalTreeV2: { nodes: [{ nodeType: 'cause', title: 'Bad deploy of orders' }] } };
  await ended(test, 1, badDeploy(orders));
  await ended(test, 2, {}, { service: 'search', channel: 'GPRIVATE' });
  await ended(test, 3, {}, { service: 'cart', environment: 'staging' });
  await test.investigation(4, { service: 'db-7' });
  const incidentOverview =
    'No cause found: there are no metrics for db-7. Something else is degraded: search, cart and orders.';
  const issue = await theIssue(store, 'issue-4');
  expect(await openAbout(store, issue, { rootCause: { incidentOverview } })).toEqual([
    { name: 'orders', number: 1 },
  ]);
  expect(await openAbout(store, issue, { rootCause: { incidentOverview, rootCauseSummary: 'x' } })).toEqual(
    [],
  );
});
