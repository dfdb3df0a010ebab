import { describe, expect, it } from 'vitest';
import { attach, leaveIncident } from '../../../src/bot/filing/split-attach.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { intent, theIssue, uuidOf } from '../../support/issues.ts';

/** Alerts of these services, each with an issue that the service knows and has investigated; the first leads the others. */
async function incident(d: Deciding, ...services: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, service] of services.entries()) {
    const { issueId } = await d.alert({ service, fingerprint: service, title: `${service} fails` });
    const id = issueId ?? '';
    await d.store.issues.rewrite(id, {
      ...{ state: 'created', uuid: uuidOf(index + 1), number: index + 1 },
      ...{ status: 'ready_to_fix', endedVersion: 1, symptomOf: ids[0] ?? null },
    });
    await d.store.outbox.delivered(`card:${id}`, 1);
    ids.push(id);
  }
  return ids;
}

const recovers = (d: Deciding, service: string) => d.alert({ kind: 'resolved', fingerprint: service });

describe('an incident', () => {
  it('is over when the last of its alerts is, in whatever order they recover', async () => {
    for (const order of [
      ['ledger', 'seats', 'gate'],
      ['gate', 'seats', 'ledger'],
    ]) {
      await using d = await deciding();
      await d.settings({ onRecovery: 'resolve' });
      const [head = ''] = await incident(d, 'ledger', 'seats', 'gate');
      const wanted = async () => (await theIssue(d.store, head)).wantedStatus;
      const [last = '', ...first] = order.toReversed();
      for (const service of first) await recovers(d, service);
      expect(await wanted()).toBeNull();
      expect(await intent(d.store, `card:${head}`)).toBe('due');
      await recovers(d, last);
      expect(await wanted()).toBe('resolved');
    }
  });

  it('is over then although somebody has reported it too: a report has no recovery', async () => {
    await using d = await deciding();
    await d.settings({ onRecovery: 'resolve' });
    const [head = '', report = ''] = await incident(d, 'ledger', 'seats');
    await d.store.issues.rewrite(report, { source: null });
    await recovers(d, 'ledger');
    expect((await theIssue(d.store, head)).wantedStatus).toBe('resolved');
  });

  it('uses up one of the channel’s budget', async () => {
    await using d = await deciding();
    await d.settings({ budget: { issues: 2, minutes: 60 } });
    await incident(d, 'ledger', 'seats');
    expect((await d.alert({ fingerprint: 'search' })).decision).toBe('filed');
    expect((await d.alert({ fingerprint: 'mailer' })).decision).toBe('held');
  });

  it('is told to the investigation of the next alert', async () => {
    await using d = await deciding();
    await d.store.channels.learn('C1', false);
    const [head = ''] = await incident(d, 'ledger', 'seats');
    await d.store.issues.rewrite(head, { cause: 'instances of ledger are down' });
    const { issueId } = await d.alert({ fingerprint: 'gate' });
    expect(JSON.parse((await theIssue(d.store, issueId ?? '')).request).context.metadata.open).toEqual([
      { issue: 1, cause: 'instances of ledger are down', service: 'ledger' },
    ]);
  });
});

describe('what people say of an incident', () => {
  it('two problems: the symptom stands for itself, and is none of that alert again', async () => {
    await using d = await deciding();
    const [head = '', symptom = ''] = await incident(d, 'ledger', 'seats');
    expect(await leaveIncident({ issueId: symptom, by: 'U1' }, d)).toBe(true);
    expect(await leaveIncident({ issueId: symptom, by: 'U1' }, d)).toBe(false);
    const [one, other] = [await theIssue(d.store, head), await theIssue(d.store, symptom)];
    expect(other.symptomOf).toBeNull();
    expect(await d.store.identityOverrides.taughtAbout(other.identity)).toEqual(
      new Map([[one.identity, 'apart']]),
    );
    expect(await d.store.identityOverrides.taughtAbout(one.identity)).toEqual(
      new Map([[other.identity, 'apart']]),
    );
  });

  it('the same problem: of another service it is a symptom, with its own, and both stay open', async () => {
    await using d = await deciding();
    const [first = '', second = '', third = ''] = await incident(d, 'ledger', 'seats', 'gate');
    await d.store.issues.rewrite(second, { symptomOf: null });
    await d.store.issues.rewrite(third, { symptomOf: second });
    expect(await attach({ issueId: second, number: 1, by: 'U1' }, d)).toBeNull();
    const all = await Promise.all([second, third].map((id) => theIssue(d.store, id)));
    expect(all.map(({ symptomOf, joinedInto, isOpen }) => ({ symptomOf, joinedInto, isOpen }))).toEqual([
      { symptomOf: first, joinedInto: null, isOpen: true },
      { symptomOf: first, joinedInto: null, isOpen: true },
    ]);
  });
});
