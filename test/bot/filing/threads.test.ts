import { describe, expect, it } from 'vitest';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { intent, theIssue } from '../../support/issues.ts';

async function filed(d: Deciding): Promise<{ ts: string; id: string }> {
  const { ts, issueId } = await d.alert();
  if (issueId === null) throw new Error('the alert was not filed');
  await d.store.outbox.delivered(`card:${issueId}`, 1);
  return { ts, id: issueId };
}

describe('what a tool says in the thread of its alert', () => {
  it('is a repeat or a recovery of that alert’s issue, whatever its own fingerprint', async () => {
    await using d = await deciding();
    const { ts, id } = await filed(d);
    const worse = await d.alert({ fingerprint: 'other', severity: 'high' }, { threadTs: ts });
    expect(worse).toMatchObject({ decision: 'repeat', issueId: id });
    expect(await theIssue(d.store, id)).toMatchObject({ repeats: 1, raisedSeverity: 'high' });
    const over = await d.alert({ fingerprint: 'other', kind: 'resolved' }, { threadTs: ts });
    expect(over).toMatchObject({ decision: 'recovered', issueId: id });
  });

  it('is another alert where another tool says it, and lives in that thread', async () => {
    await using d = await deciding();
    const { ts, id } = await filed(d);
    const other = await d.alert({ format: 'grafana', fingerprint: 'other' }, { threadTs: ts });
    expect(other.decision).toBe('filed');
    expect(other.issueId).not.toBe(id);
    expect(await theIssue(d.store, other.issueId ?? '')).toMatchObject({ threadTs: ts });
  });
});

describe('an acknowledgement', () => {
  const note = 'Acknowledged by Ada';

  it('is noted on the card of its alert’s open issue, and is no alert', async () => {
    await using d = await deciding();
    const { id } = await filed(d);
    expect(await d.alert({ kind: 'not_an_alert' }, { note })).toMatchObject({
      decision: 'not_an_alert',
      reason: 'an update of an alert; noted on its card',
      issueId: id,
    });
    const issue = await theIssue(d.store, id);
    expect(issue).toMatchObject({ repeats: 0, recoveredAt: null });
    expect(JSON.parse(issue.note ?? '{}')).toEqual({ text: note, at: d.clock.now(), channel: 'C1' });
    expect(await intent(d.store, `card:${id}`)).toBe('due');
  });

  it('shown by an edit leaves on record what the message was filed as', async () => {
    await using d = await deciding();
    const { ts, id } = await filed(d);
    await d.alert({ kind: 'not_an_alert' }, { note, ts, edited: true });
    expect(await d.store.alerts.find('C1', ts)).toMatchObject({ decision: 'filed', issueId: id });
    expect(JSON.parse((await theIssue(d.store, id)).note ?? '{}')).toMatchObject({ text: note });
  });

  it('of what is not filed, or by a person, changes nothing', async () => {
    await using d = await deciding();
    expect(await d.alert({ kind: 'not_an_alert' }, { note })).toMatchObject({ issueId: null });
    const { id } = await filed(d);
    await d.alert({ kind: 'not_an_alert' }, { note, byPerson: true });
    expect(await theIssue(d.store, id)).toMatchObject({ note: null });
  });
});

describe('an escalation', () => {
  it('raises the severity that is shown, by another message or by an edit; nothing lowers it', async () => {
    await using d = await deciding();
    const { ts, id } = await filed(d);
    await d.alert({ severity: 'low' });
    expect(await theIssue(d.store, id)).toMatchObject({
      severity: 'medium',
      raisedSeverity: null,
      repeats: 1,
    });
    const edit = await d.alert({ severity: 'high' }, { ts, edited: true });
    expect(edit).toMatchObject({ decision: 'filed', issueId: id });
    expect(await theIssue(d.store, id)).toMatchObject({ raisedSeverity: 'high', repeats: 1 });
    await d.alert({ severity: 'medium' });
    expect(await theIssue(d.store, id)).toMatchObject({ raisedSeverity: 'high', repeats: 2 });
  });
});
