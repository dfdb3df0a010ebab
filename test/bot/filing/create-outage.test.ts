import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { notifyQueued } from '../../../src/bot/filing/queued-line.ts';
import { queuedLine } from '../../../src/bot/store/intents/channel-intents.ts';
import { RateLimitedError, UnreachableError } from '../../../src/contract/client/errors.ts';
import { rejected } from '../../support/fake-service.ts';
import { intent, theIssue } from '../../support/issues.ts';
import { until } from '../../support/until.ts';
import { type Creating, creating } from './support.ts';

const unreachable = new UnreachableError({
  operation: 'issues.create',
  ambiguous: false,
  code: 'ECONNREFUSED',
});
const WAITS = 'Waiting for the investigation service; will be filed automatically.';
const DOWN = { name: 'service:down', reason: 'unreachable', since: 5, detail: '' };
const LINE = 'waiting:a';

async function fileAll(test: Creating, ids: string[]): Promise<void> {
  for (const [index, id] of ids.entries()) {
    await test.file(id);
    await test.opened.store.issues.rewrite(id, { createdAt: index });
  }
}

/** Nobody waits, and yet everybody gets their turn. */
async function creatingInTurns(): Promise<Creating> {
  const test = await creating();
  const { clock } = test.opened;
  const { sleep } = clock;
  clock.sleep = async (ms, signal) => {
    await turn();
    await sleep(ms, signal);
  };
  return test;
}

const titlesInOrder = (test: Creating) =>
  [...test.service.issues.values()].map(({ description }) => description?.split('gumshoe-')[1]);

const attemptsOf = async (test: Creating, id: string) => (await theIssue(test.opened.store, id)).attempts;

describe('alerts that wait for a service that cannot be reached', () => {
  it('are tried one for all, and filed in their order when it is back', async () => {
    await using test = await creatingInTurns();
    test.service.break('create', unreachable);
    test.service.health.reading = { since: 0, reason: 'unreachable' };
    await fileAll(test, ['a', 'b', 'c', 'd']);
    test.creator.start();
    await test.until('it was tried five times', async () => (await attemptsOf(test, 'a')) >= 5);
    expect(await Promise.all(['b', 'c', 'd'].map((id) => attemptsOf(test, id)))).toEqual([0, 0, 0]);
    test.service.break('create', null);
    test.service.health.reading = null;
    await test.until('all are filed', async () => test.service.issues.size === 4);
    expect(titlesInOrder(test)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('take turns where only one of them is what it fails on', async () => {
    await using test = await creatingInTurns();
    const broken = { error: rejected(500, 'no', 'api_error') };
    test.service.fail('create', broken);
    await fileAll(test, ['poison', 'b', 'c']);
    test.creator.start();
    await until('it failed', async () => (await theIssue(test.opened.store, 'poison')).attempts === 1);
    await test.wake(1_000);
    await until('the others are filed', () => test.service.issues.size >= 2);
    expect(titlesInOrder(test).slice(0, 2)).toEqual(['b', 'c']);
    await test.until('it is filed too', async () => test.service.issues.size === 3);
  });

  it('are left alone for as long as it asks', async () => {
    await using test = await creatingInTurns();
    const busy = new RateLimitedError({ operation: 'issues.create', retryAfterMs: 40_000 });
    test.service.fail('create', { error: busy });
    await fileAll(test, ['a']);
    const began = test.opened.clock.now();
    test.creator.start();
    await test.until('it is filed', async () => test.service.issues.size === 1);
    expect(test.opened.clock.now() - began).toBeGreaterThanOrEqual(40_000);
  });
});

describe('the line of a channel', () => {
  it('counts what waits for longer than a minute, and says when the service is back', async () => {
    await using test = await creatingInTurns();
    const { store, clock } = test.opened;
    const now = clock.now();
    await fileAll(test, ['a', 'b']);
    await store.issues.rewrite('b', { createdAt: now - 59_999 });
    await notifyQueued(store, now);
    expect(await store.outbox.get(LINE)).toBeNull();

    await store.problems.begin(DOWN);
    await notifyQueued(store, now);
    expect(await store.outbox.get(LINE)).toMatchObject({
      kind: 'announcement',
      channel: 'C1',
      threadTs: null,
      payload: JSON.stringify({ what: 'waiting', cause: 'service:down', since: 5, back: null }),
    });
    // The second is not a minute old; but the line is there, so it counts.
    expect(await store.queued.counts(LINE)).toEqual({ queued: 2, filed: 0, refused: 0 });
    expect(await theIssue(store, 'b')).toMatchObject({ failure: WAITS, waitsIn: LINE });
    expect(await intent(store, 'card:b')).toBe('due');

    test.service.fail('create', { error: rejected(422, 'no') });
    test.creator.start();
    await test.until('both are accounted for', async () => {
      const { queued } = await store.queued.counts(LINE);
      return queued === 0;
    });
    expect(await store.queued.counts(LINE)).toEqual({ queued: 0, filed: 1, refused: 1 });
    const line = await until('the line says so', () => store.outbox.get(LINE));
    expect(JSON.parse(line.payload)).toMatchObject({ back: expect.any(Number) });
  });

  it('is none for what a person asked for, nor in a direct message', async () => {
    await using test = await creatingInTurns();
    const { store, clock } = test.opened;
    await fileAll(test, ['a', 'b']);
    await store.issues.rewrite('a', { requestedBy: 'U1' });
    await store.issues.rewrite('b', { channel: 'D1' });
    await store.problems.begin(DOWN);
    await notifyQueued(store, clock.now());
    expect(await store.queued.lines()).toEqual([]);
  });

  it('continues where it fails again before all are filed', async () => {
    await using test = await creatingInTurns();
    const { store, clock } = test.opened;
    await fileAll(test, ['a', 'b']);
    await store.problems.begin(DOWN);
    await notifyQueued(store, clock.now());
    await store.outbox.replacePayload(queuedLine(LINE, { cause: 'service:down', since: 5, back: 50 }));
    await store.problems.end('service:down');
    await store.problems.begin({ ...DOWN, since: 60 });
    await notifyQueued(store, clock.now());
    const line = await store.outbox.get(LINE);
    expect(JSON.parse(line?.payload ?? '')).toEqual({
      what: 'waiting',
      cause: 'service:down',
      since: 60,
      back: null,
    });
    expect(await store.outbox.keyed('waiting:')).toHaveLength(1);
  });
});
