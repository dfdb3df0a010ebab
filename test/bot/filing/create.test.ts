import { describe, expect, it } from 'vitest';
import { fileOnRequest } from '../../../src/bot/filing/on-request.ts';
import { notifyQueued } from '../../../src/bot/filing/queued-line.ts';
import { shortCardIntent } from '../../../src/bot/store/intents/issue-intents.ts';
import type { Issue } from '../../../src/bot/store/issues.ts';
import {
  CircuitOpenError,
  RateLimitedError,
  TimedOutError,
  UnreachableError,
  UnsendableError,
} from '../../../src/contract/client/errors.ts';
import { anAlert } from '../../support/an-alert.ts';
import { rejected } from '../../support/fake-service.ts';
import { storePayload } from '../../support/intents.ts';
import { intent, theIssue, uuidOf } from '../../support/issues.ts';
import { issueOf } from '../../support/requested.ts';
import { until } from '../../support/until.ts';
import { type Creating, creating } from './support.ts';

const timedOut = new TimedOutError({ operation: 'issues.create', ambiguous: true, timeoutMs: 30_000 });
const reset = new UnreachableError({ operation: 'issues.create', ambiguous: true, code: 'ECONNRESET' });
const OPEN = new CircuitOpenError({ operation: 'issues.create', retryAfterMs: 10_000 });
const refused = new UnreachableError({ operation: 'issues.create', ambiguous: false, code: 'ECONNREFUSED' });

function inState(test: Creating, state: Issue['state'], id = 'issue-1'): Promise<Issue> {
  return test.until(`the issue is ${state}`, async () => {
    const issue = await theIssue(test.opened.store, id);
    return issue.state === state && issue;
  });
}

function withFailure(test: Creating): Promise<Issue> {
  return until('a failure is on the card', async () => {
    const issue = await theIssue(test.opened.store);
    return issue.failure !== null && issue;
  });
}

describe('a filed issue', () => {
  it('is created with one call, and its card is asked to say so', async () => {
    await using test = await creating();
    test.creator.start();
    await test.file();
    expect(await inState(test, 'created')).toMatchObject({
      uuid: uuidOf(1),
      number: 1,
      status: 'investigating',
      version: 1,
      failure: null,
    });
    expect(test.service.calls).toEqual(['create']);
    expect(await intent(test.opened.store, 'card:issue-1')).toBe('due');
  });

  it('is sent as it was stored', async () => {
    await using test = await creating();
    test.creator.start();
    await test.file();
    await inState(test, 'created');
    expect([...test.service.issues.values()]).toEqual([
      expect.objectContaining({
        title: 'CPU is high',
        description: 'CPU is high\n\n---\nReference: gumshoe-issue-1',
        environment: 'production',
      }),
    ]);
  });

  it.each([
    ['a time-out', timedOut],
    ['a reset connection', reset],
  ])('that was created before %s is found by its reference, and not created twice', async (_what, error) => {
    await using test = await creating();
    test.service.fail('create', { error, afterEffect: true });
    test.creator.start();
    await test.file();
    expect(await inState(test, 'created')).toMatchObject({ uuid: uuidOf(1), failure: null });
    expect(test.service.calls).toEqual(['create', 'search']);
    expect(test.service.issues.size).toBe(1);
  });

  it('of which a crash left open whether it was created is looked for, once more a moment later, then created', async () => {
    await using test = await creating();
    await test.file();
    await test.opened.store.issues.rewrite('issue-1', { attemptedAt: 1 });
    test.creator.start();
    await inState(test, 'created');
    expect(test.service.calls).toEqual(['search', 'search', 'create']);
    expect(test.opened.clock.slept).toContain(1_500);
  });

  it.each([
    ['create: before send', ['search', 'search', 'create']],
    ['create: sent', ['create', 'search']],
  ])('whose creation ended at “%s” is created once all the same', async (moment, calls) => {
    let ends = true;
    await using test = await creating((name) => {
      if (!ends || name !== moment) return;
      ends = false;
      throw new Error('killed');
    });
    test.creator.start();
    await test.file();
    await inState(test, 'created');
    expect(test.service.calls).toEqual(calls);
    expect(test.service.issues.size).toBe(1);
  });

  it('that the service shows only at the second look is not created twice', async () => {
    await using test = await creating();
    await test.file();
    const { request } = await theIssue(test.opened.store);
    await test.service.client.issues.create(JSON.parse(request));
    await test.opened.store.issues.rewrite('issue-1', { attemptedAt: 1 });
    const shown = test.service.issues.get(uuidOf(1));
    test.service.issues.clear();
    const { sleep } = test.opened.clock;
    test.opened.clock.sleep = async (ms, signal) => {
      if (ms === 1_500 && shown) test.service.issues.set(uuidOf(1), shown);
      await sleep(ms, signal);
    };
    test.creator.start();
    expect(await inState(test, 'created')).toMatchObject({ uuid: uuidOf(1) });
    expect(test.service.calls).toEqual(['create', 'search', 'search']);
  });

  it('that an earlier life may have created is looked for once', async () => {
    await using test = await creating();
    await test.file();
    await test.opened.store.issues.rewrite('issue-1', { attemptedAt: 0 });
    test.creator.start();
    await inState(test, 'created');
    expect(test.service.calls).toEqual(['search', 'create']);
  });

  it('is not created while the search for it fails', async () => {
    await using test = await creating();
    await test.file();
    await test.opened.store.issues.rewrite('issue-1', { attemptedAt: 1 });
    test.service.fail('search', { error: rejected(500, 'broken', 'api_error') });
    test.creator.start();
    await inState(test, 'created');
    expect(test.service.calls).toEqual(['search', 'search', 'search', 'create']);
  });

  it('that the service did not see at all is sent again without a search', async () => {
    await using test = await creating();
    test.service.fail('create', { error: refused });
    test.creator.start();
    await test.file();
    await inState(test, 'created');
    expect(test.service.calls).toEqual(['create', 'create']);
  });

  it('whose fate was once unknown is searched for, whatever the last failure was', async () => {
    await using test = await creating();
    test.service.fail('create', { error: timedOut }, { error: refused });
    test.creator.start();
    await test.file();
    await inState(test, 'created');
    expect(test.service.calls).toEqual([
      'create',
      'search',
      'search',
      'create',
      'search',
      'search',
      'create',
    ]);
  });
});

