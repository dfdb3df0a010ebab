import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServiceMetrics } from '../../../src/service/metrics.ts';
import { createModel, ModelUnavailable } from '../../../src/service/model/model.ts';
import { type ModelSettings, readModelSettings } from '../../../src/service/model/settings.ts';
import type { Prompt } from '../../../src/service/model/wire.ts';
import { openStore } from '../../../src/service/store/store.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { modelSettings } from '../../support/model-settings.ts';
import { FAULTS, type ModelFault, type ScriptedTurn, scriptedModel } from '../../support/scripted-model.ts';

const WIRES = ['openai', 'anthropic'] as const;
const ASKING = { organization: 'acme', issue: 7, use: 'route' } as const;
const OPENAI_ANSWER =
  'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const ANTHROPIC_ANSWER = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
const CALL = { name: 'logs', args: { services: ['payments'] } };

const prompt = (text: string, tools = true): Prompt => ({
  system: 'Choose.',
  messages: [{ role: 'user', text }],
  tools: tools
    ? [
        {
          name: 'logs',
          description: 'Log lines.',
          parameters: {
            type: 'object',
            properties: { services: { type: 'array', items: { type: 'string' } } },
            required: [],
          },
        },
      ]
    : [],
  mostOutput: 100,
});

async function setUp(
  script: (turn: number) => ScriptedTurn,
  changes: Partial<ModelSettings> = {},
  fetch?: typeof globalThis.fetch,
) {
  const settings = modelSettings(changes);
  const clock = manualClock();
  const store = await openStore({ file: ':memory:' });
  onTestFinished(() => store.close());
  const server = scriptedModel(settings.api, (_request, turn) => script(turn), { clock });
  const lines: string[] = [];
  const model = createModel(settings, {
    requests: store.modelRequests,
    clock,
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    metrics: createServiceMetrics(),
    fetch: fetch ?? server.fetch,
  });
  const session = () => model.begin(new AbortController().signal);
  return { model, session, server, store, clock, lines };
}

it('a MODEL_USE that names what no model does still starts, and is told so', async () => {
  const read = readModelSettings({
    MODEL_URL: 'http://model.example.com',
    MODEL_NAME: 'tiny',
    MODEL_USE: 'route,answer,alerts',
  });
  expect(read).toMatchObject({ settings: { uses: ['route', 'alerts'], unused: ['answer'] } });
  const { lines } = await setUp(() => ({}), { unused: ['answer'] });
  expect(lines.join('')).toMatch(/MODEL_USE names `answer`, which does nothing/u);
  expect((await setUp(() => ({}))).lines).toEqual([]);
});

describe.each(WIRES)('on the wire of %s', (api) => {
  it.each([
    ['nothing', { input: 1, output: 1 }],
    ['all of a day', { input: 900_000, output: 900_000 }],
  ])(
    'a server that counts %s is believed only between what was sent and what was reserved',
    async (_what, usage) => {
      const { session, model, store } = await setUp(() => ({ calls: [CALL], usage }), { api });
      await session().complete(prompt('Which logs?'.repeat(100)), ASKING);
      const { tokens } = await model.today();
      expect(tokens).toBeGreaterThan(100);
      expect(tokens).toBeLessThan(2_000);
      expect(await store.modelRequests.spentOn(0)).toBe(tokens);
    },
  );

  it.each(['answered', 'not of that wire'])(
    'a server that goes on once it is over (%s) loses its connection',
    async (what) => {
      let isGivenUp = false;
      const more = new TextEncoder().encode(': still here\n\n');
      const answered = api === 'openai' ? OPENAI_ANSWER : ANTHROPIC_ANSWER;
      const fetch = async () => {
        let isFirst = true;
        const body = new ReadableStream<Uint8Array>({
          pull: async (controller) => {
            const first = what === 'answered' ? answered : 'data: [1]\n\n';
            controller.enqueue(isFirst ? new TextEncoder().encode(first) : more);
            isFirst = false;
            await new Promise((resolve) => setImmediate(resolve));
          },
          cancel: () => {
            isGivenUp = true;
          },
        });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      };
      const { session, clock } = await setUp(() => ({}), { api }, fetch);
      const asked = session()
        .complete(prompt('Which logs?'), ASKING)
        .catch(() => undefined);
      await clock.pass(31_000);
      await asked;
      await new Promise((resolve) => setImmediate(resolve));
      expect(isGivenUp).toBe(true);
    },
  );

  it('calls and text arrive, and what it took is stored with the digest of what was sent', async () => {
    const { session, model, server } = await setUp(() => ({ text: 'Well.', calls: [CALL] }), { api });
    const reply = await session().complete(prompt('Which logs?'), ASKING);
    expect(reply).toEqual({ text: 'Well.', calls: [CALL], tokens: 120 });
    expect(await model.today()).toEqual({ tokens: 120, ceiling: 1_000_000 });
    expect(server.requests.map(({ url }) => new URL(url).host)).toEqual(['model.example.com']);
  });

  it('what was called and what it gave goes back under ids of our own', async () => {
    const { session, server } = await setUp(() => ({ text: 'Done.' }), { api });
    await session().complete(
      {
        ...prompt('Which logs?'),
        messages: [
          { role: 'user', text: 'Which logs?' },
          { role: 'assistant', calls: [{ id: 'call_1', ...CALL }] },
          { role: 'results', results: [{ id: 'call_1', name: 'logs', text: '12 lines' }] },
        ],
      },
      ASKING,
    );
    expect(server.requests[0]?.texts).toContain('12 lines');
    expect(server.requests[0]?.body.match(/call_1/gu)).toHaveLength(2);
  });

  /** What each fault leaves of an answer; null where there is none. */
  const left: Record<ModelFault, 'calls' | 'text' | 'one call' | null> = {
    'finish stop': 'calls',
    'same index': null,
    'no id': api === 'openai' ? 'calls' : null,
    'cut json': null,
    'no usage': 'calls',
    'too many requests': null,
    html: null,
    'call as text': 'calls',
    abort: null,
    hang: null,
    trickle: null,
    empty: 'text',
    'unknown tool': null,
    'object arguments': 'calls',
    endless: null,
  };

  it.each(FAULTS)('%s: it ends in time, with an answer or a sentence', async (fault) => {
    const { session, clock, lines } = await setUp(() => ({ calls: [CALL], fault }), { api });
    const asked = session()
      .complete(prompt('Which logs?'), ASKING)
      .then(
        (reply) => reply,
        (error: unknown) => error,
      );
    let ended = false;
    void asked.then(() => {
      ended = true;
    });
    for (let second = 0; !ended && second < 31; second++) await clock.pass(1_000);
    const outcome = await asked;
    if (outcome instanceof Error) {
      expect(outcome).toBeInstanceOf(ModelUnavailable);
      expect(left[fault]).toBeNull();
    } else if (left[fault] === 'calls') expect(outcome).toMatchObject({ calls: [CALL] });
    expect(lines.join('\n')).not.toContain('sk-the-key');
  });
});

