import { describe, expect, it, onTestFinished } from 'vitest';
import { renderAnswerParts } from '../../../../src/bot/render/asking/answer.ts';
import { askHere } from '../../../../src/bot/render/asking/thread-notices.ts';
import { renderCard } from '../../../../src/bot/render/issues/card.ts';
import {
  endedWithoutResults,
  investigationFailed,
  notInChannel,
  takesLong,
} from '../../../../src/bot/render/notices.ts';
import { renderResults } from '../../../../src/bot/render/results/results.ts';
import { ChannelSettings } from '../../../../src/bot/store/channel-settings.ts';
import type { IntentOf } from '../../../../src/bot/store/intents/intent.ts';
import { writeupIntent } from '../../../../src/bot/store/intents/issue-intents.ts';
import type { IntentKind } from '../../../../src/bot/store/intents/payloads.ts';
import { addCreated, newIssue } from '../../../support/issues.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { answerView, cardView, resultsView } from '../../../support/views.ts';
import { messagesOf } from '../support/messages-of.ts';

const NOW = Date.parse('2026-03-17T12:00:00Z');
const thread = { channel: 'C1', threadTs: '1.0' };

/** An intent of one kind, in the thread if not said. */
type DraftOf<K extends IntentKind> = Pick<IntentOf<K>, 'key' | 'kind' | 'payload'> &
  Partial<Omit<IntentOf<K>, 'key' | 'kind' | 'payload'>>;
type Draft = { [K in IntentKind]: DraftOf<K> }[IntentKind];

async function messages({ simulated = false } = {}) {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  const contentOf = messagesOf({
    store,
    clock,
    simulated,
  });
  /** What an intent comes to now. */
  const of = async (intent: Draft) => {
    await store.outbox.want({ ...thread, at: clock.now(), ...intent });
    const row = await store.outbox.get(intent.key);
    if (row === null) throw new Error('it was wanted above');
    return contentOf(row);
  };
  return { store, clock, of };
}

const card = { key: 'card:issue-1', kind: 'card', issueId: 'issue-1', payload: {} } as const;

