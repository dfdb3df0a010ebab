import { describe, expect, it, onTestFinished } from 'vitest';
import { considerMessage } from '../../../src/bot/filing/carry-out.ts';
import { endPlans } from '../../../src/bot/filing/planned.ts';
import { cancelPlan, planWork } from '../../../src/bot/settings/plans.ts';
import { ChannelSettings } from '../../../src/bot/store/channel-settings.ts';
import { anAlert } from '../../support/an-alert.ts';
import { auditOf } from '../../support/audit.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const HOUR = 3_600_000;
const T0 = 1773748800;

/** A watched channel in which Alice has planned work on `payments` for an hour. */
async function planned() {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  await store.channels.watch('C1', ChannelSettings.parse({}), '0');
  const options = {
    store,
    clock,
    defaultEnvironment: 'production',
    maxIssuesPerDay: 500,
    needsConsent: async () => false,
    permalink: (channel: string, ts: string) => `https://acme.slack.com/archives/${channel}/p${ts}`,
  };
  const now = clock.now();
  const by = { cause: 'plan-1', channel: 'C1', by: 'UALICE', now };
  const work = { scope: ['payments'], from: now, until: now + HOUR, title: 'database upgrade' };
  const plan = () => store.transaction((tx) => planWork(tx, by, work));
  await plan();
  let second = 0;
  const fire = (
    name: string,
    kind: 'firing' | 'resolved' = 'firing',
    service = 'payments',
    channel = 'C1',
  ) => {
    second += 1;
    const alert = anAlert({ kind, title: `${name} fails`, fingerprint: name, service });
    const more = {
      threadTs: null,
      permalink: null,
      sender: 'Alertmanager',
      byPerson: false,
      edited: false,
      note: null,
    };
    return considerMessage({ channel, ts: `${T0 + second}.000100`, alert, ...more }, options);
  };
  const announced = async (key: string) => {
    const row = await store.outbox.get(`announcement:${key}`);
    return row === null ? null : JSON.parse(row.payload);
  };
  return {
    ...opened,
    plan,
    fire,
    announced,
    end: () => store.transaction((tx) => endPlans(tx, options)),
    cancel: () =>
      store.transaction((tx) =>
        cancelPlan(tx, { id: 'plan-1', channel: 'C1', by: 'UBOB', now: clock.now() }),
      ),
    reactionOn: async (at: number) => {
      const row = await store.outbox.get(`reaction:C1:${T0 + at}.000100:eyes`);
      return row === null ? null : JSON.parse(row.payload).name;
    },
    signOn: (at: number) => store.outbox.get(`sign:C1:${T0 + at}.000100`),
  };
}

