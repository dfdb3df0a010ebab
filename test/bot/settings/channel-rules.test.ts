import { describe, expect, it } from 'vitest';
import { deciding } from '../../support/deciding.ts';
import { theIssue } from '../../support/issues.ts';

describe('a channel’s patterns', () => {
  it('leave out what is excluded, and say by which', async () => {
    await using d = await deciding();
    await d.settings({ exclude: ['staging', '/^disk/'] });
    expect(await d.alert({ title: 'Disk is full' })).toMatchObject({
      decision: 'ignored',
      reason: { code: 'excluded', pattern: '/^disk/' },
      issueId: null,
    });
    expect(await d.alert({ title: 'CPU is high' })).toMatchObject({ decision: 'filed' });
  });

  it('let in only what is included, where there is anything to include', async () => {
    await using d = await deciding();
    await d.settings({ include: ['checkout'] });
    expect(await d.alert({ title: 'CPU is high', service: 'Checkout-api' })).toMatchObject({
      decision: 'filed',
    });
    expect(await d.alert({ fingerprint: 'b', title: 'CPU is high' })).toMatchObject({
      decision: 'ignored',
      reason: 'not_included',
    });
  });

  it.each<[string, { sender?: string; format?: string }, string]>([
    ['the sender', { sender: 'Prometheus (eu)' }, 'prometheus (eu)'],
    ['the tool', {}, 'Alertmanager'],
    ['a tag', {}, 'team:core'],
    ['the tool as people call it', { format: 'uptime-kuma' }, 'uptime kuma'],
  ])('look at %s too', async (_what, { format = 'alertmanager', ...seen }, exclude) => {
    await using d = await deciding();
    await d.settings({ exclude: [exclude] });
    expect(await d.alert({ tags: ['team:core'], format }, { sender: 'Bot', ...seen })).toMatchObject({
      decision: 'ignored',
    });
  });

  it('do not hide that an alert recovered which is open already', async () => {
    await using d = await deciding();
    const filed = await d.alert();
    await d.settings({ exclude: ['cpu'] });
    expect(await d.alert()).toMatchObject({ decision: 'ignored' });
    expect(await d.alert({ kind: 'resolved' })).toMatchObject({
      decision: 'recovered',
      issueId: filed.issueId,
    });
  });
});

describe('a channel’s minimum severity', () => {
  it('leaves out what is below it, a stated one or the channel’s default', async () => {
    await using d = await deciding();
    await d.settings({ minimumSeverity: 'high' });
    for (const severity of ['low', 'medium', null] as const) {
      expect(await d.alert({ severity })).toMatchObject({
        decision: 'ignored',
        reason: { code: 'below_minimum', severity: severity ?? 'medium', minimum: 'high' },
      });
    }
    expect(await d.alert({ severity: 'high' })).toMatchObject({ decision: 'filed' });
  });

  it('counts an alert that was filed and grew less severe', async () => {
    await using d = await deciding();
    await d.settings({ minimumSeverity: 'high' });
    await d.alert({ severity: 'high' });
    expect(await d.alert({ severity: 'low' })).toMatchObject({ decision: 'repeat' });
  });
});

describe('a channel’s defaults', () => {
  it('stand in for the environment and the severity that a message does not state', async () => {
    await using d = await deciding();
    await d.settings({ environment: 'stg', defaultSeverity: 'high' });
    const { issueId } = await d.alert();
    const issue = await theIssue(d.store, issueId ?? '');
    expect(issue).toMatchObject({ environment: 'staging', severity: 'high', identity: 'cpu@staging' });
    expect(JSON.parse(issue.request)).toMatchObject({ environment: 'staging', severity: 'high' });
    expect(await d.alert({ environment: 'prod', severity: 'low', fingerprint: 'cpu' })).toMatchObject({
      decision: 'filed',
    });
  });

  it('differ from channel to channel, and so does what is the same problem', async () => {
    await using d = await deciding();
    await d.settings({ environment: 'staging' }, 'C1');
    await d.settings({}, 'C2');
    expect(await d.alert()).toMatchObject({ decision: 'filed' });
    expect(await d.alert({}, { channel: 'C2' })).toMatchObject({ decision: 'filed' });
    expect(await d.alert({ environment: 'stage' }, { channel: 'C2' })).toMatchObject({ decision: 'repeat' });
  });
});

describe('people’s reports', () => {
  it('are filed by themselves where the channel includes people', async () => {
    await using d = await deciding();
    const report = { format: 'generic', title: 'checkout is down' };
    expect(await d.alert(report, { byPerson: true })).toMatchObject({
      decision: 'ignored',
      offerToAuthor: true,
    });
    await d.settings({ people: true });
    const other = await d.alert(report, { byPerson: true });
    expect(other.decision).toBe('filed');
    expect(other).not.toHaveProperty('offerToAuthor');
  });

  it('never recover anything: “fixed” may mean anything', async () => {
    await using d = await deciding();
    await d.settings({ people: true });
    await d.alert();
    expect(await d.alert({ kind: 'resolved' }, { byPerson: true })).toMatchObject({ decision: 'ignored' });
  });
});
