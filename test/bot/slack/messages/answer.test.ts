import { describe, expect, it, onTestFinished } from 'vitest';
import { answerIntent } from '../../../../src/bot/store/intents/thread-intents.ts';
import type { Question } from '../../../../src/bot/store/questions.ts';
import { addCreated } from '../../../support/issues.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { messagesOf } from '../support/messages-of.ts';

const NOW = Date.parse('2026-03-17T12:00:00Z');

interface Given {
  channel?: string;
  threadTs?: string | null;
  state?: Question['state'];
  answer?: string;
  shown?: string;
  simulated?: boolean;
}

/** What the answer to a question of U1 comes to. */
async function answering({ channel = 'D1', threadTs = '1.0', simulated = false, ...given }: Given = {}) {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  const start = { channel, threadTs: threadTs, issueId: null, startedBy: 'U1', createdAt: NOW };
  await store.conversations.start({ id: 'c1', ...start });
  await store.questions.add({ id: 'q1', conversation: 'c1', asker: 'U1', text: 'why?', createdAt: NOW });
  await store.questions.begin('q1', NOW);
  await store.questions.update(
    'q1',
    { state: given.state ?? 'asking', answer: given.answer ?? 'The pool' },
    NOW,
  );
  const contentOf = messagesOf({
    store,
    clock,
    simulated,
  });
  const shown = given.shown ? { shown: given.shown } : {};
  const intent = answerIntent({ questionId: 'q1', channel, threadTs, asker: 'U1', ...shown }, NOW);
  const content = async () => {
    await store.outbox.want(intent);
    const row = await store.outbox.get('answer:q1');
    return row === null ? null : contentOf(row);
  };
  return { store, clock, content };
}

const stream = { opening: '', text: 'The pool' };

describe('an answer that gives a series', () => {
  const artifact = {
    id: 'a1',
    type: 'metric',
    data: {
      name: 'orders errors',
      unit: '1',
      dataPoints: [{ timeUnixNano: '1800000000000000000', asDouble: 0.2 }],
    },
  };

  it('shows it as a chart once it is there', async () => {
    const { store, content } = await answering({ channel: 'C1', state: 'complete' });
    const artifacts = JSON.stringify([{ id: 'a1', data_type: 'metric' }]);
    await store.questions.update('q1', { artifacts }, NOW);
    const charts = async () => {
      const now = await content();
      const blocks = now?.kind === 'messages' ? now.parts.flatMap((part) => part.blocks) : [];
      return blocks.filter(({ type }) => type === 'data_visualization').length;
    };
    expect(await charts()).toBe(0);
    await store.artifacts.want('question:q1', ['a1']);
    await store.artifacts.keep('question:q1', 'a1', JSON.stringify(artifact), NOW);
    expect(await charts()).toBe(1);
  });
});

describe('an answer that grows', () => {
  it('goes into a stream in a thread of a direct message', async () => {
    const { content } = await answering();
    expect(await content()).toMatchObject({ channel: 'D1', threadTs: '1.0', stream });
  });

  it('says in the stream that it is simulated', async () => {
    const { content } = await answering({ simulated: true });
    const opening = '*Simulated: not your systems*\n\n';
    expect(await content()).toMatchObject({ stream: { ...stream, opening } });
  });

  it('goes into the stream from the start where no question is before it', async () => {
    const { content } = await answering({ state: 'queued', answer: '' });
    expect(await content()).toMatchObject({ stream: { ...stream, text: '' } });
  });

  it('waits in a message of its own where another question is before it', async () => {
    const { store, content } = await answering({ state: 'queued', answer: '' });
    await store.questions.add({ id: 'q0', conversation: 'c1', asker: 'U1', text: 'x', createdAt: NOW - 1 });
    expect(await content()).not.toHaveProperty('stream');
  });

  it('says that it waits for a free place only while there is none', async () => {
    const { store, clock, content } = await answering({ channel: 'C1', state: 'queued', answer: '' });
    await clock.sleep(60_000);
    for (const id of ['q2', 'q3', 'q4', 'q5']) {
      expect(JSON.stringify(await content())).not.toContain('Waiting');
      const thread = { channel: 'C1', threadTs: id, issueId: null, startedBy: 'U1', createdAt: NOW };
      await store.conversations.start({ id: `of ${id}`, ...thread });
      await store.questions.add({ id, conversation: `of ${id}`, asker: 'U1', text: 'x', createdAt: NOW });
      await store.questions.begin(id, NOW);
    }
    expect(JSON.stringify(await content())).toContain('Waiting for a free slot');
  });

  it.each<[string, Given]>([
    ['in a channel', { channel: 'C1' }],
    ['outside of a thread', { threadTs: null }],
    ['with its question above it', { shown: 'Ask about this step' }],
    ['once it is complete', { state: 'complete' }],
    ['once it has failed', { state: 'failed' }],
    ['once it was stopped', { state: 'stopped' }],
  ])('is no stream %s', async (_where, given) => {
    const { content } = await answering(given);
    expect(await content()).not.toHaveProperty('stream');
  });
});

describe('an issue that an answer names', () => {
  const named = { state: 'complete', answer: 'As in #12, `#12` and #99.' } as const;
  const linked = 'https://acme.slack.com/archives/C1/p20?thread_ts=1.0&cid=C1';

  async function withIssue(given: Given, home = 'C1') {
    const a = await answering({ ...named, ...given });
    await addCreated(a.store, NOW, { number: 12, channel: home });
    await a.store.channels.learn('C1', false);
    await a.store.outbox.recordSent('card:issue-1', JSON.stringify([{ ts: '2.0', hash: 'x' }]));
    return a;
  }

  it.each(['C1', 'C2', 'D1'])('is a link to its card, in %s', async (channel) => {
    const { content } = await withIssue({ channel });
    expect(JSON.stringify(await content())).toContain(`As in [#12](${linked}), \`#12\` and #99.`);
  });

  it('is none where its card is not posted', async () => {
    const { store, content } = await withIssue({});
    await store.outbox.recordSent('card:issue-1', '[]');
    expect(JSON.stringify(await content())).not.toContain('[#12]');
  });

  it('that lives in a private channel is a link only there', async () => {
    const elsewhere = await withIssue({ channel: 'C2' });
    await elsewhere.store.channels.learn('C1', true);
    expect(JSON.stringify(await elsewhere.content())).not.toContain('[#12]');
    const there = await withIssue({ channel: 'C1' });
    await there.store.channels.learn('C1', true);
    expect(JSON.stringify(await there.content())).toContain('As in [#12](');
  });

  it('that lives in somebody’s direct messages is a link only there', async () => {
    const elsewhere = await withIssue({ channel: 'C1' }, 'D1');
    expect(JSON.stringify(await elsewhere.content())).not.toContain('[#12]');
    const there = await withIssue({ channel: 'D1' }, 'D1');
    expect(JSON.stringify(await there.content())).toContain('As in [#12](');
  });
});

it('an answer that could not be posted in its channel says why', async () => {
  const { store, content } = await answering({ state: 'complete' });
  await content();
  await store.outbox.redirect(
    {
      key: 'answer:q1',
      kind: 'answer',
      payload: { requester: 'U1', insteadOf: 'C0ALERTS', because: 'is_archived' },
    },
    'D1',
  );
  expect(JSON.stringify(await content())).toContain('does not let me post in <#C0ALERTS> (it is archived)');
});
