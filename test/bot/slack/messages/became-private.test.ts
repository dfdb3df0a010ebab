import { expect, it, onTestFinished } from 'vitest';
import { digestIntent } from '../../../../src/bot/store/intents/channel-intents.ts';
import {
  resultIntent,
  shortCardIntent,
  writeupIntent,
} from '../../../../src/bot/store/intents/issue-intents.ts';
import { type OutboxKey, shortCardKey, verdictKey } from '../../../../src/bot/store/intents/keys.ts';
import type { Store } from '../../../../src/bot/store/open.ts';
import { anAlert } from '../../../support/an-alert.ts';
import { addCreated } from '../../../support/issues.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { messagesOf } from '../support/messages-of.ts';
import { mayReadOf } from '../support/reading.ts';

const HOME = 'C0ZEBRA001';
const ELSEWHERE = 'C0ELSEWHERE';
const RESULTS = {
  rootCause: { rootCauseSummary: 'The pool is full.', incidentOverview: 'The house is on fire.' },
  causalTreeV2: { nodes: [{ id: 'a', nodeType: 'cause', title: 'Pool' }], edges: [] },
};
const HOUR = 3_600_000;

/**
 * Three issues of one cause: of HOME an open one, whose results the one of ELSEWHERE refers to, and one that is over. All was
 * public when it was stored; what Slack says of HOME since then is `isPrivate`.
 */
async function waiting(isPrivate: boolean) {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  const now = clock.now();
  for (const channel of [HOME, ELSEWHERE]) await store.channels.learn(channel, false);
  const of = (id: string, number: number, channel: string, change = {}) =>
    addCreated(store, now - HOUR, { id, identity: `${id}@production`, number, channel, ...change });
  await of('past', 11, HOME, { title: 'Zebra past', createdAt: now - 3 * HOUR });
  await store.issues.rewrite('past', {
    status: 'resolved',
    isOpen: false,
    cause: 'pool',
    statusSince: now - 2 * HOUR,
  });
  await of('first', 12, HOME, { title: 'Zebra first' });
  await of('other', 13, ELSEWHERE, { title: 'Lion' });
  for (const id of ['first', 'other']) {
    await store.issues.rewrite(id, { endedVersion: 1, version: 1, status: 'ready_to_fix', cause: 'pool' });
    await store.results.save(id, 1, JSON.stringify(RESULTS), now);
  }
  await store.issues.rewrite('other', { symptomOf: 'first' });
  const note = { text: 'Acknowledged by the zebra keeper', at: now, channel: HOME };
  await store.issues.rewrite('other', { note: JSON.stringify(note) });
  const mayRead = mayReadOf({ store, clock, isPrivateChannel: async (one) => isPrivate && one === HOME });
  const contentOf = messagesOf({ store, clock, mayRead });
  await store.alerts.record({
    ...alert,
    ...{ decision: 'repeat', reason: 'it fired again', kind: 'firing', format: 'alertmanager' },
    ...{ fingerprint: 'f', identity: 'f@production', detail: null, sender: 'Tool', issueId: 'first' },
    ...{ alert: JSON.stringify(anAlert()), decidedAt: now, holdId: null, outcome: null },
  });
  return { store, now, contentOf };
}

const place = { id: 'other', channel: ELSEWHERE, threadTs: '1.0' };
const alert = { channel: ELSEWHERE, ts: '2.0', threadTs: null };
const shortCard = shortCardKey('first', alert);

/** Every intent that may say in one channel what was said in another. A new one gets a line, and what makes it wait. */
const INTENTS: Record<string, (store: Store, now: number) => Promise<OutboxKey>> = {
  'a card: what was seen before, whose results are the same, what a tool said': async () => 'card:other',
  'the line that results are the same': async (store, now) => {
    const intent = resultIntent(place, 1, now);
    await store.outbox.want(intent);
    return intent.key;
  },
  'a write-up': async (store, now) => {
    const intent = writeupIntent(place, 'press', now);
    await store.outbox.want(intent);
    return intent.key;
  },
  'a short card': async (store, now) => {
    const intent = shortCardIntent('first', alert, now);
    await store.outbox.want(intent);
    return intent.key;
  },
  'a verdict in a second channel': async (store, now) => {
    await store.outbox.want(shortCardIntent('first', alert, now));
    await store.outbox.recordSent(shortCard, '[{"ts":"9.000000","hash":""}]');
    await store.outbox.wantVerdicts('first', 1, now);
    return verdictKey(shortCard, 1);
  },
  'a digest': async (store, now) => {
    const intent = digestIntent(ELSEWHERE, { since: 0, until: now, due: now, by: null });
    await store.outbox.want(intent);
    return intent.key;
  },
};

/** What is said where the intent is carried out, in which another channel's words would be seen. */
async function said(intent: (typeof INTENTS)[string], isPrivate: boolean): Promise<string> {
  const { store, now, contentOf } = await waiting(isPrivate);
  const row = await store.outbox.get(await intent(store, now));
  if (row === null) throw new Error('nothing waits');
  const content = await contentOf(row);
  if (content.kind === 'file') return new TextDecoder().decode(content.bytes);
  return JSON.stringify(content);
}

it.each(Object.entries(INTENTS))(
  'what waited while its channel became private is not said in another: %s',
  async (_what, intent) => {
    expect(await said(intent, true)).not.toMatch(/zebra|Seen once/iu);
  },
);

it('all but a digest, which is of its own channel alone, would say it of a public one', async () => {
  const silent: string[] = [];
  for (const [what, intent] of Object.entries(INTENTS)) {
    if (!/zebra/iu.test(await said(intent, false))) silent.push(what);
  }
  expect(silent).toEqual(['a digest']);
});
