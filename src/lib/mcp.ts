import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import {
  type AuthInfo,
  type CallToolResult,
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  McpServer,
  originValidationResponse,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type BodyBudget, createBodyBudget, type NotRead } from './body-budget.ts';
import { createMasking } from './masking.ts';
import { addressIn } from './mcp-keys.ts';
import { withoutHidden } from './text.ts';
import './zod-words.ts';

/** A body, whatever it asks for; in bytes. */
const MAX_BODY_BYTES = 1024 * 1024;
const CALL_MS = 60_000;
/** Text of one answer; in characters. What is longer is cut, and says so. */
const MAX_TEXT = 20_000;

const masking = createMasking();

/** A tool failed in a way that its caller can do something about: the sentence says what. */
export class ToolError extends Error {
  override name = 'ToolError';
}

/** What a tool answers: data, and a short text of the same for clients that read only that. */
export interface ToolAnswer<Output> {
  data: Output;
  /** Our own words, and what others wrote as `ofOthers` returns it. */
  text: string;
  /** Blocks for Slackbot. */
  blocks?: readonly Record<string, unknown>[];
}

/** Who calls, and what a call can be told. */
export interface Call<Caller> {
  caller: Caller;
  signal: AbortSignal;
  /** Words on the way, for clients that show them. */
  progress(message: string): Promise<void>;
}

/**
 * One thing that a client can call.
 *
 * @example
 * tool({ name: 'get_writeup', title: 'Get the write-up', description: 'A blameless write-up in Markdown.',
 *   input: z.object({ issue: z.string() }), output: z.object({ markdown: z.string() }),
 *   run: async ({ issue }, call) => ({ data: { markdown }, text: ofOthers(markdown) }) })
 */
export interface Tool<
  Caller,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: Output;
  /** Changes something; only for callers that may. */
  writes?: true;
  run(input: z.output<Input>, call: Call<Caller>): Promise<ToolAnswer<z.input<Output>>>;
}

/** A tool with its types inferred. */
export function tool<Caller, Input extends z.ZodObject, Output extends z.ZodObject>(
  one: Tool<Caller, Input, Output>,
): Tool<Caller> {
  return {
    ...one,
    run: (input, call) => one.run(one.input.parse(input), call),
  };
}

interface Served<Caller> {
  name: string;
  version: string;
  instructions: string;
  tools: readonly Tool<Caller>[];
  /** Whether answers may have blocks for Slackbot. */
  blocks?: true;
  mayWrite(caller: Caller): boolean;
  /** Before each call of a tool; rejects with a `ToolError` to refuse it. */
  before(caller: Caller, tool: string): Promise<void>;
  /** What failed for reasons that no caller can do anything about. */
  onError(error: unknown, tool: string): void;
  /** Resources and prompts. */
  extend?(server: McpServer, caller: Caller): void;
}

interface EndpointOptions<Caller> {
  served: Served<Caller>;
  /** Whether only this machine reaches the port: then `Host` must name it. */
  isLocal: boolean;
  /** Sites whose pages may call, such as `https://app.example`, besides those of this machine. */
  origins: readonly string[];
  /** @param body reads it: nothing is held of whoever is refused by the headers alone; `null` where it is too large. */
  authenticate(
    request: Request,
    body: () => Promise<string | null>,
    address: string,
  ): Promise<Admission<Caller>>;
  onError(error: unknown): void;
}

/** Who sent a request, or how it is refused. */
export type Admission<Caller> = { caller: Caller } | { status: 401 | 403 | 429 | 503; error: string };

/**
 * Serves `POST /mcp` (streamable HTTP) to clients of both eras of the protocol, without sessions: any replica answers any
 * request. Browsers on sites that are not allowed are refused by `Origin`; nothing is read of a body beyond 1 MiB. A client
 * that does not accept streams gets JSON.
 */
export function createMcpEndpoint<Caller>(options: EndpointOptions<Caller>): RequestListener {
  return getRequestListener(createMcpFetch(options), { overrideGlobalObjects: false });
}