describe('a card', () => {
  it('shows what is known of its issue, in the thread of the alert', async () => {
    const { store, of } = await messages();
    await addCreated(store, NOW - 60_000, { number: 12, service: 'checkout', source: 'github-actions' });
    const lastAction = { userId: 'U1', what: 'muted it', at: NOW - 1_000 };
    await store.issues.rewrite('issue-1', {
      repeats: 1,
      lastRepeatAt: NOW - 5_000,
      status: 'muted',
      lastAction: JSON.stringify(lastAction),
    });
    const view = cardView({
      title: 'CPU is high',
      severity: 'medium',
      status: 'muted',
      statusSince: NOW - 60_000,
      source: 'GitHub Actions',
      alertUrl: null,
      repeats: 1,
      lastRepeatAt: NOW - 5_000,
      lastAction,
      offers: {
        catchUp: true,
        notSame: false,
        attach: true,
        investigateAgain: false,
        delete: true,
        evidence: false,
        attachTo: null,
      },
    });
    expect(await of(card)).toEqual({ kind: 'messages', parts: [renderCard(view, NOW)], ...thread });
  });

  it('shows how its issue stands although what adorns it is damaged', async () => {
    const { store, of } = await messages();
    await addCreated(store, NOW - 60_000, { number: 12 });
    await store.issues.rewrite('issue-1', { lastAction: '{"userId":', note: '[]', earlier: 'null' });
    await store.results.save('issue-1', 1, '{"rootCause":', NOW);
    expect(await of(card)).toMatchObject({
      kind: 'messages',
      parts: [{ text: expect.stringMatching(/#12 .*CPU is high/u) }],
    });
  });

  it('without a number says that its issue is being filed', async () => {
    const { store, of } = await messages();
    await store.issues.add(newIssue({ createdAt: NOW, statusSince: NOW }));
    expect(await of(card)).toMatchObject({
      kind: 'messages',
      parts: [{ text: expect.stringMatching(/CPU is high · ⏳ Filing/) }],
    });
  });

  it.each([
    ['gone', /Deleted/],
    ['failed', /Not filed|could not|failed/iu],
  ] as const)('of an issue that is %s says so', async (state, words) => {
    const { store, of } = await messages();
    await addCreated(store, NOW);
    await store.issues.rewrite('issue-1', { state });
    expect(await of(card)).toMatchObject({ parts: [{ text: expect.stringMatching(words) }] });
  });

  it('of an issue that nobody knows says nothing', async () => {
    const { of } = await messages();
    expect(await of({ key: 'card:unknown', kind: 'card', payload: {} })).toEqual({ kind: 'nothing' });
  });

  it('in the DM that stands in for a channel begins with how to invite the bot', async () => {
    const { store, of } = await messages();
    await addCreated(store, NOW, { number: 12 });
    const [plain, instead] = [
      await of({ ...card, key: 'card:plain' }),
      await of({ ...card, key: 'card:dm', payload: { requester: 'U1', insteadOf: 'C9' } }),
    ];
    if (plain.kind !== 'messages' || instead.kind !== 'messages') throw new Error('both are messages');
    expect(instead.parts.map(({ blocks }) => blocks)).toEqual([
      [...notInChannel('C9', 'U0BOT').blocks, ...(plain.parts[0]?.blocks ?? [])],
    ]);
  });

  it('says that its systems are simulated where they are', async () => {
    const { store, of } = await messages({ simulated: true });
    await addCreated(store, NOW);
    expect(await of(card)).toMatchObject({
      parts: [{ text: expect.stringMatching(/^Simulated: not your/) }],
    });
  });
});

describe('a result', () => {
  const results = { rootCause: { incidentOverview: 'CPU is high', rootCauseSummary: 'A bad deploy.' } };
  const result = {
    key: 'result:issue-1:2',
    kind: 'result',
    issueId: 'issue-1',
    payload: { version: 2 },
  } as const;

  it('is the version that its intent names, in the thread of the issue', async () => {
    const { store, of } = await messages();
    await addCreated(store, NOW, { number: 12, threadTs: '7.0' });
    await store.results.save('issue-1', 1, JSON.stringify({}), NOW);
    await store.results.save('issue-1', 2, JSON.stringify(results), NOW);
    expect(await of(result)).toEqual({
      kind: 'messages',
      parts: renderResults(
        resultsView(results, {
          version: 2,
          title: 'CPU is high',
          before: { version: 1, results: {} },
          last: { was: null, now: 'The pool was full.', isSame: false, number: null },
        }),
      ),
      channel: 'C1',
      threadTs: '7.0',
      broadcast: false,
      editFollows: false,
    });
  });

  it('is shown in the channel too where its settings say so', async () => {
    const { store, of } = await messages();
    await addCreated(store, NOW, { number: 12, threadTs: '7.0' });
    await store.results.save('issue-1', 2, JSON.stringify(results), NOW);
    await store.channels.watch('C1', ChannelSettings.parse({ broadcast: true }), '1.0');
    expect(await of(result)).toMatchObject({ channel: 'C1', threadTs: '7.0', broadcast: true });
  });

  it('waits until the card stands that it follows', async () => {
    const { store, of } = await messages();
    await addCreated(store, NOW, { number: 12, threadTs: '7.0' });
    await store.results.save('issue-1', 2, JSON.stringify(results), NOW);
    await store.outbox.again('card:issue-1');
    expect(await of(result)).toEqual({ kind: 'later' });
    await store.outbox.recordSent('card:issue-1', '[{"ts":"8.0","hash":""}]');
    expect(await of(result)).toMatchObject({ kind: 'messages' });
  });

  it('of a command’s issue waits for the thread that its card starts', async () => {
    const { store, of } = await messages();
    await addCreated(store, NOW, { threadTs: null });
    await store.results.save('issue-1', 2, JSON.stringify(results), NOW);
    expect(await of(result)).toEqual({ kind: 'later' });
    await store.issues.rewrite('issue-1', { channel: 'D1', threadTs: '3.0' });
    expect(await of(result)).toMatchObject({ kind: 'messages', channel: 'D1', threadTs: '3.0' });
  });

  it('waits for no thread that will never be: the card was given up', async () => {
    const { store, of } = await messages();
    await addCreated(store, NOW, { threadTs: null });
    await store.results.save('issue-1', 2, JSON.stringify(results), NOW);
    await store.outbox.dead('card:issue-1', 'is_archived');
    expect(await of(result)).toEqual({ kind: 'nothing' });
  });

  it('that is not there says nothing', async () => {
    const { store, of } = await messages();
    await addCreated(store, NOW);
    expect(await of(result)).toEqual({ kind: 'nothing' });
  });
});

describe('a notice', () => {
  const about = { number: 12, title: 'CPU is high', simulated: false };
  const notice = { kind: 'notice', issueId: 'issue-1' } as const;

  it.each([
    ['nothing', endedWithoutResults(about)],
    ['failed', investigationFailed(about)],
    ['slow', takesLong(about)],
    ['ask_here', askHere(about)],
  ] as const)('“%s” has its words, in the thread of the issue', async (name, words) => {
    const { store, of } = await messages();
    await addCreated(store, NOW, { number: 12, threadTs: '7.0' });
    const payload = { notice: name };
    expect(await of({ ...notice, key: `notice:${name}`, payload })).toEqual({
      kind: 'messages',
      parts: [words],
      channel: 'C1',
      threadTs: '7.0',
    });
  });

  it('waits for the thread, and not for one that will never be', async () => {
    const { store, of } = await messages();
    await addCreated(store, NOW, { threadTs: null });
    const slow = { ...notice, key: 'notice:slow', payload: { notice: 'slow' } } as const;
    expect(await of(slow)).toEqual({ kind: 'later' });
    await store.outbox.dead('card:issue-1', 'is_archived');
    expect(await of(slow)).toEqual({ kind: 'nothing' });
  });
});

describe('an answer', () => {
  async function asked(threadTs: string | null, asker = 'U1') {
    const c = await messages();
    const start = { channel: 'C1', threadTs: threadTs, issueId: null, startedBy: 'U1', createdAt: NOW };
    await c.store.conversations.start({ id: 'c1', ...start });
    await c.store.questions.add({ id: 'q1', conversation: 'c1', asker, text: 'why?', createdAt: NOW });
    const of = () =>
      c.of({ key: 'answer:q1', kind: 'answer', questionId: 'q1', channel: 'C1', threadTs, payload: {} });
    return { ...c, of };
  }

  it.each([
    ['queued', 'queued'],
    ['asking', 'growing'],
    ['complete', 'complete'],
    ['failed', 'failed'],
  ] as const)('that is %s shows as %s', async (state, shown) => {
    const { store, of } = await asked('1.0');
    const text = state === 'queued' ? '' : 'The pool is full.';
    await store.questions.update(
      'q1',
      { state, answer: text, note: state === 'failed' ? 'No answer.' : null },
      NOW,
    );
    const view = answerView({
      questionId: 'q1',
      answer: text,
      state: shown,
      note: state === 'failed' ? 'No answer.' : null,
    });
    expect(await of()).toEqual({ kind: 'messages', parts: renderAnswerParts(view), ...thread });
  });

  it('to a command shows the question and who asked, since nobody else saw it', async () => {
    const { of } = await asked(null);
    const view = answerView({
      questionId: 'q1',
      askedBy: 'U1',
      question: 'why?',
      answer: '',
      state: 'queued',
    });
    expect(await of()).toEqual({
      kind: 'messages',
      parts: renderAnswerParts(view),
      channel: 'C1',
      threadTs: null,
    });
  });

  it('to somebody else than the starter of the thread names them', async () => {
    const { of } = await asked('1.0', 'U2');
    const view = answerView({ questionId: 'q1', askedBy: 'U2', answer: '', state: 'queued' });
    expect(await of()).toMatchObject({ parts: renderAnswerParts(view) });
  });

  it('to a question that nobody knows says nothing', async () => {
    const { of } = await messages();
    expect(await of({ key: 'answer:unknown', kind: 'answer', payload: {} })).toEqual({ kind: 'nothing' });
  });
});

it('a reaction is what its intent names; then what the investigation found, and once the issue is resolved, that', async () => {
  const { of, store } = await messages();
  const intent = {
    key: 'reaction:1',
    kind: 'reaction',
    issueId: 'issue-1',
    payload: { name: 'eyes', ts: '1.0' },
  } as const;
  const shows = (name: string) => ({ kind: 'reaction', name, ts: '1.0' });
  await addCreated(store, 0, { number: 12 });
  expect(await of(intent)).toEqual(shows('eyes'));
  await store.issues.rewrite('issue-1', { status: 'ready_to_fix', version: 1, endedVersion: 1 });
  expect(await of(intent)).toEqual(shows('shrug'));
  await store.results.save(
    'issue-1',
    1,
    JSON.stringify({ rootCause: { rootCauseSummary: 'a full disk' } }),
    1,
  );
  expect(await of(intent)).toEqual(shows('mag_right'));
  const unexplained = { rootCause: { rootCauseSummary: 'slow, nobody knows why', isUnexplained: true } };
  await store.results.save('issue-1', 2, JSON.stringify(unexplained), 2);
  expect(await of(intent)).toEqual(shows('shrug'));
  await store.results.save(
    'issue-1',
    2,
    JSON.stringify({ rootCause: { rootCauseSummary: 'a full disk' } }),
    2,
  );
  await store.issues.rewrite('issue-1', { status: 'resolved' });
  expect(await of(intent)).toEqual(shows('white_check_mark'));
  await store.issues.rewrite('issue-1', { joinedInto: 'issue-2' });
  expect(await of(intent)).toEqual(shows('mag_right'));
});

it('a write-up has each other cause that was found, as it was found first', async () => {
  const { store, of } = await messages();
  await addCreated(store, NOW, { number: 12 });
  await store.issues.rewrite('issue-1', { version: 4, endedVersion: 4 });
  const minute = (n: number) => NOW + n * 60_000;
  for (const [i, cause] of ['a bad deploy', 'a bad deploy', 'a full disk', 'a full pool'].entries()) {
    const results = { rootCause: { rootCauseSummary: cause } };
    await store.results.save('issue-1', i + 1, JSON.stringify(results), minute(i + 1));
  }
  const written = await of(writeupIntent({ id: 'issue-1', ...thread }, 'press', NOW));
  const text = written.kind === 'file' ? new TextDecoder().decode(written.bytes) : '';
  expect(text.match(/\d\d:\d\d – Verdict: .*/gu)).toEqual([
    '12:01 – Verdict: a bad deploy',
    '12:03 – Verdict: a full disk',
    '12:04 – Verdict: a full pool',
  ]);
});
