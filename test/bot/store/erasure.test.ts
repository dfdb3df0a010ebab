import { expect, it } from 'vitest';
import { ask } from '../../../src/bot/asking/ask.ts';
import { stopListening } from '../../../src/bot/asking/stop.ts';
import { addCreated } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const HOUR = 60 * 60_000;

it('with an issue goes what was asked in its thread, and what was said of that', async () => {
  await using opened = await openTestStore();
  const { store, clock } = opened;
  await addCreated(store, 1);
  const issue = await store.issues.get('issue-1');
  const options = { store, clock, askPerUserHour: 9, askPerChannelHour: 9 };
  for (const [id, threadTs] of [
    ['here', '1.0'],
    ['elsewhere', '2.0'],
  ] as const) {
    const asked = { channel: 'C1', threadTs, asker: 'U1', text: 'why?' };
    await ask({ ...asked, id }, options);
    await ask({ ...asked, id: `late ${id}`, writtenAt: clock.now() - 2 * HOUR }, options);
    await stopListening(
      id,
      { who: 'U1', cause: `press ${id}`, moment: { ts: null, receivedAt: 1 } },
      options,
    );
  }
  if (issue) await store.erasure.ofIssue(issue);
  const left = async (place: string) => [
    (await store.conversations.get(place))?.id,
    (await store.questions.get(`late ${place}`))?.state,
    (await store.outbox.get(`answer:${place}`))?.kind,
    (await store.outbox.get(`late:late ${place}`))?.kind,
    (await store.outbox.get(`not_listening:press ${place}`))?.kind,
  ];
  expect(await left('here')).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect(await left('elsewhere')).toEqual(['elsewhere', 'late', 'answer', 'aside', 'aside']);
});
