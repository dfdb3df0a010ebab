import { describe, expect, it } from 'vitest';
import { addCreated } from '../../support/issues.ts';
import { asking } from './support.ts';

const HOUR = 60 * 60_000;

describe('asking', () => {
  it('queues the question, and wants the message that will bear the answer', async () => {
    await using test = await asking();
    await test.ask('C1:2.0');
    expect(await test.store.questions.get('C1:2.0')).toMatchObject({
      conversation: 'C1:2.0',
      asker: 'U1',
      text: 'about C1:2.0',
      state: 'queued',
    });
    expect(await test.store.outbox.get('answer:C1:2.0')).toMatchObject({
      kind: 'answer',
      channel: 'C1',
      threadTs: '1.0',
      questionId: 'C1:2.0',
      payload: '{"requester":"U1"}',
    });
  });

  it('is once, though a message and a mention bring the same question', async () => {
    await using test = await asking();
    await Promise.all([test.ask('C1:2.0'), test.ask('C1:2.0')]);
    expect(await test.store.questions.next(9)).toHaveLength(1);
    expect(await test.store.outbox.get('answer:C1:2.0')).toMatchObject({ wanted: 1 });
  });

  it('is in the order of writing, though one who wrote first may be heard a moment later', async () => {
    await using test = await asking();
    const now = test.opened.clock.now();
    await test.ask('X', { writtenAt: now - 10_001 });
    await test.ask('Y', { writtenAt: now - 50 });
    await test.ask('Z', { writtenAt: now - 100 });
    await test.opened.clock.sleep(1);
    await test.ask('W', { writtenAt: now + 60_000 });
    await test.opened.clock.sleep(1);
    await test.ask('V');
    const order: string[] = [];
    for (
      let [first] = await test.store.questions.next(1);
      first;
      [first] = await test.store.questions.next(1)
    ) {
      order.push(first.id);
      await test.store.questions.update(first.id, { state: 'complete' }, now);
    }
    expect(order).toEqual(['Z', 'Y', 'X', 'W', 'V']);
  });

  it('in an issue’s thread starts a conversation about that issue', async () => {
    await using test = await asking();
    await addCreated(test.store, 1);
    await test.ask('q1');
    await test.ask('q2', { threadTs: '2.0' });
    expect(await test.store.conversations.get('q1')).toMatchObject({ issueId: 'issue-1', startedBy: 'U1' });
    expect(await test.store.conversations.get('q2')).toMatchObject({ issueId: null });
  });

  it('by command starts a conversation each time', async () => {
    await using test = await asking();
    await test.ask('command-1', { threadTs: null });
    await test.ask('command-2', { threadTs: null });
    expect(await test.store.questions.get('command-2')).toMatchObject({ conversation: 'command-2' });
  });
});

describe('the ceilings', () => {
  it('refuse a person’s further questions within the hour, in words, where the answer would stand', async () => {
    await using test = await asking();
    await test.ask('q1', {}, { askPerUserHour: 2 });
    await test.ask('q2', { threadTs: '2.0', channel: 'C2' }, { askPerUserHour: 2 });
    await test.ask('q3', {}, { askPerUserHour: 2 });
    expect(await test.store.questions.get('q3')).toMatchObject({
      state: 'failed',
      note: 'You have asked 2 questions in the last hour, the limit per person (ASK_PER_USER_HOUR). Try again in 60 minutes.',
    });
    expect(await test.store.outbox.get('answer:q3')).toMatchObject({ state: 'due' });
  });

  it('do not count against others, nor after the hour', async () => {
    await using test = await asking();
    await test.ask('q1', {}, { askPerUserHour: 1 });
    await test.ask('q2', { asker: 'U2' }, { askPerUserHour: 1 });
    expect(await test.store.questions.get('q2')).toMatchObject({ state: 'queued' });
    await test.opened.clock.sleep(HOUR);
    await test.ask('q3', {}, { askPerUserHour: 1 });
    expect(await test.store.questions.get('q3')).toMatchObject({ state: 'queued' });
  });

  it('hold for a channel, whoever asks there', async () => {
    await using test = await asking();
    await test.ask('q1', { asker: 'U1' }, { askPerChannelHour: 2 });
    await test.ask('q2', { asker: 'U2', threadTs: '2.0' }, { askPerChannelHour: 2 });
    await test.ask('q3', { asker: 'U3', threadTs: '3.0' }, { askPerChannelHour: 2 });
    await test.ask('q4', { asker: 'U3', channel: 'C2' }, { askPerChannelHour: 2 });
    expect(await test.store.questions.get('q3')).toMatchObject({
      state: 'failed',
      note: '2 questions were asked here in the last hour, the limit per channel (ASK_PER_CHANNEL_HOUR). Try again in 60 minutes.',
    });
    expect(await test.store.questions.get('q4')).toMatchObject({ state: 'queued' });
  });

  it('do not count what was refused', async () => {
    await using test = await asking();
    for (const id of ['q1', 'q2', 'q3']) await test.ask(id, {}, { askPerUserHour: 1 });
    const now = test.opened.clock.now();
    expect(await test.store.questions.countBy('U1', now - HOUR)).toBe(1);
  });
});
