import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { QueryEvent } from '../../src/contract/client/query.ts';
import { described, START, testService } from '../service/support.ts';
import { anyCodePoint } from '../support/code-point.ts';
import { fastClock, stoppedClock } from '../support/paced-clock.ts';
import { runs } from '../support/property-runs.ts';
import { serviceClient } from './service-client.ts';

const Answer = z.strictObject({
  conversation_id: z.uuid(),
  answer: z.string().min(1),
  artifacts: z.array(
    z.strictObject({
      id: z.string(),
      tool_name: z.string(),
      data_type: z.string(),
      provider: z.string(),
      summary: z.string(),
    }),
  ),
});

const STREAM = { headers: { accept: 'text/event-stream' } };

/** The events of a stream, each as its name and its parsed data. */
function eventsOf(text: unknown): [string, unknown][] {
  return z
    .string()
    .parse(text)
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => {
      const [name = '', data = ''] = event.split('\n');
      return [name.replace('event: ', ''), JSON.parse(data.replace('data: ', ''))];
    });
}

describe('4.9 ask the agent', () => {
  it('takes what openapi.json says that it takes: any question gets an answer', async () => {
    const { post, service } = await testService();
    const { takes } = await described(service().url);
    const odd = fc.constantFrom<unknown>('', ' ', 7, null, true, [], 'x');
    const body = fc.record(
      {
        question: fc.oneof(fc.string({ unit: anyCodePoint, maxLength: 80 }), fc.lorem(), odd),
        stream: fc.oneof(fc.constant<unknown>(false), fc.constantFrom<unknown>(0, 'false', null)),
        conversation_id: fc.constantFrom<unknown>(7, null, '', 'x', '5f1d7c1e-9a53-4d0e-8f8e'),
      },
      { requiredKeys: ['question'] },
    );
    await fc.assert(
      fc.asyncProperty(body, async (fields) => {
        const { status, body: answer } = await post('/query', fields);
        expect(status).toBe(takes('post', '/query', fields) ? 200 : 400);
        if (status === 200) expect(Answer.safeParse(answer).success).toBe(true);
      }),
      { numRuns: runs(80) },
    );
  });

  it('4.9 question: answers in the shape of the contract (2.9)', async () => {
    const { create, post } = await testService();
    await create({ title: 'Cart is slow' });
    const answer = await post('/query', { question: 'what is open?' });
    expect(answer.status).toBe(200);
    expect(Answer.parse(answer.body).answer).not.toBe('');
  });

  it('4.9 thread: is what the question goes on from, and need not be sent', async () => {
    const { create, post } = await testService();
    await create({ title: 'Cart is slow' });
    const ask = async (body: object) => Answer.parse((await post('/query', body)).body).answer;
    const asked = [{ question: 'what is open in staging?', answer: 'Nothing.' }];
    const question = 'and in production?';
    expect(await ask({ question, thread: { question, asked } })).toMatch(/^One issue is open in production/u);
    expect(await ask({ question })).not.toMatch(/^One issue/u);
    expect((await post('/query', { question, thread: { asked } })).status).toBe(400);
  });

  it('4.9 conversation_id: continues a conversation, over a restart too, and for its organization alone', async () => {
    const service = await testService();
    const ask = async (body: object, key = 'acme-key') => service.post('/query', body, { key });
    const { conversation_id } = Answer.parse((await ask({ question: 'what is open?' })).body);
    await service.restart();
    const next = Answer.parse((await ask({ question: 'and in staging?', conversation_id })).body);
    expect(next.conversation_id).toBe(conversation_id);
    const capitals = { question: 'and now?', conversation_id: conversation_id.toUpperCase() };
    expect(Answer.parse((await ask(capitals)).body).conversation_id).toBe(conversation_id);
    expect((await ask({ question: 'and there?', conversation_id }, 'globex-key')).status).toBe(404);
    expect(Answer.parse((await ask({ question: 'what?' })).body).conversation_id).not.toBe(conversation_id);
  });

  it('4.9 conversation_id: takes the two special UUIDs for well formed', async () => {
    const { post } = await testService();
    for (const digit of ['0', 'f']) {
      const conversation_id = '00000000-0000-0000-0000-000000000000'.replaceAll('0', digit);
      expect((await post('/query', { question: 'what?', conversation_id })).status).toBe(404);
    }
    expect((await post('/query', { question: 'what?', conversation_id: 'x' })).status).toBe(400);
  });

  it('keeps the artifacts of an answer', async () => {
    const clock = stoppedClock(START);
    const { service, post, get } = await testService({ clock });
    service().inject({ kind: 'slow_query', service: 'orders-db', from: START - 600_000, to: START + 60_000 });
    const { artifacts } = Answer.parse((await post('/query', { question: 'why is orders-db unwell?' })).body);
    expect(artifacts.length).toBeGreaterThan(0);
    const path = `/artifacts?${artifacts.map(({ id }) => `id=${id}`).join('&')}`;
    const stored = z
      .array(z.looseObject({ id: z.string(), type: z.string(), provider: z.string(), summary: z.string() }))
      .parse((await get(path)).body);
    expect(
      stored.map(({ id, type, provider, summary }) => ({
        id,
        tool_name: `fetch_${type}`,
        data_type: type,
        provider,
        summary,
      })),
    ).toEqual(artifacts);
    expect((await get(path, { key: 'globex-key' })).body).toEqual([]);
  });
});

describe('4.9 stream: a streamed answer', () => {
  it('is what the client reads as deltas and a whole', async () => {
    const service = await testService({ clock: fastClock(1) });
    await service.create({ title: 'Cart is slow' });
    const client = await serviceClient(service);
    const events: QueryEvent[] = [];
    for await (const event of client.query.stream({ question: 'what was #1?' })) events.push(event);
    const text = events.map((event) => (event.kind === 'delta' ? event.text : '')).join('');
    expect(text).toContain('Cart is slow');
    expect(events.at(-1)).toMatchObject({ kind: 'done', complete: true, text, response: { answer: text } });
  });

  it('comes as what is looked at, deltas, artifacts, and the whole at the end', async () => {
    const { post } = await testService({ clock: fastClock(1) });
    const answer = await post('/query', { question: 'help', stream: true }, STREAM);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const events = eventsOf(answer.body);
    const whole = Answer.parse(events.at(-1)?.[1]);
    const deltas = events.flatMap(([name, data]) =>
      name === 'delta' ? [z.object({ delta: z.string(), conversation_id: z.string() }).parse(data)] : [],
    );
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.map(({ delta }) => delta).join('')).toBe(whole.answer);
    expect(events[0]).toEqual(['progress', { progress: 'Looking at the services …' }]);
    expect(events.map(([name]) => name).filter((name) => name !== 'progress')).toEqual([
      ...deltas.map(() => 'delta'),
      ...whole.artifacts.map(() => 'artifact'),
      'done',
    ]);
  });

  it('is JSON where no stream was asked for, whatever the client accepts', async () => {
    const { post } = await testService();
    const answer = await post('/query', { question: 'what is open?' }, STREAM);
    expect(Answer.safeParse(answer.body).success).toBe(true);
  });
});
