import { expect, it } from 'vitest';
import { theIssue } from '../../support/issues.ts';
import { until } from '../../support/until.ts';
import { creating } from './support.ts';

// The grace is by the machine's clock.
it.concurrent('stopping cuts a create call off after its grace; the next start looks for the issue', async () => {
  await using test = await creating();
  test.service.hold('create');
  test.creator.start();
  await test.file();
  await until('the call is under way', () => test.service.calls.length === 1);
  // Else it would be waited for without end.
  await test.creator.stop();
  expect(await theIssue(test.opened.store)).toMatchObject({
    state: 'pending',
    failure: null,
    attempts: 0,
    attemptedAt: expect.any(Number),
  });
});

it.concurrent('stopping cuts a search off as well', async () => {
  await using test = await creating();
  await test.file();
  await test.opened.store.issues.rewrite('issue-1', { attemptedAt: 1 });
  test.service.hold('search');
  test.creator.start();
  await until('the search is under way', () => test.service.calls.length === 1);
  await test.creator.stop();
  expect(await theIssue(test.opened.store)).toMatchObject({ failure: null, attempts: 0, attemptedAt: 1 });
});
