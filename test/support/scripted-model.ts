import { z } from 'zod';
import type { Clock } from '../../src/lib/clock.ts';
import type { ModelSettings } from '../../src/service/model/settings.ts';

/** What may be wrong with a model's server. */
export const FAULTS = [
  'finish stop',
  'same index',
  'no id',
  'cut json',
  'no usage',
  'too many requests',
  'html',
  'call as text',
  'abort',
  'hang',
  'trickle',
  'empty',
  'unknown tool',
  'object arguments',
  'endless',
] as const;
export type ModelFault = (typeof FAULTS)[number];

/** What the model answers to one request. */
export interface ScriptedTurn {
  text?: string;
  calls?: readonly { name: string; args: unknown }[];
  usage?: { input: number; output: number };
  fault?: ModelFault;
}

/** A request as the model's server got it. */
export interface ModelRequest {
  url: string;
  headers: Headers;
  body: string;
  /** All texts in it, without the definitions of tools. */
  texts: string;
  /** The names of the tools that it offers. */
  tools: string[];
}

const OpenAi = z.looseObject({
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })),
});
const Anthropic = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) });

/** A model's server in the same process: in place of `fetch`, on either wire. */
export function scriptedModel(
  api: ModelSettings['api'],
  script: (request: ModelRequest, turn: number) => ScriptedTurn,
  { clock }: { clock?: Clock } = {},
) {
  const requests: ModelRequest[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const body = String(init?.body ?? '');
    const parsed: unknown = JSON.parse(body);
    const request = {
      url: String(input instanceof Request ? input.url : input),
      headers: new Headers(init?.headers),
      body,
      texts: textsOf(parsed),
      tools:
        OpenAi.safeParse(parsed).data?.tools.map((one) => one.function.name) ??
        Anthropic.safeParse(parsed).data?.tools.map(({ name }) => name) ??
        [],
    };
    requests.push(request);
    const turn = script(request, requests.length - 1);
    return respond(api, turn, init?.signal ?? null, clock);
  };
  return { fetch, requests };
}

function textsOf(value: unknown): string {
  const found: string[] = [];
  const walk = (one: unknown): void => {
    if (typeof one === 'string') found.push(one);
    else if (Array.isArray(one)) one.forEach(walk);
    else if (typeof one === 'object' && one !== null)
      for (const [name, inside] of Object.entries(one)) if (name !== 'tools') walk(inside);
  };
  walk(value);
  return found.join('\n');
}

function respond(
  api: ModelSettings['api'],
  turn: ScriptedTurn,
  signal: AbortSignal | null,
  clock: Clock | undefined,
): Response | Promise<Response> {
  const { fault } = turn;
  if (fault === 'too many requests')
    return new Response('{"error":{"message":"slow down, sk-the-key-of-somebody-else-12345"}}', {
      status: 429,
      headers: { 'retry-after': '120', 'content-type': 'application/json' },
    });
  if (fault === 'html')
    return new Response('<html><body>502 Bad Gateway</body></html>', {
      headers: { 'content-type': 'text/html' },
    });
  if (fault === 'hang')
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const events = (api === 'openai' ? openAi : anthropic)(faulty(turn));
  const encoder = new TextEncoder();
  const sent = fault === 'abort' ? events.slice(0, 1) : events;
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (fault === 'trickle') await clock?.sleep(5_000, signal ?? undefined);
      if (fault === 'endless' && at > 2) at = 1;
      const event = sent[at++];
      if (event !== undefined) return controller.enqueue(encoder.encode(event));
      if (fault === 'abort') controller.error(new TypeError('terminated'));
      else controller.close();
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}

function faulty(turn: ScriptedTurn): ScriptedTurn {
  const [call] = turn.calls ?? [];
  switch (turn.fault) {
    case 'empty':
      return { ...turn, text: '', calls: [] };
    case 'unknown tool':
      return { ...turn, calls: [{ name: 'file_issue', args: { title: 'x' } }] };
    case 'call as text':
      return {
        ...turn,
        calls: [],
        text: `\`\`\`json\n${JSON.stringify({ name: call?.name, arguments: call?.args })}\n\`\`\``,
      };
    case 'endless':
      return { ...turn, calls: [], text: 'word '.repeat(50) };
    default:
      return turn;
  }
}

function openAi({
  text = '',
  calls = [],
  usage = { input: 100, output: 20 },
  fault,
}: ScriptedTurn): string[] {
  const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
  const argumentsOf = (args: unknown) => {
    const json = JSON.stringify(args);
    if (fault === 'object arguments') return args;
    return fault === 'cut json' ? json.slice(0, -2) : json;
  };
  return [
    chunk({ role: 'assistant' }),
    ...piecesOf(text).map((content) => chunk({ content })),
    ...calls.map(({ name, args }, i) =>
      chunk({
        tool_calls: [
          {
            index: fault === 'same index' ? 0 : i,
            ...(fault === 'no id' ? {} : { id: `call-${i}` }),
            type: 'function',
            function: { name, arguments: argumentsOf(args) },
          },
        ],
      }),
    ),
    chunk({}, calls.length > 0 && fault !== 'finish stop' ? 'tool_calls' : 'stop'),
    ...(fault === 'no usage'
      ? []
      : [
          `data: ${JSON.stringify({ id: 'c', choices: [], usage: { prompt_tokens: usage.input, completion_tokens: usage.output } })}\n\n`,
        ]),
    'data: [DONE]\n\n',
  ];
}

function anthropic({
  text = '',
  calls = [],
  usage = { input: 100, output: 20 },
  fault,
}: ScriptedTurn): string[] {
  const event = (type: string, more: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  const blocks = [...(text === '' ? [] : [{ text }]), ...calls.map((call) => ({ call }))];
  return [
    event('message_start', {
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'scripted',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: fault === 'no usage' ? 0 : usage.input, output_tokens: 1 },
      },
    }),
    ...blocks.flatMap((block, at) => {
      const index = fault === 'same index' ? 0 : at;
      if ('text' in block)
        return [
          event('content_block_start', { index, content_block: { type: 'text', text: '' } }),
          ...piecesOf(block.text).map((piece) =>
            event('content_block_delta', { index, delta: { type: 'text_delta', text: piece } }),
          ),
          event('content_block_stop', { index }),
        ];
      const { name, args } = block.call;
      const json = JSON.stringify(args);
      const input = fault === 'object arguments' ? args : {};
      return [
        event('content_block_start', {
          index,
          content_block: {
            type: 'tool_use',
            ...(fault === 'no id' ? {} : { id: `call-${at}` }),
            name,
            input,
          },
        }),
        ...(fault === 'object arguments'
          ? []
          : [
              event('content_block_delta', {
                index,
                delta: {
                  type: 'input_json_delta',
                  partial_json: fault === 'cut json' ? json.slice(0, -2) : json,
                },
              }),
            ]),
        event('content_block_stop', { index }),
      ];
    }),
    event('message_delta', {
      delta: {
        stop_reason: calls.length > 0 && fault !== 'finish stop' ? 'tool_use' : 'end_turn',
        stop_sequence: null,
      },
      ...(fault === 'no usage'
        ? { usage: { output_tokens: 0 } }
        : { usage: { output_tokens: usage.output } }),
    }),
    event('message_stop', {}),
  ];
}

function piecesOf(text: string): string[] {
  return text.match(/[\s\S]{1,12}/gu) ?? [];
}