/** The same as a function of the web's own types. */
export function createMcpFetch<Caller>({
  served,
  isLocal,
  origins,
  authenticate,
  onError,
}: EndpointOptions<Caller>): (request: Request, env?: unknown) => Promise<Response> {
  const callers = new WeakMap<AuthInfo, { caller: Caller }>();
  const bodies = createBodyBudget();
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const found = authInfo && callers.get(authInfo);
      if (!found) throw new Error('a request reached the protocol without its caller');
      return serverFor(served, found.caller);
    },
    { maxRequestBodySize: MAX_BODY_BYTES, onerror: onError },
  );
  return async (request, env) => {
    const rejected =
      (isLocal ? hostHeaderValidationResponse(request, localhostAllowedHostnames()) : undefined) ??
      refuseOrigin(request, origins);
    if (rejected) return rejected;
    if (request.method === 'OPTIONS') return preflight(request);
    return forOrigin(request, await answer(request, env));
  };

  async function answer(request: Request, env: unknown): Promise<Response> {
    if (request.method !== 'POST') return refusal(405, 'MCP is served by POST.', { allow: 'POST' });
    let reading: Promise<Buffer | NotRead> | null = null;
    const read = () => {
      reading ??= bodyOf(request, bodies);
      return reading;
    };
    const admitted = await authenticate(request, async () => textOf(await read()), addressIn(env));
    const unread = reading === null ? null : await reading;
    if (unread === 'no_room') return crowded();
    if ('status' in admitted) {
      return refusal(admitted.status, admitted.error, REFUSAL_HEADERS[admitted.status]);
    }
    const found = await read();
    if (found === 'no_room') return crowded();
    const body = textOf(found);
    if (body === null) return refusal(413, 'The request has more than 1 MiB.', { connection: 'close' });
    let parsedBody: unknown;
    try {
      parsedBody = withoutNullArguments(JSON.parse(body));
    } catch {
      return refusal(400, 'The body is not JSON.');
    }
    // Many calls in one request would pass the limit per minute as one.
    if (Array.isArray(parsedBody)) return refusal(400, 'Send one message in a request, not a batch.');
    const { caller } = admitted;
    const forbidden = served.mayWrite(caller) ? null : writingCall(parsedBody, served.tools);
    if (forbidden !== null) {
      const message = 'This key may only read. Call this tool with a key that may write.';
      return Response.json({ jsonrpc: '2.0', id: forbidden.id, error: { code: -32_602, message } });
    }
    const authInfo: AuthInfo = { token: '', clientId: '', scopes: [] };
    callers.set(authInfo, { caller });
    const { url, method, signal } = request;
    const headers = new Headers(request.headers);
    headers.set('accept', ACCEPT);
    const bounded = new Request(url, {
      method,
      headers,
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
    });
    return inAcceptedForm(request, await handler.fetch(bounded, { authInfo, parsedBody }));
  }
}

const REFUSAL_HEADERS: Readonly<Record<number, Record<string, string>>> = {
  401: { 'www-authenticate': 'Bearer' },
  429: { 'retry-after': '60' },
};

const ToolCall = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.literal('tools/call'),
  params: z.object({ name: z.string() }),
});

/** A call of a tool that changes something; `null` for all other messages. */
function writingCall<Caller>(message: unknown, tools: readonly Tool<Caller>[]) {
  const found = ToolCall.safeParse(message).data;
  return found !== undefined && tools.some(({ name, writes }) => writes && name === found.params.name)
    ? found
    : null;
}

/** As JSON-RPC says it, for clients that show no HTTP status. */
function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }, { status, headers });
}

function crowded(): Response {
  return refusal(503, 'Too many requests are arriving at once; send it again.', {
    connection: 'close',
    'retry-after': '10',
  });
}

async function bodyOf(request: Request, bodies: BodyBudget): Promise<Buffer | NotRead> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) return 'too_large';
  return request.body === null
    ? Buffer.alloc(0)
    : bodies.read(Readable.fromWeb(request.body), MAX_BODY_BYTES);
}

