import { describe, expect, it } from 'vitest';
import { causeKeyOf } from '../../../src/bot/issues/cause.ts';
import { openAbout } from '../../../src/bot/issues/incident.ts';
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

const headOf = async ({ store }: Watching, number: number) =>
  (await theIssue(store, `issue-${number}`)).symptomOf;

describe('an issue whose results say what those of another open issue say', () => {
  it('is a symptom of the one that was investigated first, and both cards say so', async () => {
    await using test = await watching();
    await ended(test, 1, badDeploy());
    await test.store.outbox.delivered('card:issue-1', 2);
    await ended(test, 2, badDeploy());
    await ended(test, 3, badDeploy());
    expect([await headOf(test, 1), await headOf(test, 2), await headOf(test, 3)]).toEqual([
      null,
      'issue-1',
      'issue-1',
    ]);
    expect(await test.said()).toEqual([
      'result:issue-1:1 {"version":1,"notice":"result"}',
      'result:issue-2:1 {"version":1,"notice":"result"}',
      'result:issue-3:1 {"version":1,"notice":"result"}',
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
    expect(await headOf(test, 2)).toBeNull();
  });

  it('is, although the same deploy was seen a little earlier or later', async () => {
    await using test = await watching();
    await ended(test, 1, badDeploy(change('2026-11-20T10:00:08.836Z')));
    await ended(test, 2, badDeploy(change('2026-11-20T10:00:10.178Z')));
    expect(await headOf(test, 2)).toBe('issue-1');
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
    expect([await headOf(test, 2), await headOf(test, 3)]).toEqual([null, null]);
  });

  it('does not name an issue of a private channel in another one, nor the other way round where it may', async () => {
    await using test = await watching();
    await test.store.channels.learn('C1', false);
    await ended(test, 1, badDeploy(), { channel: 'GPRIVATE' });
    await ended(test, 2, badDeploy());
    await ended(test, 3, badDeploy());
    await ended(test, 4, badDeploy(), { channel: 'GPRIVATE' });
    expect(await Promise.all([2, 3, 4].map((number) => headOf(test, number)))).toEqual([
      null,
      'issue-2',
      'issue-1',
    ]);
  });

  it('says nothing again after a later look, unless somebody asked for it', async () => {
    await using test = await watching();
    await ended(test, 1, badDeploy());
    await ended(test, 2, badDeploy());
    await endedAgain(test, 2, badDeploy(), 2);
    const at = test.opened.clock.now() + 1;
    await test.store.audit.add({ at, who: 'U1', what: 'had it investigated again', issueId: 'issue-2' });
    await endedAgain(test, 2, badDeploy(), 3);
    expect((await test.said()).slice(1)).toEqual([
      'result:issue-2:1 {"version":1,"notice":"result"}',
      'result:issue-2:2 {"version":2,"notice":"result","isSaid":true}',
      'result:issue-2:3 {"version":3,"notice":"result"}',
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
    expect([await headOf(test, 2), await intent(test.store, 'result:issue-2:1')]).toEqual([null, 'due']);
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

it('an outage is the same whether what is missing or an exporter says it', () => {
  const said = (rootCauseSummary: string, title: string) => ({
    rootCause: { rootCauseSummary },
    causalTreeV2: { nodes: [{ nodeType: 'cause', title }] },
  });
  const keys = [
    said('redis is down since 23:29 UTC: its exporter says so.', 'State of redis'),
    said('Cache outage of redis: up went from 1 to 0 instances.', 'Cache outage of redis'),
  ].map(causeKeyOf);
  expect(keys).toEqual(['outage of redis', 'outage of redis']);
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

/** Results with a path from the cause, which comes first, to what the alert is about. */
function found(
  title: string,
  confidence: 'high' | 'medium' | 'low',
  path: readonly string[],
): InvestigationResults {
  const [place = '', ...others] = path;
  return {
    rootCause: { rootCauseSummary: `${title}.` },
    causalTreeV2: {
      nodes: [
        { id: place, nodeType: 'cause', title, confidence },
        ...others.map((id) => ({ id, nodeType: 'effect', title: `${id} degrades` })),
      ],
    },
  };
}

const UNEXPLAINED = found('Unexplained degradation of seats', 'medium', ['seats', 'gate']);
const DOWN = found('Instances of ledger are down', 'high', ['ledger', 'payments-gw', 'seats']);
const NOTHING = { rootCause: { incidentOverview: 'No cause found for payments-gw.' } };

const heads = (test: Watching, ...numbers: number[]) =>
  Promise.all(numbers.map((number) => headOf(test, number)));

describe('alerts of services on one call path', () => {
  it('are an incident, and the one that knows the cause leads it from then on, with a line in the threads of the others', async () => {
    await using test = await watching();
    await ended(test, 1, UNEXPLAINED, { service: 'gate' });
    await ended(test, 2, NOTHING, { service: 'payments-gw' });
    expect(await heads(test, 1, 2)).toEqual([null, null]);
    await ended(test, 3, DOWN, { service: 'ledger' });
    expect(await heads(test, 1, 2, 3)).toEqual(['issue-3', 'issue-3', null]);
    expect((await test.said()).filter((line) => line.startsWith('notice:')).sort()).toEqual([
      'notice:symptom:issue-1:issue-3 {"notice":"symptom","other":"issue-3"}',
      'notice:symptom:issue-2:issue-3 {"notice":"symptom","other":"issue-3"}',
    ]);
    // One more symptom says nothing of its own.
    await ended(test, 4, found('Unexplained degradation of seats', 'low', ['seats']), { service: 'seats' });
    expect(await headOf(test, 4)).toBe('issue-3');
  });

  it('are led by another one again, together with their symptoms', async () => {
    await using test = await watching();
    await ended(test, 1, found('Errors of gate', 'low', ['gate']), { service: 'gate' });
    await ended(test, 2, UNEXPLAINED, { service: 'seats' });
    expect(await heads(test, 1, 2)).toEqual(['issue-2', null]);
    await ended(test, 3, DOWN, { service: 'ledger' });
    expect(await heads(test, 1, 2, 3)).toEqual(['issue-3', 'issue-3', null]);
  });

  it.each<[string, InvestigationResults, Partial<NewIssue>]>([
    ['two certain causes at two places', found('Bad deploy of gate', 'high', ['gate']), { service: 'gate' }],
    [
      'services on no common path',
      found('Bad deploy of search', 'medium', ['search']),
      { service: 'search' },
    ],
    ['nothing found for either', { rootCause: {} }, { service: 'mailer' }],
    ['what was over before', UNEXPLAINED, { service: 'seats', investigatingSince: Number.MAX_SAFE_INTEGER }],
  ])('stay apart: %s', async (what, results, overrides) => {
    await using test = await watching();
    const path = found('Instances of ledger are down', 'high', ['ledger', 'seats', 'gate']);
    await ended(test, 1, path, { service: 'ledger' });
    if (what === 'what was over before') {
      await test.store.issues.rewrite('issue-1', { recoveredAt: test.opened.clock.now() });
    }
    await ended(test, 2, results, overrides);
    expect(await heads(test, 1, 2)).toEqual([null, null]);
  });

  it('stay apart where one begins minutes later, and does not show the cause of the other', async () => {
    await using test = await watching();
    const down = found('Instances of ledger are down', 'high', ['ledger']);
    await ended(test, 1, down, { service: 'ledger' });
    await ended(test, 2, found('Errors of seats', 'low', ['ledger', 'seats']), { service: 'seats' });
    const from = (minutes: number) => test.opened.clock.now() + minutes * 60_000;
    const slow = found('Unexplained degradation of catalog', 'low', ['catalog', 'seats']);
    await ended(test, 3, slow, { service: 'seats', investigatingSince: from(6) });
    const worse = found('Errors of seats', 'low', ['seats', 'ledger']);
    await ended(test, 4, worse, { service: 'seats', investigatingSince: from(8) });
    expect(await heads(test, 2, 3, 4)).toEqual(['issue-1', null, 'issue-1']);
  });

  it('follow what people taught: apart although they are on one path, together although they are not', async () => {
    await using test = await watching();
    const { identityOverrides } = test.store;
    await identityOverrides.teachIncident(['cpu-1@production', 'cpu-2@production'], 'apart');
    await identityOverrides.teachIncident(['cpu-3@production', 'cpu-1@production'], 'together');
    await ended(test, 1, DOWN, { service: 'ledger' });
    await ended(test, 2, UNEXPLAINED, { service: 'seats' });
    await ended(test, 3, found('Bad deploy of search', 'high', ['search']), { service: 'search' });
    expect(await heads(test, 1, 2, 3)).toEqual([null, null, 'issue-1']);
  });
});
