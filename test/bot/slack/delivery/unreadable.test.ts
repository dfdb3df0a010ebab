import { describe, expect, it } from 'vitest';
import { addCreated } from '../../../support/issues.ts';
import { CHANNEL, type Delivering, delivering, inThread, KEY, ROOT } from '../support/delivering.ts';
import { messagesOf } from '../support/messages-of.ts';

/** The outbox with the words that the program has for its intents. */
async function saying(): Promise<Delivering> {
  const d = await delivering();
  d.options.contentOf = messagesOf({
    store: d.store,
    clock: d.clock,
  });
  return d;
}

async function tryLong(d: Delivering): Promise<void> {
  for (let tries = 0; tries < 25; tries += 1) await d.after(60_000);
}

describe('a message of which what is kept cannot be read', () => {
  it('is given up after a while, and its thread is told once, however many there are', async () => {
    const d = await saying();
    await addCreated(d.store, d.clock.now(), { channel: CHANNEL, threadTs: ROOT });
    const damaged = { kind: 'result', issueId: 'issue-1', threadTs: null, payload: '{"vers' } as const;
    await d.want({ key: 'result:1', ...damaged });
    await d.want({ key: 'result:2', ...damaged });
    await tryLong(d);
    expect([(await d.row('result:1')).state, (await d.row('result:2')).state]).toEqual(['dead', 'dead']);
    expect(d.slack.messages()).toEqual([
      expect.objectContaining({
        thread_ts: ROOT,
        text: expect.stringMatching(/I cannot read the data stored .*npm run doctor/u),
      }),
    ]);
    const { length } = d.slack.calls;
    await tryLong(d);
    expect(d.slack.calls).toHaveLength(length);
  });

  it('is not told of where it is an emoji', async () => {
    const d = await saying();
    await d.want({ key: 'reaction:1', kind: 'reaction', payload: '{' });
    await tryLong(d);
    expect((await d.row('reaction:1')).state).toBe('dead');
    expect(d.slack.messages()).toEqual([]);
  });

  it('keeps no other from being said', async () => {
    const d = await saying();
    await addCreated(d.store, d.clock.now(), { channel: CHANNEL, threadTs: ROOT });
    await d.want({ key: 'result:1', kind: 'result', issueId: 'issue-1', payload: '{' });
    await d.want({ key: 'notice:1', kind: 'notice', issueId: 'issue-1', payload: '{"notice":"slow"}' });
    await d.work();
    expect(d.slack.messages()).toHaveLength(1);
    expect((await d.row('notice:1')).state).toBe('idle');
  });

  it('ends where Slack refuses it and nobody knows any more whom to tell instead', async () => {
    const d = await delivering();
    d.slack.next('chat.postMessage', { error: 'invalid_arguments' });
    await d.want({ payload: '{"requester":' });
    await d.work();
    expect(await d.row()).toMatchObject({ state: 'dead', error: 'invalid_arguments' });
  });
});

describe('a message of which is not known any more what stands in Slack', () => {
  it('is looked for by its key, part for part, and none stands twice', async () => {
    const d = await delivering();
    d.content = inThread('one', 'two');
    await d.want();
    await d.work();
    await d.after(2_000);
    await d.store.outbox.recordSent(KEY, '[{"ts":"17');
    d.content = inThread('one, edited', 'two', 'three');
    await d.want();
    for (let tries = 0; tries < 6; tries += 1) await d.after(2_000);
    expect(d.slack.messages().map(({ text }) => text)).toEqual(['one, edited', 'two', 'three']);
    expect(await d.row()).toMatchObject({ state: 'idle', sending: null });
  });

  it('is posted where it never was', async () => {
    const d = await delivering();
    await d.want();
    await d.store.outbox.recordSent(KEY, 'x');
    await d.work();
    expect(d.slack.messages().map(({ text }) => text)).toEqual(['hello']);
  });
});

it('of a message in doubt every part is looked for, also where the process dies after it has found the first', async () => {
  let dies = true;
  const d = await delivering({
    checkpoint: (name) => {
      if (!dies || name !== 'card: recorded') return;
      dies = false;
      throw new Error('killed');
    },
  });
  dies = false;
  d.content = inThread('one', 'two');
  await d.want();
  await d.work();
  await d.after(2_000);
  // The record is lost; a new one is in doubt from its beginning.
  await d.store.outbox.recordSent(KEY, '[]', 0);
  await d.want();
  dies = true;
  for (let tries = 0; tries < 6; tries += 1) await d.after(60_000);
  expect(d.slack.messages().map(({ text }) => text)).toEqual(['one', 'two']);
});
