import { expect, it } from 'vitest';
import { fileOnRequest } from '../../../src/bot/filing/on-request.ts';
import { tellWaiting } from '../../../src/bot/filing/waiting-line.ts';
import { anAlert } from '../../support/an-alert.ts';
import { storePayload } from '../../support/intents.ts';
import { intent, theIssue, uuidOf } from '../../support/issues.ts';
import { issueOf } from '../../support/requested.ts';
import { type Creating, creating } from './support.ts';

const reached = (test: Creating, state: string, id = 'issue-1') =>
  test.until(`${id} is ${state}`, async () => (await theIssue(test.opened.store, id)).state === state);

it.each([
  ['cut', '{"title":"CPU is hi'],
  ['empty', ''],
  ['of another version', '{"what":"CPU is high"}'],
])(
  'an issue whose request is %s ends: its card says so and what to do, and nothing is tried again',
  async (_what, request) => {
    await using test = await creating();
    const { store } = test.opened;
    await test.file();
    await store.issues.rewrite('issue-1', { request });
    test.creator.start();
    await reached(test, 'failed');
    expect(await theIssue(store)).toMatchObject({
      isOpen: false,
      failure: expect.stringMatching(
        /is damaged, so it was not filed\. File it again with .*Investigate this/u,
      ),
    });
    expect(await intent(store, 'card:issue-1')).toBe('due');

    await test.file('issue-2');
    await reached(test, 'created', 'issue-2');
    expect([...test.service.issues.values()]).toHaveLength(1);
    expect(test.service.calls).toEqual(['create']);
  },
);

it('an issue that was created before its request was damaged is found by its reference, and needs none', async () => {
  await using test = await creating();
  const { store } = test.opened;
  await test.file();
  await test.service.client.issues.create(JSON.parse((await theIssue(store)).request));
  await store.issues.rewrite('issue-1', { request: '{', attemptedAt: 1 });
  test.creator.start();
  await reached(test, 'created');
  expect(await theIssue(store)).toMatchObject({ uuid: uuidOf(1) });
});

it('an issue that waits in a line which cannot be read is filed all the same, and the line is no longer updated', async () => {
  await using test = await creating();
  const { store, clock } = test.opened;
  await test.file();
  await store.blockers.begin({ name: 'service:down', reason: 'unreachable', since: 5, detail: '' });
  await tellWaiting(store, clock.now());
  const [line] = await store.waiting.lines();
  storePayload(test.opened.file, line?.key ?? '', '{"what":"wai');
  await tellWaiting(store, clock.now());
  test.creator.start();
  await reached(test, 'created');
});

it('“Investigate this” files the message of a damaged issue again', async () => {
  await using test = await creating();
  const { store, clock } = test.opened;
  const options = {
    store,
    clock,
    defaultEnvironment: 'production',
    maxIssuesPerDay: 500,
    needsConsent: async () => false,
    filePerUserHour: 30,
  };
  const alert = anAlert({ title: 'Disk is full', fingerprint: 'disk' });
  const more = { threadTs: null, permalink: null, sender: null, byPerson: false, edited: false, note: null };
  const seen = { channel: 'C1', ts: '5.000000', alert, ...more };
  const first = await fileOnRequest(seen, 'U1', options);
  await store.issues.rewrite(issueOf(first), { request: '{' });
  test.creator.start();
  await reached(test, 'failed', issueOf(first));
  const edit = {
    ...alert,
    title: 'Disk is full',
    description: 'It is',
    severity: 'high',
    environment: 'x',
  } as const;
  const second = await fileOnRequest(seen, 'U1', options, edit);
  expect(second.became).toBe('filed');
  await reached(test, 'created', issueOf(second));
});
