import { expect, it } from 'vitest';
import { CircuitOpenError, UnsendableError } from '../../../src/contract/client/errors.ts';
import { until } from '../../support/until.ts';
import { creating } from './support.ts';

const OPEN = new CircuitOpenError({ operation: 'issues.create', retryAfterMs: 10_000 });

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
