import { describe, expect, it, onTestFinished } from 'vitest';
import { addCreated, newIssue, uuidOf } from '../../../support/issues.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { messagesOf } from '../support/messages-of.ts';

const NOW = Date.parse('2026-03-17T12:00:00Z');

/** The Work Object of the card of `issue-1`, posted in `channel`. */
async function entityOn({ workObjects = true, channel = 'C1', isFiled = true, isGone = false } = {}) {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  if (isFiled) await addCreated(store, NOW - 60_000, { number: 12 });
  else await store.issues.add(newIssue({ createdAt: NOW - 60_000 }));
  if (isGone) await store.issues.rewrite('issue-1', { state: 'gone' });
  const contentOf = messagesOf({
    store,
    clock,
    workObjects,
  });
  const key = 'card:elsewhere';
  const payload = { requester: 'U1' };
  await store.outbox.want({
    key,
    kind: 'card',
    issueId: 'issue-1',
    channel,
    threadTs: '1.0',
    payload,
    at: NOW,
  });
  const row = await store.outbox.get(key);
  const content = row && (await contentOf(row));
  if (content?.kind !== 'messages') throw new Error('a card is a message');
  return content.parts[0]?.entity;
}

describe('the Work Object of a card', () => {
  it('is there where they are switched on, under the id that the issue has at the service', async () => {
    expect(await entityOn()).toMatchObject({
      external_ref: { id: uuidOf(12) },
      url: 'https://acme.slack.com/archives/C1/p10',
    });
    expect(await entityOn({ workObjects: false })).toBeUndefined();
  });

  it('waits until the issue has that id, and goes with the issue', async () => {
    expect(await entityOn({ isFiled: false })).toBeNull();
    expect(await entityOn({ isGone: true })).toBeNull();
  });

  it('stands in no channel but the one where the issue lives', async () => {
    expect(await entityOn({ channel: 'C2' })).toBeNull();
  });
});
