import { describe, expect, it } from 'vitest';
import { webhookFormatNamed } from '../../../src/bot/alerts/formats/index.ts';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import { attach, splitIssue } from '../../../src/bot/filing/split-attach.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { toolMessage } from '../alerts/fixtures.ts';

const say = (d: Deciding, text: string) => d.alert(parseAlert(toolMessage({ text })), { sender: 'Watcher' });
const slow = (shard: string, top: string, revision = '1.2') =>
  `FIRING: query is slow\nShard: ${shard}\nTop process: ${top}\nRevision: ${revision}`;

/** Says that the second alert is of the first one's issue. */
async function joined(d: Deciding, one: string, other: string): Promise<string> {
  const first = (await say(d, one)).issueId ?? '';
  const second = (await say(d, other)).issueId ?? '';
  expect(second).not.toBe(first);
  await d.store.issues.rewrite(first, { number: 1 });
  expect(await attach({ issueId: second, number: 1, by: 'U1' }, d)).toBeNull();
  return first;
}

async function apart(d: Deciding, one: string, other: string): Promise<{ first: string; second: string }> {
  const first = (await say(d, one)).issueId ?? '';
  const repeat = await say(d, other);
  expect(repeat).toMatchObject({ decision: 'repeat', issueId: first });
  const wish = { issueId: first, channel: 'C1', ts: repeat.ts, permalink: null, by: 'U1', cause: 'press' };
  const second = String(await splitIssue(wish, { ...d.options, store: d.store }));
  return { first, second };
}

describe('somebody who says that two alerts are the same problem', () => {
  it('teaches which value does not tell alerts of that sender apart, so the third is not split again', async () => {
    await using d = await deciding();
    const issueId = await joined(d, slow('eu', 'java'), slow('eu', 'postgres'));
    expect(await say(d, slow('eu', 'nginx'))).toMatchObject({ decision: 'repeat', issueId });
    expect(await say(d, slow('us', 'nginx'))).toMatchObject({ decision: 'filed' });
  });

  it('can take it back by saying that they are two', async () => {
    await using d = await deciding();
    const first = await joined(d, slow('eu', 'java'), slow('eu', 'postgres'));
    const repeat = await say(d, slow('eu', 'nginx'));
    const wish = { issueId: first, channel: 'C1', ts: repeat.ts, permalink: null, by: 'U1', cause: 'press' };
    await splitIssue(wish, { ...d.options, store: d.store });
    expect(await say(d, slow('eu', 'ruby'))).toMatchObject({ decision: 'filed' });
  });

  it('teaches it also where the alerts state an identity', async () => {
    await using d = await deciding();
    const say = (pod: string) => {
      const payload = { dedup_key: 'abc', status: 'firing', title: 'Cart is slow', worker: pod };
      const reading = webhookFormatNamed('generic')?.read(payload, {});
      if (reading?.kind !== 'alerts' || reading.alerts[0] === undefined) throw new Error('no alert');
      return d.alert(reading.alerts[0].alert, { sender: 'Watcher' });
    };
    const first = (await say('anna')).issueId ?? '';
    const second = (await say('bert')).issueId ?? '';
    await d.store.issues.rewrite(first, { number: 1 });
    expect(await attach({ issueId: second, number: 1, by: 'U1' }, d)).toBeNull();
    expect(await say('carl')).toMatchObject({ decision: 'repeat', issueId: first });
  });

  it('is in the audit log', async () => {
    await using d = await deciding();
    await joined(d, slow('eu', 'java'), slow('eu', 'postgres'));
    const [entry] = await d.execute(`select what from audit where what like 'taught%'`);
    expect(entry?.what).toBe('taught that “top process” does not tell alerts of this sender apart');
  });
});

describe('somebody who says that two alerts are two problems', () => {
  it('teaches which value that was left out tells alerts of that sender apart; open issues keep theirs', async () => {
    await using d = await deciding();
    const { first, second } = await apart(d, slow('eu', 'java', 'alpha'), slow('eu', 'java', 'beta'));
    expect(await say(d, slow('eu', 'java', 'alpha'))).toMatchObject({ decision: 'repeat', issueId: first });
    expect(await say(d, slow('eu', 'java', 'beta'))).toMatchObject({ decision: 'repeat', issueId: second });
    expect(await say(d, slow('eu', 'java', 'gamma'))).toMatchObject({ decision: 'filed' });
  });
});
