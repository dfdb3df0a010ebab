import { describe, expect, it } from 'vitest';
import { alertIntent } from '../../../src/bot/store/intents/channel-intents.ts';
import { cardIntent } from '../../../src/bot/store/intents/issue-intents.ts';
import { anIntent } from '../../support/intents.ts';
import { newIssue } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const HOUR = 3_600_000;
const NOW = 100 * HOUR;

/** Postpones something of each kind for a minute, by a clock that says this. */
async function postponed(at: number) {
  const opened = await openTestStore();
  const { store } = opened;
  const next = at + 60_000;
  await store.inbox.add([{ key: 'delivery', body: '{}', receivedAt: at }]);
  await store.inbox.failed('delivery', 'no', next);
  await store.webhooks.add({ source: 'grafana', body: '{}', headers: {}, at });
  const [webhook] = await store.webhooks.open(at, 1);
  await store.webhooks.failed(webhook?.id ?? '', 'no', next);
  const received = { source: 'grafana', tool: 'Grafana', identity: 'a', reading: '{}', receivedAt: at };
  await store.receivedAlerts.add({ ...received, id: 'received', state: 'waiting', channel: 'C1', ts: '1.1' });
  await store.receivedAlerts.postpone('received', next);
  await store.outbox.want(anIntent({ key: 'card:k', at }));
  await store.outbox.postpone('card:k', next, 'no');
  await store.issues.add(newIssue());
  await store.issues.rewrite('issue-1', { nextAt: next });
  await store.artifacts.want('issue-1', ['a']);
  await store.artifacts.again('issue-1', 'a', next);
  return opened;
}

describe('what is postponed', () => {
  it.each([
    ['waits as long as it should', 0, [0, 0, 0, 0, 0, 0]],
    ['does not wait for a clock that was an hour ahead, and has been corrected', HOUR, [1, 1, 1, 1, 1, 1]],
  ])('%s', async (_what, aheadMs, expected) => {
    await using opened = await postponed(NOW + aheadMs);
    const { inbox, webhooks, receivedAlerts, outbox, issues, artifacts } = opened.store;
    const due = await Promise.all([
      inbox.open(NOW, { most: 9 }),
      webhooks.open(NOW, 9),
      receivedAlerts.due(NOW, 9),
      outbox.due(NOW, 9),
      issues.pending(NOW, 9),
      artifacts.due(NOW, 9),
    ]);
    expect(due.map((rows) => rows.length)).toEqual(expected);
  });

  it('is due at once where somebody asked for it, even by a clock that is a minute ahead', async () => {
    await using opened = await openTestStore();
    const { outbox, issues } = opened.store;
    await outbox.want(anIntent({ key: 'card:k', at: NOW + 60_000 }));
    await issues.add(newIssue({ createdAt: NOW + 60_000 }));
    const due = await Promise.all([outbox.due(NOW, 9), issues.pending(NOW, 9)]);
    expect(due.map((rows) => rows.length)).toEqual([1, 1]);
  });
});

describe('a flood', () => {
  it('in one channel does not delay the issue of another one', async () => {
    await using opened = await openTestStore();
    const { issues } = opened.store;
    for (let n = 0; n < 50; n += 1) {
      await issues.add(newIssue({ id: `flood-${n}`, identity: `flood-${n}`, channel: 'C1', createdAt: n }));
    }
    await issues.add(newIssue({ id: 'other', identity: 'other', channel: 'C2', createdAt: 99 }));
    expect((await issues.pending(NOW, 3)).map(({ id }) => id)).toEqual(['flood-0', 'other', 'flood-1']);
  });

  it('of one tool does not delay what another one sends, and each is handled in order', async () => {
    await using opened = await openTestStore();
    const { webhooks, receivedAlerts } = opened.store;
    for (let n = 0; n < 50; n += 1) {
      await webhooks.add({ source: 'loud', body: `${n}`, headers: {}, at: n });
      const received = { source: 'loud', tool: 'Loud', identity: null, reading: '{}', receivedAt: n };
      const id = String(n).padStart(2, '0');
      await receivedAlerts.add({ ...received, id, state: 'waiting', channel: 'C1', ts: '1.1' });
    }
    await webhooks.add({ source: 'quiet', body: 'quiet', headers: {}, at: 99 });
    const received = { source: 'quiet', tool: 'Quiet', identity: null, reading: '{}', receivedAt: 99 };
    await receivedAlerts.add({ ...received, id: 'quiet', state: 'waiting', channel: 'C2', ts: '1.1' });
    expect((await webhooks.open(NOW, 3)).map(({ body }) => body).sort()).toEqual(['0', '1', 'quiet']);
    expect((await receivedAlerts.due(NOW, 3)).map(({ id }) => id).sort()).toEqual(['00', '01', 'quiet']);
  });

  it('of alerts by webhook does not delay the cards of those that were posted', async () => {
    await using opened = await openTestStore();
    const { outbox } = opened.store;
    for (let n = 0; n < 50; n += 1) {
      await outbox.want(alertIntent(`flood-${n}`, 'C1', NOW + n, NOW + n));
    }
    const card = { id: 'issue-1', channel: 'C1', threadTs: '1.0', requestedBy: null };
    await opened.store.issues.add(newIssue());
    await outbox.want(cardIntent(card, NOW + 60));
    expect((await outbox.due(NOW, 2)).map(({ key }) => key)).toEqual(['card:issue-1', 'alert:flood-0']);
  });
});
