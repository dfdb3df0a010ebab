import { parseJson } from '../../lib/json.ts';
import type { ModelSettings } from './settings.ts';

/** What the model is asked, in one request. */
export interface Prompt {
  system: string;
  messages: readonly Message[];
  tools: readonly ModelTool[];
  /** The most tokens that it may write. */
  mostOutput: number;
}

type Message =
  | { role: 'user'; text: string }
  /** What the model has called before, and what it got for it. */
  | { role: 'assistant'; calls: readonly { id: string; name: string; args: unknown }[] }
  | { role: 'results'; results: readonly { id: string; name: string; text: string }[] };

export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  parameters: { type: 'object'; properties: Record<string, Parameter>; required: string[] };
}

type Parameter =
  | { type: 'string'; description?: string; enum?: string[] }
  | { type: 'integer' | 'number' | 'boolean'; description?: string }
  | { type: 'array'; items: { type: 'string' }; description?: string };

/** What the model answered, once it is whole. */
export interface Reply {
  text: string;
  calls: readonly { name: string; args: unknown }[];
  /** Tokens in and out; `null` if the server did not say. */
  tokens: number | null;
}

/** Sends one request to a model, and reads its whole answer. Everything that leaves goes through `fetch`. */
export type Wire = (prompt: Prompt, fetch: typeof globalThis.fetch, signal: AbortSignal) => Promise<Reply>;

/** What a model that does not stop may write before it is cut off, by characters a token. */
const LONGEST_TOKEN = 12;

/** The two APIs, by the packages of the Vercel AI SDK, which are loaded only where a model is configured. */
export function createWire({ url, api, name, key }: ModelSettings): Wire {
  return async (prompt, fetch, signal) => {
    const model = await open(fetch);
    const { stream } = await model.doStream({
      prompt: [{ role: 'system', content: prompt.system }, ...prompt.messages.map(messageOf)],
      tools: prompt.tools.map(({ name: of, description, parameters }) => ({
        type: 'function' as const,
        name: of,
        description,
        inputSchema: parameters,
      })),
      maxOutputTokens: prompt.mostOutput,
      temperature: 0,
      abortSignal: signal,
    });
    return read(stream, prompt);
  };

  async function open(fetch: typeof globalThis.fetch) {
    // Without a key of its own, the package would look for one in the environment.
    const apiKey = key ?? 'none';
    if (api === 'anthropic') {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL: url, apiKey, fetch })(name);
    }
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name: 'model',
      baseURL: url,
      ...(key === null ? {} : { apiKey: key }),
      includeUsage: true,
      fetch: async (input, init) => withTextArguments(await fetch(input, init)),
      // OpenAI's own newer models refuse the name that everybody else knows.
      transformRequestBody: ({ max_tokens: most, ...body }) =>
        new URL(url).host === 'api.openai.com'
          ? { ...body, max_completion_tokens: most }
          : { ...body, max_tokens: most },
    })(name);
  }
}

type Stream = Awaited<
  ReturnType<
    ReturnType<ReturnType<typeof import('@ai-sdk/openai-compatible').createOpenAICompatible>>['doStream']
  >
>['stream'];

/** @throws what the stream reports as an error, or where it is longer than was asked for */
async function read(stream: Stream, { mostOutput, tools }: Prompt): Promise<Reply> {
  const calls: { name: string; args: unknown }[] = [];
  let text = '';
  let written = 0;
  let tokens: number | null = null;
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') text += part.delta;
    if (part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'tool-input-delta')
      written += part.delta.length;
    if (written > mostOutput * LONGEST_TOKEN) throw new Error('the answer is longer than was asked for');
    if (part.type === 'tool-call') calls.push({ name: part.toolName, args: parseJson(part.input) });
    if (part.type === 'finish') tokens = total(part.usage.inputTokens.total, part.usage.outputTokens.total);
  }
  return calls.length > 0 || tools.length === 0
    ? { text, calls, tokens }
    : { ...withCallsInText(text, tools), tokens };
}

/** Both or nothing: what the server says of one alone is no sum. */
function total(input: number | undefined, output: number | undefined): number | null {
  const isCount = (one: number | undefined): one is number => Number.isSafeInteger(one) && (one ?? 0) > 0;
  return isCount(input) && isCount(output) ? input + output : null;
}

/** Some models write a call as JSON into the text, with or without a fence. */
function withCallsInText(text: string, tools: readonly ModelTool[]): Pick<Reply, 'text' | 'calls'> {
  const found = parseJson(
    text
      .trim()
      .replace(/^(?:```(?:json)?|<tool_call>)/u, '')
      .replace(/(?:```|<\/tool_call>)$/u, ''),
  );
  const calls = (Array.isArray(found) ? found : [found]).flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('name' in one)) return [];
    const { name } = one;
    const args: unknown = 'arguments' in one ? one.arguments : 'parameters' in one ? one.parameters : {};
    const known = tools.find((tool) => tool.name === name);
    return known === undefined
      ? []
      : [{ name: known.name, args: typeof args === 'string' ? parseJson(args) : args }];
  });
  return calls.length === 0 ? { text, calls } : { text: '', calls };
}

function messageOf(message: Message) {
  if (message.role === 'user')
    return { role: 'user' as const, content: [{ type: 'text' as const, text: message.text }] };
  if (message.role === 'assistant')
    return {
      role: 'assistant' as const,
      content: message.calls.map(({ id, name, args }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: args ?? {},
      })),
    };
  return {
    role: 'tool' as const,
    content: message.results.map(({ id, name, text }) => ({
      type: 'tool-result' as const,
      toolCallId: id,
      toolName: name,
      output: { type: 'text' as const, value: text },
    })),
  };
}

/** Some servers send the arguments of a call as an object, where the API has a text. */
function withTextArguments(response: Response): Response {
  if (response.body === null || !response.ok) return response;
  let rest = '';
  const mend = (line: string): string => {
    const json = /^data: ?(\{.*"arguments": ?\{.*)$/u.exec(line)?.[1];
    const chunk = json === undefined ? undefined : parseJson(json);
    return chunk === undefined ? line : `data: ${JSON.stringify(argumentsAsText(chunk))}`;
  };
  const lines = new TransformStream<string, string>({
    transform: (chunk, controller) => {
      const whole = `${rest}${chunk}`.split('\n');
      rest = whole.pop() ?? '';
      for (const line of whole) controller.enqueue(`${mend(line)}\n`);
    },
    flush: (controller) => controller.enqueue(mend(rest)),
  });
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(lines)
    .pipeThrough(new TextEncoderStream());
  return new Response(body, response);
}

function argumentsAsText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(argumentsAsText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) =>
      name === 'arguments' && typeof inside === 'object'
        ? [name, JSON.stringify(inside)]
        : [name, argumentsAsText(inside)],
    ),
  );
}