/** `null` where it was not read. */
function textOf(body: Buffer | NotRead): string | null {
  return typeof body === 'string' ? null : body.toString('utf8');
}

function serverFor<Caller>(served: Served<Caller>, caller: Caller): McpServer {
  const { name, version, instructions, tools } = served;
  const server = new McpServer({ name, version }, { instructions });
  for (const one of tools) {
    if (one.writes && !served.mayWrite(caller)) continue;
    const writes = one.writes === true;
    server.registerTool(
      one.name,
      {
        title: one.title,
        description: one.description,
        inputSchema: lenient(one.input),
        // Many clients give it to the model, too.
        outputSchema: bare(writes ? one.output : one.output.describe('data of others')),
        annotations: {
          readOnlyHint: !writes,
          destructiveHint: false,
          idempotentHint: !writes,
          openWorldHint: false,
        },
        ...(served.blocks ? { _meta: { slack: { supportsBlockKit: true } } } : {}),
      },
      (input, context) => call(one, input, caller, served, context),
    );
  }
  served.extend?.(server, caller);
  return server;
}

async function call<Caller>(
  one: Tool<Caller>,
  input: Record<string, unknown>,
  caller: Caller,
  served: Served<Caller>,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const token = mcpReq._meta?.progressToken;
  let progress = 0;
  try {
    await served.before(caller, one.name);
    const { data, text, blocks } = await one.run(input, {
      caller,
      signal: mcpReq.signal,
      progress: async (message) => {
        if (token === undefined) return;
        progress += 1;
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: token, progress, message: plain(message) },
        });
      },
    });
    return {
      structuredContent: one.output.parse(clean(data)),
      content: [{ type: 'text', text }],
      ...(blocks === undefined ? {} : { _meta: { slack: { blocks: clean(blocks) } } }),
    };
  } catch (error) {
    if (error instanceof ToolError) return failed(error.message);
    served.onError(error, one.name);
    return failed('This failed for a reason that the log of Gumshoe has. Try again in a minute.');
  }
}

function failed(sentence: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: plain(sentence) }] };
}

/**
 * Marks text that others wrote (alerts, telemetry, people), which a model may take for instructions. It is cleaned first and
 * cut inside of its mark, so the mark cannot be closed, or left open, from inside.
 */
export function ofOthers(text: string): string {
  return `<data-of-others>\n${plain(text)}\n</data-of-others>`;
}

/** What a reader of tags could take for our mark. */
const MARK = /[<＜﹤](?=[^\p{L}<>]{0,40}data\W{0,4}of\W{0,4}others)/giu;

/** Text as it may leave: without secrets, personal data, hidden characters and marks, and bounded. */
function plain(text: string): string {
  const safe = masking.text(withoutHidden(text)).replace(MARK, '‹');
  return safe.length <= MAX_TEXT
    ? safe
    : `${safe.slice(0, MAX_TEXT).toWellFormed()}\n[cut: ${safe.length - MAX_TEXT} more characters]`;
}

function clean(value: unknown): unknown {
  return cleaned(masking.value(value));
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return plain(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [plain(key), cleaned(one)]));
}

/** How many, with the usual number where none is given. */
export const count = (most: number, usual: number) => z.number().int().min(1).max(most).default(usual);

const STREAM = 'text/event-stream';
/** What the protocol wants a client to accept; many send less. */
const ACCEPT = `application/json, ${STREAM}`;

/** A refusal of browsers on sites that are not allowed; `undefined` for all other clients. */
function refuseOrigin(request: Request, allowed: readonly string[]): Response | undefined {
  const origin = request.headers.get('origin');
  return origin !== null && allowed.includes(origin)
    ? undefined
    : originValidationResponse(request, localhostAllowedOrigins());
}

/** Answers a browser's preflight request, whose origin is allowed. */
function preflight(request: Request): Response {
  const headers = {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '',
    'access-control-max-age': '600',
  };
  return forOrigin(request, new Response(null, { status: 204, headers }));
}