describe('a card that waits for its issue’s number', () => {
  it.each([
    ['it is created', null],
    ['it cannot be created yet', refused],
    ['the service is not called, because it is failing', OPEN],
    ['it is refused', rejected(400, 'the title is empty')],
  ])('is due as soon as %s', async (_when, error) => {
    await using test = await creating();
    const { store, clock } = test.opened;
    if (error !== null) test.service.break('create', error);
    await test.file();
    const alert = { channel: 'C2', ts: '2.0', threadTs: null };
    const card = shortCardIntent('issue-1', alert, clock.now());
    await store.outbox.want({ ...card, notBefore: clock.now() + 60_000 });
    test.creator.start();
    await until('the card is due', async () => (await store.outbox.get(card.key))?.nextAt === 0);
    const issue = await theIssue(store);
    expect(issue.number !== null || issue.failure !== null).toBe(true);
  });
});

describe('an issue that is not created', () => {
  it('for what it says is failed for good, and its card says why', async () => {
    await using test = await creating();
    test.service.fail('create', { error: rejected(400, 'the title is empty') });
    test.creator.start();
    await test.file();
    expect(await inState(test, 'failed')).toMatchObject({
      isOpen: false,
      failure: 'The investigation service rejected this: the title is empty. Change it and try again.',
    });
    expect(await intent(test.opened.store, 'card:issue-1')).toBe('due');
    await test.opened.clock.sleep(3_600_000);
    expect(await test.opened.store.issues.pending(test.opened.clock.now(), 9)).toEqual([]);
  });

  it.each([
    ['the key is not accepted', rejected(401, 'no', 'authentication_error')],
    ['the key may not do it', rejected(403, 'no', 'authentication_error')],
    ['there are too many requests', new RateLimitedError({ operation: 'issues.create', retryAfterMs: null })],
    ['the service has a problem', rejected(503, 'later', 'api_error')],
  ])('because %s says so on its card, and goes on trying until it is', async (_why, error) => {
    await using test = await creating();
    test.service.break('create', error);
    test.creator.start();
    await test.file();
    const waiting = await withFailure(test);
    expect(waiting).toMatchObject({ state: 'pending', isOpen: true, attempts: 1 });
    expect(await intent(test.opened.store, 'card:issue-1')).toBe('due');
    test.service.break('create', null);
    expect(await inState(test, 'created')).toMatchObject({ failure: null });
  });

  it('is tried again less and less often, with jitter, and at least every minute', async () => {
    await using test = await creating();
    test.service.break('create', refused);
    test.creator.start();
    await test.file();
    const waits: number[] = [];
    for (const nth of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const issue = await until(`attempt ${nth} failed`, async () => {
        const seen = await theIssue(test.opened.store);
        return seen.attempts === nth && seen;
      });
      waits.push(issue.nextAt - test.opened.clock.now());
      await test.wake(60_000);
    }
    expect(waits).toEqual([1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000, 45_000]);
  });

  it('refreshes its card once for the same failure, however often it fails', async () => {
    await using test = await creating();
    test.service.break('create', refused);
    test.creator.start();
    await test.file();
    await test.until('three attempts failed', async () => (await theIssue(test.opened.store)).attempts >= 3);
    expect(await test.opened.store.outbox.get('card:issue-1')).toMatchObject({ wanted: 2 });
  });

  it('does not keep others from being created', async () => {
    await using test = await creating();
    test.service.fail('create', { error: rejected(422, 'no') });
    await test.file('issue-1');
    await test.file('issue-2');
    test.creator.start();
    await inState(test, 'created', 'issue-2');
    expect(await theIssue(test.opened.store)).toMatchObject({ state: 'failed' });
  });
});

