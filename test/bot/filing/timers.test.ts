import { describe, expect, it, onTestFinished } from 'vitest';
import { heldAlertGroups } from '../../../src/bot/filing/held.ts';
import { seenOfRow } from '../../../src/bot/filing/occurrence.ts';
import { fileOnRequest } from '../../../src/bot/filing/on-request.ts';
import { createTimers } from '../../../src/bot/filing/timers.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../src/bot/shared/metrics.ts';
import { heldKey } from '../../../src/bot/store/intents/keys.ts';
import { createWakeup } from '../../../src/lib/worker-loop.ts';
import { deciding } from '../../support/deciding.ts';
import { intent, theIssue } from '../../support/issues.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { issueOf } from '../../support/requested.ts';
import { until } from '../../support/until.ts';
import { storming } from './storming.ts';

const STEP_MS = 2_500;

/** Eleven problems: the last is held. */
async function stormed() {
  const s = await storming();
  for (let n = 0; n < 11; n += 1) await s.fire(n);
  const hold = await s.hold();
  const state = async () => (await s.store.holds.get(hold.id))?.state;
  return { ...s, pass: (ms: number) => s.pass(ms, STEP_MS), key: heldKey(hold.id), state };
}

describe('the keeper', () => {
  it('ends a storm after a minute without another alert, and the message says so', async () => {
    const s = await stormed();
    await s.pass(50_000);
    expect(await s.state()).toBe('rolling');
    await s.fire(11);
    await s.pass(50_000);
    expect(await s.state()).toBe('rolling');
    await s.pass(20_000);
    expect(await s.state()).toBe('quiet');
    expect(s.heldMessages()).toEqual([expect.stringContaining('It has stopped: none since')]);
  });

  it('closes it once all of it has recovered, and the message says that too', async () => {
    const s = await stormed();
    await s.pass(70_000);
    await s.fire(10, { kind: 'resolved' });
    await s.pass(10_000);
    expect(await s.state()).toBe('closed');
    expect(s.heldMessages()).toEqual([expect.stringContaining('*Recovered on their own*: 1 alert')]);
    expect(await intent(s.store, s.key)).toBe('idle');
  });

  it('counts what waits on an issue that somebody opened of it meanwhile', async () => {
    const s = await stormed();
    await s.fire(10);
    await s.fire(11);
    const hold = await s.hold();
    const [first] = await s.store.alerts.inHold(hold.id);
    if (!first) throw new Error('it is held');
    const issueId = issueOf(await fileOnRequest(seenOfRow(first, null), 'U1', s.options));
    await s.pass(10_000);
    expect(await theIssue(s.store, issueId)).toMatchObject({ repeats: 1 });
    const problems = await heldAlertGroups(s.store, hold.id);
    expect(problems.map(({ state, messages }) => [state, messages])).toEqual([
      ['waiting', 1],
      ['filed', 2],
    ]);
    expect(s.heldMessages()).toEqual([expect.stringContaining('1 alert is on hold')]);
  });

  it('lets it begin again where one more alert comes', async () => {
    const s = await stormed();
    await s.pass(70_000);
    await s.fire(10);
    await s.pass(5_000);
    expect(await s.state()).toBe('rolling');
    expect(s.heldMessages()).toEqual([expect.stringContaining('More may follow.')]);
  });
});

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
    metrics: createMetrics(),
    problems: { watch: () => () => undefined },
    wakeup: createWakeup(clock),
    ...{ defaultEnvironment: 'production', maxIssuesPerDay: 500, permalink: () => '' },
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

it('planned work that cannot be read is a problem that people see, with what to do', async () => {
  const d = await deciding();
  onTestFinished(() => d[Symbol.asyncDispose]());
  await d.execute("insert into flags (name, value) values ('plan:p1', '{')");
  const clock = manualClock();
  const metrics = createMetrics();
  let sentence: () => string | null = () => null;
  const watch = (source: { sentence: () => string | null }) => {
    sentence = source.sentence;
    return () => undefined;
  };
  const keeper = createTimers({
    store: d.store,
    clock,
    log: createLogger('silent'),
    metrics,
    problems: { watch },
    wakeup: createWakeup(clock),
    ...{ defaultEnvironment: 'production', maxIssuesPerDay: 500, permalink: () => '' },
  });
  keeper.start();
  await until('it is looked at', () => sentence() !== null);
  await keeper.stop();
  expect(sentence()).toBe(
    'a stored plan cannot be read, so alerts are filed as if nothing was planned; /gumshoe plan removes it',
  );
  expect(await metrics.text()).toContain('gumshoe_plans_unreadable 1');
});