describe('planned work', () => {
  it('is announced and audited once, however often its command is delivered', async () => {
    const w = await planned();
    await w.plan();
    expect(await w.announced('plan-1')).toMatchObject({
      what: 'planned',
      id: 'plan-1',
      by: 'UALICE',
      scope: ['payments'],
    });
    expect(auditOf(w.file)).toEqual([
      expect.stringMatching(/^UALICE planned work on payments until .* in C1$/u),
    ]);
  });

  it('keeps its alerts with a reaction and no line', async () => {
    const w = await planned();
    expect(await w.fire('disk')).toMatchObject({
      decision: 'held',
      reason: { by: 'planned' },
      issueId: null,
    });
    expect([await w.reactionOn(1), await w.signOn(1)]).toEqual(['double_vertical_bar', null]);
  });

  it('leaves all others as ever: of another service, another channel, before it and after', async () => {
    const w = await planned();
    expect(await w.fire('cpu', 'firing', 'orders')).toMatchObject({ decision: 'filed' });
    await w.store.channels.watch('C2', ChannelSettings.parse({}), '0');
    expect(await w.fire('disk', 'firing', 'payments', 'C2')).toMatchObject({ decision: 'filed' });
    await w.clock.sleep(HOUR);
    expect(await w.fire('memory')).toMatchObject({ decision: 'filed' });
  });

  it('files at its end what is still open, says so on its card, and nothing twice', async () => {
    const w = await planned();
    await w.fire('disk');
    await w.fire('disk');
    await w.fire('memory');
    await w.fire('memory', 'resolved');
    expect(await w.end()).toEqual({ untilNext: HOUR, lost: 0 });
    await w.clock.sleep(HOUR);
    expect(await w.end()).toEqual({ untilNext: Number.POSITIVE_INFINITY, lost: 0 });
    await w.end();
    const first = await w.store.alerts.find('C1', `${T0 + 1}.000100`);
    const second = await w.store.alerts.find('C1', `${T0 + 2}.000100`);
    expect([first?.decision, first?.reason, second?.decision, second?.issueId]).toEqual([
      'filed',
      'plan_ended',
      'repeat',
      first?.issueId,
    ]);
    const issue = await w.store.issues.get(first?.issueId ?? '');
    expect(JSON.parse(issue?.lastAction ?? '{}')).toMatchObject({
      userId: 'UALICE',
      what: 'planned the work that it fired in',
    });
    expect(JSON.parse(issue?.note ?? '{}')).toMatchObject({
      text: 'It fired during planned work (database upgrade), and was still open when that ended.',
    });
    expect((await w.store.alerts.find('C1', `${T0 + 3}.000100`))?.issueId).toBeNull();
    expect(await w.announced('plan-1:end')).toEqual({
      what: 'plan_ended',
      title: 'database upgrade',
      fired: 2,
      open: 1,
    });
  });

  it('that nothing fired in ends without a word', async () => {
    const w = await planned();
    await w.clock.sleep(HOUR);
    await w.end();
    expect([await w.announced('plan-1:end'), await w.store.flags.plans()]).toEqual([null, []]);
    expect(await w.announced('plan-1')).toMatchObject({ isOver: true });
  });

  it('that hid more than a storm is one message at its end', async () => {
    const w = await planned();
    for (let i = 0; i < 11; i++) await w.fire(`disk-${i}`);
    const { holdId } = await w.fire('disk-0');
    await w.clock.sleep(HOUR);
    await w.end();
    expect(await w.store.outbox.get(`held:${holdId}`)).toMatchObject({ kind: 'held', channel: 'C1' });
    expect(await w.announced('plan-1:end')).toMatchObject({ fired: 11, open: 11 });
  });

  it('is over at once where somebody ends it, once', async () => {
    const w = await planned();
    await w.fire('disk');
    expect([await w.cancel(), await w.cancel()]).toEqual([true, false]);
    await w.end();
    expect(await w.store.alerts.find('C1', `${T0 + 1}.000100`)).toMatchObject({ decision: 'filed' });
    expect(auditOf(w.file).at(1)).toBe('UBOB ended the planned work on payments in C1');
    // What everybody reads says so too, without a button that does nothing any more.
    expect(await w.announced('plan-1')).toMatchObject({ until: w.clock.now(), isOver: true });
  });

  it('that somebody ended does not begin again, whoever still says that it is planned', async () => {
    const w = await planned();
    await w.cancel();
    expect(await w.end()).toEqual({ untilNext: HOUR, lost: 0 });
    expect(await w.plan()).toBe(false);
    expect(await w.fire('disk')).toMatchObject({ decision: 'filed' });
    await w.clock.sleep(HOUR);
    await w.end();
    expect(await w.store.flags.plans()).toEqual([]);
  });

  it('whose record is damaged hides nothing: what waits is filed, and so is what fires', async () => {
    const w = await planned();
    await w.fire('disk');
    await w.execute("update flags set value = '{' where name = 'plan:plan-1'");
    expect(await w.end()).toEqual({ untilNext: Number.POSITIVE_INFINITY, lost: 1 });
    const row = await w.store.alerts.find('C1', `${T0 + 1}.000100`);
    expect(row).toMatchObject({ decision: 'filed', reason: 'plan_ended' });
    const issue = await w.store.issues.get(row?.issueId ?? '');
    expect(JSON.parse(issue?.note ?? '{}')).toMatchObject({
      text: 'It fired during planned work (its record cannot be read), and was still open when that ended.',
    });
    expect(await w.fire('memory')).toMatchObject({ decision: 'filed' });
    expect(await w.end()).toMatchObject({ lost: 0 });
    expect([await w.store.flags.unreadablePlans(), await w.cancel()]).toEqual([['plan-1'], true]);
    expect(await w.store.flags.unreadablePlans()).toEqual([]);
  });
});
