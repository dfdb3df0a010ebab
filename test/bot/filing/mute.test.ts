import { expect, it, onTestFinished } from 'vitest';
import { createTimers } from '../../../src/bot/filing/timers.ts';
import { createLogger } from '../../../src/lib/log.ts';
import { deciding } from '../../support/deciding.ts';
import { theIssue } from '../../support/issues.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';

it('a mute counts what it hides, and at its end the issue returns to what it was', async () => {
  const d = await deciding();
  onTestFinished(() => d[Symbol.asyncDispose]());
  const { issueId } = await d.alert();
  const id = issueId ?? '';
  await d.store.issues.rewrite(id, {
    state: 'created',
    status: 'muted',
    statusBefore: 'ready_to_fix',
    mutedUntil: d.clock.now() + 60_000,
  });
  await d.alert();
  await d.alert();
  expect(await theIssue(d.store, id)).toMatchObject({ repeats: 2, hidden: 2, status: 'muted' });

  const clock = manualClock();
  const keeper = createTimers({
    store: d.store,
    clock: { ...clock, now: () => d.clock.now() + 60_000 },
    log: createLogger('silent'),
  });
  keeper.start();
  const issue = await until('the mute has ended', async () => {
    const now = await theIssue(d.store, id);
    return now.wantedStatus !== null && now;
  });
  await keeper.stop();
  expect(issue).toMatchObject({ wantedStatus: 'ready_to_fix', mutedUntil: null });
  expect(JSON.parse(issue.note ?? '{}')).toMatchObject({ text: 'Mute ended; 2 repeats hidden' });
});