it('nothing of a secret, an address or a card leaves', async () => {
  const { session, server } = await setUp(() => ({ text: 'Well.' }));
  const secret =
    'password=hunter2hunter2 ann@example.com 4111 1111 1111 1111 Authorization: Bearer abcdef1234567890';
  await session().complete(prompt(secret), ASKING);
  const [sent] = server.requests;
  for (const part of ['hunter2', 'ann@example.com', '4111', 'abcdef1234567890'])
    expect(sent?.body).not.toContain(part);
  expect(sent?.texts).toContain('‹email-1›');
});

it('the key goes to the model’s host alone: a redirect is not followed', async () => {
  const seen: string[] = [];
  const { session } = await setUp(
    () => ({}),
    { key: 'sk-the-key' },
    async (input, init) => {
      seen.push(`${String(input)} ${init?.redirect}`);
      return new Response(null, { status: 302, headers: { location: 'http://elsewhere.example.com' } });
    },
  );
  await expect(session().complete(prompt('?'), ASKING)).rejects.toThrow(/redirects \(302\)/u);
  expect(seen).toEqual(['http://model.example.com/v1/chat/completions manual']);
});

it.each([
  [401, /refuses the key/u],
  [404, /no such address or model/u],
  [500, /answers with 500/u],
])('a refusal (%d) is put into our own words, and costs nothing', async (status, message) => {
  const { session, model } = await setUp(
    () => ({}),
    {},
    async () => new Response('{"error":"the key sk-abc is wrong"}', { status }),
  );
  const refused = await session()
    .complete(prompt('?'), ASKING)
    .catch((error: unknown) => error);
  expect(String(refused)).toMatch(message);
  expect(String(refused)).not.toContain('sk-abc');
  expect((await model.today()).tokens).toBe(0);
});

it('a server that wants to be left alone is, for as long as it says', async () => {
  const { session, server, clock } = await setUp((turn) =>
    turn === 0 ? { fault: 'too many requests' } : { text: 'Well.' },
  );
  await expect(session().complete(prompt('?'), ASKING)).rejects.toThrow(ModelUnavailable);
  await expect(session().complete(prompt('?'), ASKING)).rejects.toThrow(/later/u);
  clock.advance(121_000);
  expect(await session().complete(prompt('?'), ASKING)).toMatchObject({ text: 'Well.' });
  expect(server.requests).toHaveLength(2);
});

describe('what may be spent', () => {
  it('sixteen questions at once do not take more than the day has', async () => {
    const { session, model, server } = await setUp(
      () => ({ text: 'Well.', usage: { input: 90, output: 60 } }),
      {
        dayTokens: 1_000,
      },
    );
    await Promise.allSettled(
      Array.from({ length: 16 }, () => session().complete(prompt('?', false), ASKING)),
    );
    expect(server.requests.length).toBeGreaterThan(0);
    expect((await model.today()).tokens).toBeLessThanOrEqual(1_000);
  });

  it('one question does not take more requests or tokens than it may', async () => {
    const { session } = await setUp(() => ({ text: 'Well.', usage: { input: 400, output: 100 } }), {
      maxCalls: 3,
      maxTokens: 800,
    });
    const one = session();
    await one.complete(prompt('?', false), ASKING);
    await one.complete(prompt('?', false), ASKING).catch(() => undefined);
    await expect(one.complete(prompt('?'.repeat(1_000), false), ASKING)).rejects.toThrow(
      /MODEL_MAX_TOKENS|times/u,
    );
    await expect(one.complete(prompt('?', false), ASKING)).rejects.toThrow(/3 times|MODEL_MAX_TOKENS/u);
  });

  it('where the server does not say what it took, what was reserved counts', async () => {
    const { session, model } = await setUp(() => ({ text: 'Well.', fault: 'no usage' }));
    await session().complete(prompt('?', false), ASKING);
    expect((await model.today()).tokens).toBeGreaterThan(100);
  });

  it('at the ceiling nothing is sent, and one line says so', async () => {
    const { session, server, lines } = await setUp(() => ({ text: 'Well.' }), { dayTokens: 0 });
    for (let i = 0; i < 3; i++)
      await expect(session().complete(prompt('?'), ASKING)).rejects.toThrow(/MODEL_DAY_TOKENS/u);
    expect(server.requests).toEqual([]);
    expect(lines.filter((line) => line.includes('raise MODEL_DAY_TOKENS'))).toHaveLength(1);
  });
});
