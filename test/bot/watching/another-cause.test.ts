import { expect, it } from 'vitest';
import { recordDecision } from '../../../src/bot/filing/carry-out.ts';
import { fileAlert } from '../../../src/bot/filing/file.ts';
import { lookAnew } from '../../../src/bot/filing/recover.ts';
import { issueIdOf } from '../../../src/bot/filing/reference.ts';
import { ChannelSettings } from '../../../src/bot/store/channel-settings.ts';
import type { InvestigationResults } from '../../../src/contract/answers.ts';
import { anAlert } from '../../support/an-alert.ts';
import { theIssue, uuidOf } from '../../support/issues.ts';
import { type Watching, watching } from './support.ts';

const cause = (title: string): InvestigationResults => ({
  rootCause: { rootCauseSummary: `${title}: it began at 10:00.` },
  causalTreeV2: { nodes: [{ id: 'x', nodeType: 'cause', title }] },
});

const TS = '1773748800.000100';
const AGAIN = '1773752400.000100';

const identity = {
  environment: 'production',
  severity: 'medium',
  identity: 'cpu@production',
  ownIdentity: 'cpu@production',
  detail: '',
} as const;

const seen = (ts: string) => ({
  channel: 'C1',
  ts,
  threadTs: null,
  permalink: null,
  alert: anAlert(),
  sender: 'Alertmanager',
  byPerson: false,
  edited: false,
  note: null,
});

/** An alert that was investigated, was over, and fires again: its issue's id. */
async function firedAnew(test: Watching, first: InvestigationResults): Promise<string> {
  const { store, opened } = test;
  const { clock } = opened;
  const options = { clock, defaultEnvironment: 'production' };
  const message = { ...seen(TS), problem: identity, requestedBy: null, eyes: true };
  const id = await fileAlert(store, message, ChannelSettings.parse({}), options);
  const created = { state: 'created', uuid: uuidOf(1), number: 1 } as const;
  await store.issues.rewrite(id, created);
  await recordDecision(
    store,
    seen(TS),
    identity,
    { decision: 'filed', reason: 'new_alert', issueId: id },
    clock.now(),
  );
  test.service.issues.set(uuidOf(1), {
    uuid: uuidOf(1),
    number: 1,
    status: 'investigating',
    latestVersion: 1,
  });
  await ended(test, first, 1);
  await lookAnew(store, await theIssue(store, id), identity, clock.now());
  const reason = { code: 'fired_anew', minutes: 60 } as const;
  await recordDecision(
    store,
    seen(AGAIN),
    identity,
    { decision: 'repeat', reason, issueId: id },
    clock.now(),
  );
  // The service has begun the next version.
  await store.issues.rewrite(id, { wantedStatus: null, version: 2 });
  return id;
}

async function ended(test: Watching, results: InvestigationResults, version: number): Promise<void> {
  test.service.results.set(uuidOf(1), results);
  test.elsewhere(1, { status: 'ready_to_fix', latestVersion: version });
  await test.opened.clock.sleep(60_000);
  await test.poller.tick();
}

const NEW = issueIdOf('C1', AGAIN, 'another cause');

it('what fires anew with another cause is an issue of its own, and each names the other', async () => {
  await using test = await watching();
  const { store } = test;
  const id = await firedAnew(test, cause('Bad deploy of seats'));
  await ended(test, cause('Full connection pool of ledger'), 2);
  expect(await theIssue(store, id)).toMatchObject({
    isOpen: false,
    status: 'resolved',
    wantedStatus: 'resolved',
    repeats: 0,
    endedVersion: 2,
    cause: 'bad deploy of seats',
  });
  expect(await theIssue(store, NEW)).toMatchObject({
    identity: 'cpu@production',
    isOpen: true,
    state: 'pending',
    threadTs: AGAIN,
    apartFrom: null,
    repeats: 0,
    earlier: expect.stringContaining('Bad deploy of seats: it began at 10:00.'),
  });
  expect(await store.alerts.find('C1', AGAIN)).toMatchObject({
    decision: 'filed',
    reason: 'another_cause',
    issueId: NEW,
  });
  // The verdict of the first stays what it was.
  expect((await store.results.latest(id))?.version).toBe(1);
  const notice = await store.outbox.get(`notice:cause:${id}:2`);
  expect(JSON.parse(notice?.payload ?? '')).toEqual({
    notice: 'another_cause',
    version: 2,
    other: NEW,
    was: 'Bad deploy of seats',
    now: 'Full connection pool of ledger',
  });
  // Looked at once more, it changes nothing.
  await test.poller.tick();
  expect(await store.alerts.ofIssue(NEW, 9)).toHaveLength(1);
});

it.each<[string, InvestigationResults, boolean]>([
  ['the same cause', cause('Bad deploy of seats'), false],
  ['the same deploy, suspected only', cause('Degradation of seats after a deploy'), false],
  ['no cause', { rootCause: {} }, false],
  ['another cause, since a person wanted to know', cause('Full connection pool of ledger'), true],
])('with %s it stays the same issue', async (_, results, isWanted) => {
  await using test = await watching();
  const { store } = test;
  const id = await firedAnew(test, cause('Bad deploy of seats'));
  if (isWanted) {
    await ended(test, cause('Bad deploy of seats'), 2);
    await store.issues.rewrite(id, { version: 3 });
  }
  await ended(test, results, isWanted ? 3 : 2);
  expect(await store.issues.get(NEW)).toBeNull();
  const { isOpen, endedVersion } = await theIssue(store, id);
  expect({ isOpen, endedVersion }).toEqual({ isOpen: true, endedVersion: isWanted ? 3 : 2 });
});

it.each([
  ['began since, is told below what was found before', 1, false],
  ['began before that was found, is the same result', -2, true],
])('the same cause again that %s', async (_, minutes, isAsBefore) => {
  await using test = await watching();
  const { store, opened } = test;
  const id = await firedAnew(test, cause('Outage of redis'));
  const endedAt = (await store.results.at(id, 1)) ?? 0;
  const timestamp = new Date(endedAt + minutes * 30_000).toISOString();
  const timeline = [{ timestamp, type: 'anomaly', title: 'Outage hits redis' }];
  await opened.clock.sleep(60_000);
  await store.alerts.record({
    ...(await theLook(test)),
    decision: 'repeat',
    decidedAt: opened.clock.now(),
  });
  await ended(test, { ...cause('Outage of redis'), timeline }, 2);
  const said = await store.outbox.get(`result:${id}:2`);
  const { isAsBefore: isSame = false, ...rest } = JSON.parse(said?.payload ?? '');
  expect({ rest, isSame }).toEqual({ rest: { version: 2, notice: 'result' }, isSame: isAsBefore });
});

async function theLook({ store }: Watching) {
  const look = await store.alerts.find('C1', AGAIN);
  if (look === null) throw new Error('nothing fired again');
  return look;
}
