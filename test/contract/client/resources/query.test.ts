import { describe, expect, test } from 'vitest';
import type { QueryEvent } from '../../../../src/contract/client/query.ts';
import type { Reply } from '../../../support/scripted-service.ts';
import { all, errorOf, harness } from '../harness.ts';

const CONVERSATION = '6b1f6c1e-7a57-4f7e-9d38-6a2a6f1f0a11';
const ARTIFACT = { id: 'a-1', tool_name: 'metrics', data_type: 'metric', provider: 'shop', summary: 'p95' };
const RESPONSE = { conversation_id: CONVERSATION, answer: 'It is the pool.', artifacts: [ARTIFACT] };

/** One event as it goes over the wire. */
function event(data: unknown, name?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`;
}

async function answersTo(reply: Reply): Promise<{ deltas: string[]; done: QueryEvent | undefined }> {
  await using h = await harness([reply]);
  const events = await all(h.client.query.stream({ question: 'why?' }));
  return {
    deltas: events.flatMap((each) => (each.kind === 'delta' ? [each.text] : [])),
    done: events.at(-1),
  };
}

function streamed(...chunks: string[]): Promise<{ deltas: string[]; done: QueryEvent | undefined }> {
  return answersTo({ chunks });
}

describe('asking for a whole answer', () => {
  test('sends the question and the conversation, and keeps unknown fields', async () => {
    await using h = await harness([{ json: { ...RESPONSE, model: 'm' } }]);
    const answer = await h.client.query.ask({ question: 'why?', conversation_id: CONVERSATION });
    expect(answer).toEqual({ ...RESPONSE, model: 'm' });
    expect(h.service.received[0]).toMatchObject({
      method: 'POST',
      path: '/api/v2/query',
      body: JSON.stringify({ question: 'why?', conversation_id: CONVERSATION }),
    });
  });
});

describe('a streamed answer', () => {
  test('is asked for as the contract says', async () => {
    await using h = await harness([{ chunks: [event('[DONE]')] }]);
    await errorOf(all(h.client.query.stream({ question: 'why?' })));
    expect(h.service.received[0]?.headers.accept).toBe('text/event-stream');
    expect(h.service.received[0]?.body).toBe('{"question":"why?","stream":true}');
  });

  test('arrives as deltas, artifacts and a last event with the whole', async () => {
    expect(
      await streamed(
        event({ conversation_id: CONVERSATION }, 'start'),
        event({ delta: 'It is ' }, 'delta'),
        event({ delta: 'the pool.' }, 'delta'),
        event({ artifacts: [ARTIFACT] }, 'artifacts'),
        event(RESPONSE, 'done'),
      ),
    ).toEqual({
      deltas: ['It is ', 'the pool.'],
      done: { kind: 'done', response: RESPONSE, text: RESPONSE.answer, complete: true },
    });
  });

  const HELLO = {
    deltas: ['Hel', 'lo'],
    done: { kind: 'done', response: null, text: 'Hello', complete: true },
  };
  test.each([
    ['plain text', [event('Hel'), event('lo'), event('[DONE]')]],
    ['JSON strings', [event('"Hel"'), event('"lo"')]],
    ['plain text with a sign of its end', [event('Hel'), event('lo'), event('ok', 'end')]],
    ['plain text and then the whole', [event('Hel'), event('lo'), event('Hello', 'done')]],
    ['deltas', [event({ delta: 'Hel' }), event({ delta: 'lo' }), event({}, 'done')]],
    ['deltas under a name of their own', [event({ delta: 'Hel' }, 'zebra'), event({ delta: 'lo' }, 'zebra')]],
    ['text under a name of its own', [event('Hel', 'zebra'), event('lo', 'yak')]],
    [
      'lines that end with CRLF',
      [event('Hel').replaceAll('\n', '\r\n'), event('lo').replaceAll('\n', '\r\n')],
    ],
    ['events between comments', [`: ping\n\n${event('Hel')}`, `: ping\n\n${event('lo')}: bye\n\n`]],
    ['texts', [event({ text: 'Hel' }, 'token'), event({ text: 'lo' }, 'token')]],
    ['contents', [event({ type: 'chunk', content: 'Hel' }), event({ type: 'chunk', content: 'lo' })]],
    ['nested deltas', [event({ delta: { text: 'Hel' } }), event({ delta: { content: 'lo' } })]],
    ['lists of contents', [event({ content: [{ text: 'Hel' }] }), event({ content: [{ text: 'lo' }] })]],
    [
      'choices',
      [
        event({ choices: [{ delta: { content: 'Hel' } }] }),
        event({ choices: [{ delta: { content: 'lo' } }] }),
      ],
    ],
    ['envelopes', [event({ data: { text: 'Hel' } }), event({ data: { text: 'lo' } })]],
    ['messages', [event({ message: { content: 'Hel' } }), event({ message: { content: 'lo' }, done: true })]],
  ])('is read from %s', async (_, chunks) => {
    expect(await streamed(...chunks)).toEqual(HELLO);
  });

  test.each([
    ['growing answers', [event({ answer: 'Hel' }), event({ answer: 'Hello' })]],
    ['pieces under `answer`', [event({ answer: 'Hel' }), event({ answer: 'lo' })]],
    [
      'deltas and then the whole',
      [event({ delta: 'Hel' }), event({ delta: 'lo' }), event({ answer: 'Hello' })],
    ],
  ])('is read from %s', async (_, chunks) => {
    const { deltas, done } = await streamed(...chunks);
    expect(deltas).toEqual(['Hel', 'lo']);
    expect(done).toMatchObject({ text: 'Hello', complete: true, response: { answer: 'Hello' } });
  });

  test('keeps a character whole whose bytes arrive apart', async () => {
    const bytes = new TextEncoder().encode(event({ delta: 'p99 ↑ 🔥' }));
    const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect((await answersTo({ chunks })).deltas).toEqual(['p99 ↑ 🔥']);
  });

  test('is one event with the whole', async () => {
    expect(await streamed(event(RESPONSE))).toEqual({
      deltas: [RESPONSE.answer],
      done: { kind: 'done', response: RESPONSE, text: RESPONSE.answer, complete: true },
    });
  });

  test('is one last event of plain text', async () => {
    expect((await streamed(event('Hello', 'final'))).done).toMatchObject({ text: 'Hello', complete: true });
  });

  test('is the last word where the whole differs from what was streamed', async () => {
    const { done } = await streamed(event({ delta: 'Perhaps' }), event(RESPONSE, 'final'));
    expect(done).toMatchObject({ text: RESPONSE.answer, response: RESPONSE });
  });

  test('takes the conversation from whichever event bears it', async () => {
    const { done } = await streamed(event({ delta: 'Hi', conversation_id: CONVERSATION }), event('[DONE]'));
    expect(done).toEqual({
      kind: 'done',
      response: { conversation_id: CONVERSATION, answer: 'Hi', artifacts: [] },
      text: 'Hi',
      complete: true,
    });
  });

  test('leaves out what is told beside it: pings, progress, tools', async () => {
    const { deltas } = await streamed(
      event('{}', 'ping'),
      event({ message: 'Reading metrics' }, 'progress'),
      event({ type: 'tool_call', content: 'metrics()' }),
      event({ text: 'Hi' }, 'delta'),
    );
    expect(deltas).toEqual(['Hi']);
  });

  test('says what is being looked at, apart from the answer', async () => {
    await using h = await harness([
      {
        chunks: [
          event({ progress: 'Looking at web …' }, 'progress'),
          event({ delta: 'Hi' }),
          event('[DONE]'),
        ],
      },
    ]);
    const events = await all(h.client.query.stream({ question: 'why?' }));
    expect(events).toMatchObject([
      { kind: 'progress', text: 'Looking at web …' },
      { kind: 'delta', text: 'Hi' },
      { kind: 'done', text: 'Hi' },
    ]);
  });

  test('leaves out a bad artifact and reports it', async () => {
    await using h = await harness([{ chunks: [event({ ...RESPONSE, artifacts: ['x', ARTIFACT] })] }]);
    const events = await all(h.client.query.stream({ question: 'why?' }));
    expect(events.at(-1)).toMatchObject({ response: RESPONSE });
    expect(h.drops).toEqual([{ operation: 'query.stream', requestId: null, paths: ['artifacts.0'] }]);
  });

  test('may be JSON instead of a stream', async () => {
    expect(await answersTo({ json: RESPONSE })).toEqual({
      deltas: [RESPONSE.answer],
      done: { kind: 'done', response: RESPONSE, text: RESPONSE.answer, complete: true },
    });
  });

  test('may be a stream that does not say so', async () => {
    const { deltas } = await answersTo({ text: `${event({ delta: 'Hi' })}${event('[DONE]')}` });
    expect(deltas).toEqual(['Hi']);
  });

  test('ends with [DONE] although the service keeps the connection', async () => {
    const { done } = await answersTo({ chunks: [event('Hi'), event('[DONE]')], after: 'hang' });
    expect(done).toMatchObject({ text: 'Hi', complete: true });
  });
});

describe('a streamed answer that breaks', () => {
  test('keeps what arrived and says that it is not complete', async () => {
    const { deltas, done } = await answersTo({
      chunks: [event({ delta: 'It is ' }), 'data: {"delta":"the po'],
      after: 'reset',
    });
    expect(deltas).toEqual(['It is ']);
    expect(done).toMatchObject({
      kind: 'done',
      response: null,
      text: 'It is ',
      complete: false,
      error: { name: 'UnreachableError' },
    });
  });

  test('is not complete either where it ends inside an event', async () => {
    const { done } = await streamed(event({ delta: 'It is ' }), 'data: {"delta":"the po');
    expect(done).toMatchObject({ text: 'It is ', complete: false });
  });

  test('is complete where the whole had arrived before', async () => {
    const { done } = await answersTo({ chunks: [event(RESPONSE)], after: 'reset' });
    expect(done).toMatchObject({ response: RESPONSE, complete: true });
  });

  test('because it never ends is bounded in time', async () => {
    await using h = await harness([{ chunks: [event('Hi')], after: 'hang' }]);
    const events = [];
    for await (const event of h.client.query.stream({ question: 'why?' }, undefined, { timeoutMs: 100 })) {
      events.push(event);
      h.runOut();
    }
    expect(events.at(-1)).toMatchObject({ text: 'Hi', complete: false, error: { name: 'TimedOutError' } });
  });

  test('because it never ends is bounded in size', async () => {
    const chunk = event({ delta: 'x'.repeat(1024 * 1024) });
    const { done } = await answersTo({ chunks: Array(9).fill(chunk), after: 'hang' });
    expect(done).toMatchObject({ complete: false, error: { name: 'UnreadableAnswerError' } });
  });

  test('with an error event keeps what arrived, and the error', async () => {
    const failure = { type: 'api_error', message: 'model overloaded', request_id: 'req_8' };
    const { done } = await streamed(event({ delta: 'It ' }), event(failure, 'error'));
    expect(done).toMatchObject({
      text: 'It ',
      complete: false,
      error: { name: 'StreamFailedError', type: 'api_error', reason: 'model overloaded', requestId: 'req_8' },
    });
  });

  test.each([
    ['reports a failure', { chunks: [event({ error: 'overloaded' })] }, 'StreamFailedError'],
    ['breaks', { chunks: [': hi\n\n'], after: 'reset' }, 'UnreachableError'],
    ['ends', { chunks: [event('[DONE]')] }, 'UnreadableAnswerError'],
    ['turns out to be a page', { text: '<html>' }, 'UnreadableAnswerError'],
    ['is refused', { status: 400, json: { message: 'no' } }, 'RejectedError'],
  ] satisfies Array<[string, Reply, string]>)(
    'throws where it %s before anything arrived',
    async (_, reply, name) => {
      await using h = await harness([reply]);
      expect(await errorOf(all(h.client.query.stream({ question: 'why?' })))).toMatchObject({ name });
      expect(h.service.received).toHaveLength(1);
    },
  );

  test('by the caller throws, and gives the connection up', async () => {
    await using h = await harness([{ chunks: [event('Hi')], after: 'hang' }]);
    const controller = new AbortController();
    const seen: QueryEvent[] = [];
    const error = await errorOf(
      (async () => {
        for await (const each of h.client.query.stream({ question: 'why?' }, controller.signal)) {
          seen.push(each);
          controller.abort();
        }
      })(),
    );
    expect(error).toMatchObject({ name: 'CancelledError' });
    expect(seen).toEqual([{ kind: 'delta', text: 'Hi' }]);
  });

  test('because the reader leaves it is given up quietly', async () => {
    await using h = await harness([{ chunks: [event('Hi')], after: 'hang' }]);
    for await (const each of h.client.query.stream({ question: 'why?' })) {
      expect(each).toEqual({ kind: 'delta', text: 'Hi' });
      break;
    }
  });
});