describe('stopping', () => {
  it('lets a create call under way end, and keeps what it answered', async () => {
    await using test = await creating();
    const release = test.service.hold('create');
    test.creator.start();
    await test.file();
    await until('the call is under way', () => test.service.calls.length === 1);
    const stopped = test.creator.stop();
    release();
    await stopped;
    expect(await theIssue(test.opened.store)).toMatchObject({ state: 'created' });
  });

  it('between two looks for an issue is no failure of it', async () => {
    await using test = await creating();
    await test.file();
    await test.opened.store.issues.rewrite('issue-1', { attemptedAt: 1 });
    let stopped: Promise<void> | null = null;
    test.opened.clock.sleep = async (_ms, signal) => {
      stopped = test.creator.stop();
      signal?.throwIfAborted();
    };
    test.creator.start();
    await until('it was told to stop', () => stopped !== null);
    await stopped;
    expect(test.service.calls).toEqual(['search']);
    expect(await theIssue(test.opened.store)).toMatchObject({ state: 'pending', failure: null, attempts: 0 });
  });
});

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
  await store.problems.begin({ name: 'service:down', reason: 'unreachable', since: 5, detail: '' });
  await notifyQueued(store, clock.now());
  const [line] = await store.queued.lines();
  storePayload(test.opened.file, line?.key ?? '', '{"what":"wai');
  await notifyQueued(store, clock.now());
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
    filePerUserHour: 30,
    needsConsent: async () => false,
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

it('an issue that is held back keeps its place until the next trial, and uses up no attempt', async () => {
  await using test = await creating();
  const { store, clock } = test.opened;
  test.service.fail('create', { error: OPEN });
  const next = Promise.withResolvers<void>();
  const { sleep } = clock;
  clock.sleep = async (ms, signal) => {
    await next.promise;
    await sleep(ms, signal);
  };
  await test.file();
  test.creator.start();
  const held = await until('it was held back', async () => {
    const issue = await store.issues.get('issue-1');
    return issue?.failure ? issue : null;
  });
  expect(held).toMatchObject({
    state: 'pending',
    attempts: 0,
    attemptedAt: null,
    nextAt: 0,
    failure: 'Waiting for the investigation service; will be filed automatically.',
  });
  expect(test.service.calls).toEqual(['create']);
  next.resolve();

  const created = await test.until('it is created', async () => {
    const issue = await store.issues.get('issue-1');
    return issue?.state === 'created' ? issue : null;
  });
  expect(created.failure).toBeNull();
  expect(test.service.calls).toEqual(['create', 'create']);
});

it('an issue that the contract does not allow fails for good, and says so', async () => {
  await using test = await creating();
  const { store } = test.opened;
  test.service.fail('create', {
    error: new UnsendableError({ operation: 'issues.create', details: { title: 'too long' } }),
  });
  await test.file();
  test.creator.start();
  const failed = await until('it has failed', async () => {
    const issue = await store.issues.get('issue-1');
    return issue?.state === 'failed' ? issue : null;
  });
  expect(failed.isOpen).toBe(false);
  expect(failed.failure).not.toMatch(/keep trying/);
});
