import { describe, expect, it } from 'vitest';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { theIssue } from '../../support/issues.ts';
import { toolMessage } from '../alerts/fixtures.ts';

const say = (d: Deciding, text: string, sender = 'Watcher') =>
  d.alert(parseAlert(toolMessage({ text })), { sender });

describe('a recovery in other words than its alert', () => {
  it('ends the open issue of its sender that both name', async () => {
    await using d = await deciding();
    const other = await say(d, 'FIRING: certificate of shop-1 expires\nRegion: eu-west-1');
    const { issueId } = await say(d, 'FIRING: backup of orders-db\nRegion: eu-west-1');
    expect(await say(d, 'RESOLVED: backup of orders-db')).toMatchObject({ decision: 'recovered', issueId });
    expect(await theIssue(d.store, other.issueId ?? '')).toMatchObject({ recoveredAt: null });
  });

  it('of another sender ends nothing', async () => {
    await using d = await deciding();
    const { issueId } = await say(d, 'FIRING: backup of orders-db\nRegion: eu-west-1');
    expect(await say(d, 'RESOLVED: backup of orders-db', 'Somebody else')).toMatchObject({
      decision: 'ignored',
    });
    expect(await theIssue(d.store, issueId ?? '')).toMatchObject({ recoveredAt: null });
  });

  it('that could be of two ends neither, and the decision says why', async () => {
    await using d = await deciding();
    await say(d, 'FIRING: replication lag\nHost: db-1');
    await say(d, 'FIRING: replication lag\nHost: db-2');
    expect(await say(d, 'RESOLVED: replication lag')).toMatchObject({
      decision: 'ignored',
      reason: { code: 'ambiguous_recovery', count: 2 },
    });
  });

  it('is not taken for another, once an alert of its own was received', async () => {
    await using d = await deciding();
    await say(d, 'FIRING: disk sda of the store');
    await say(d, 'RESOLVED: disk sda of the store');
    const { issueId } = await say(d, 'FIRING: disk sdb of the store');
    await say(d, 'RESOLVED: disk sda of the store');
    expect(await theIssue(d.store, issueId ?? '')).toMatchObject({ recoveredAt: null });
  });
});

describe('a flood', () => {
  it('of 150 problems and their recoveries ends with nothing open and nothing held', async () => {
    await using d = await deciding();
    for (let at = 0; at < 150; at += 1) await say(d, `FIRING: queue of tenant-${at} is stuck`);
    for (let at = 0; at < 150; at += 1) await say(d, `RESOLVED: queue of tenant-${at} drains`);
    expect(await d.execute(`select id from issues where is_open and recovered_at is null`)).toStrictEqual([]);
    expect(
      await d.execute(`select id from alerts where decision = 'held' and outcome is null`),
    ).toStrictEqual([]);
  });
});