/** The response, readable by the page of an allowed origin that sent the request. */
function forOrigin(request: Request, response: Response): Response {
  const origin = request.headers.get('origin');
  if (origin === null || origin === '') return response;
  const headers = new Headers(response.headers);
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-expose-headers', 'www-authenticate, retry-after');
  headers.append('vary', 'origin');
  return new Response(response.body, { status: response.status, headers });
}

const Message = z.looseObject({ id: z.union([z.string(), z.number()]) });

/** The response as one JSON document where the client has not said that it reads streams. */
async function inAcceptedForm(request: Request, response: Response): Promise<Response> {
  const reads = request.headers.get('accept')?.toLowerCase() ?? '';
  const isStream = response.headers.get('content-type')?.startsWith(STREAM) === true;
  if (!isStream || reads.includes(STREAM)) return response;
  // Progress goes without an id; the one message with an id is the answer.
  const answer = (await response.text())
    .split(/\r?\n/u)
    .filter((line) => line.startsWith('data:') && line.slice('data:'.length).trim() !== '')
    .map((line): unknown => JSON.parse(line.slice('data:'.length)))
    .find((message) => Message.safeParse(message).success);
  return Response.json(answer ?? null, { status: response.status });
}

const WithoutArguments = z.looseObject({ params: z.looseObject({ arguments: z.null() }) });

/** The message without `arguments: null`, which means the same as none. */
function withoutNullArguments(message: unknown): unknown {
  const found = WithoutArguments.safeParse(message).data;
  if (found === undefined) return message;
  const { arguments: _, ...params } = found.params;
  return { ...found, params };
}

type JsonSchema = Record<string, unknown>;
type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';

const Described = z.object({
  properties: z.record(z.string(), z.looseObject({ type: z.string().optional() })).default({}),
  required: z.array(z.string()).default([]),
});

/**
 * The schema of a tool's input as clients fill it in: models send `null` for what they leave out, a number where digits in
 * text are wanted and the reverse, and an object where a text holds JSON. The values are converted before they are checked,
 * so every tool sees its own types. Its JSON schema carries no `$schema`, which some clients refuse.
 */
export function lenient(schema: z.ZodObject): StandardSchemaWithJSON<unknown, Record<string, unknown>> {
  const { properties, required } = Described.parse(z.toJSONSchema(schema, { io: 'input' }));
  const fitted = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, one]) => one !== null || required.includes(key))
        .map(([key, one]) => [key, converted(one, properties[key]?.type)]),
    );
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'gumshoe',
      validate: (value) => schema['~standard'].validate(fitted(value)),
      jsonSchema: describing(schema),
    },
  };
}

/** The schema of a tool's answer, described without `$schema`. */
export function bare(schema: z.ZodObject): StandardSchemaWithJSON<unknown, Record<string, unknown>> {
  return {
    '~standard': {
      version: 1,
      vendor: 'gumshoe',
      validate: (value) => schema['~standard'].validate(value),
      jsonSchema: describing(schema),
    },
  };
}

function describing(schema: z.ZodObject) {
  const describe = (io: 'input' | 'output'): JsonSchema => {
    // Definitions are paid for by each conversation; that an answer has no more fields need not be known.
    const override = ({ jsonSchema }: { jsonSchema: JsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    };
    const { $schema: _, ...described } = z.toJSONSchema(schema, { io, override });
    return described;
  };
  return { input: () => describe('input'), output: () => describe('output') };
}

/** The value as the wanted type where that is certain; else as it came, for the schema to refuse. */
function converted(value: unknown, wanted: JsonType | string | undefined): unknown {
  if (wanted === 'string') {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  }
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (wanted === 'number' || wanted === 'integer')
    return /^[+-]?\d+(?:\.\d+)?$/u.test(text) ? Number(text) : value;
  if (wanted === 'boolean') return text === 'true' ? true : text === 'false' ? false : value;
  return value;
}
