import { expect, it, onTestFinished } from 'vitest';
import type { MayRead } from '../../../../src/bot/slack/access/may-read.ts';
import { lookedAt } from '../../../../src/bot/slack/agent-context/agent-context.ts';
import { anAlert } from '../../../support/an-alert.ts';
import { addCreated } from '../../../support/issues.ts';
import { openTestStore } from '../../../support/open-test-store.ts';

const DM = { channel: 'D1' };

/** Two open issues of C1 and one of C2, of which the second is the newest of C1. */
async function shop(sees: readonly string[] = ['C1', 'C2']) {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  for (const [at, channel] of ['C1', 'C1', 'C2'].entries()) {
    const number = at + 1;
    const id = `issue-${number}`;
    await addCreated(store, clock.now() + number, {
      id,
      number,
      identity: id,
      channel,
      threadTs: `${number}.0`,
    });
  }
  const mayRead: MayRead = async (_reader, what) => 'channel' in what && sees.includes(what.channel);
  /** The number of the issue that a person in D1 looks at. */
  const look = async (looking: object | null, place = DM) => {
    const question = { asker: 'U1', lookingAt: looking && JSON.stringify(looking) };
    return (await lookedAt(place, question, { store, mayRead }))?.number ?? null;
  };
  return { store, clock, look };
}

it('is the newest open issue of the channel', async () => {
  const { store, look } = await shop();
  expect(await look({ channel: 'C1', messageTs: null })).toBe(2);
  await store.issues.rewrite('issue-2', { status: 'resolved' });
  expect(await look({ channel: 'C1', messageTs: null })).toBe(1);
});

it('is the issue of the message, and of no other where it has none', async () => {
  const { store, clock, look } = await shop();
  expect(await look({ channel: 'C1', messageTs: '1.0' })).toBe(1);
  expect(await look({ channel: 'C1', messageTs: '9.0' })).toBe(null);
  await store.alerts.record(repeatIn('C1', '9.0', 'issue-3', clock.now()));
  expect(await look({ channel: 'C1', messageTs: '9.0' })).toBe(3);
});

it('is nothing of a channel that the person may not see, nor of an issue that lives in one', async () => {
  const { store, clock, look } = await shop(['C1']);
  expect(await look({ channel: 'C2', messageTs: null })).toBe(null);
  await store.alerts.record(repeatIn('C1', '9.0', 'issue-3', clock.now()));
  expect(await look({ channel: 'C1', messageTs: '9.0' })).toBe(null);
});

it.each([null, { channel: 7 }, { channel: 'C9', messageTs: null }])('is nothing for %j', async (looking) => {
  const { look } = await shop();
  expect(await look(looking)).toBe(null);
});

it('is nothing in a channel, where others read the answer', async () => {
  const { look } = await shop();
  expect(await look({ channel: 'C1', messageTs: null }, { channel: 'C1' })).toBe(null);
});

function repeatIn(channel: string, ts: string, issueId: string, decidedAt: number) {
  return {
    channel,
    ts,
    decision: 'repeat' as const,
    reason: 'r',
    kind: 'firing',
    format: 'generic',
    fingerprint: 'fp',
    issueId,
    alert: JSON.stringify(anAlert()),
    decidedAt,
    identity: 'fp@production',
    detail: null,
    threadTs: null,
    sender: null,
    holdId: null,
    outcome: null,
  };
}
