import type { WebClient } from '@slack/web-api';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createSlackClient } from '../../../../src/bot/slack/client.ts';
import type { Clock } from '../../../../src/lib/clock.ts';

/** What happens to one call instead of an ordinary answer. */
export type Fault =
  /** Slack says no, by name. */
  | { error: string; needed?: string; response_metadata?: { messages: string[] } }
  /** An HTTP status with nothing done. */
  | { status: number; retryAfter?: number }
  /** The connection is refused: nothing was done. */
  | 'unreachable'
  /** Slack did it, and its answer is lost. */
  | 'lost_answer'
  /** Slack did it, and did not answer in time. */
  | 'timeout';

interface FakeMessage {
  channel: string;
  ts: string;
  thread_ts?: string;
  text: string;
  blocks: unknown[];
  metadata?: { event_type: string; event_payload: Record<string, unknown> };
  bot_id?: string;
  subtype?: string;
  /** While its stream is open. */
  streaming?: true;
}

interface FakeCall {
  method: string;
  args: Record<string, string>;
  at: number;
}

/** The part of Slack that delivering messages needs, behind the real Web API client, in memory. */
export interface FakeSlack {
  client: WebClient;
  calls: FakeCall[];
  messages: FakeMessage[];
  /** The next calls of a method meet these, one each. */
  next(method: string, ...faults: Fault[]): void;
  /** What a method answers from now on. */
  answers(method: string, body: Record<string, unknown>): void;
  /** The same, each call by itself. */
  answersWith(method: string, body: (args: Record<string, string>) => object | Promise<object>): void;
  /** From now on every thread's first message is gone: Slack puts replies at top level. */
  loseThreads(): void;
  /** The methods called so far. */
  methods(): string[];
}

export function fakeSlack(clock: Pick<Clock, 'now'>): FakeSlack {
  const calls: FakeCall[] = [];
  const messages: FakeMessage[] = [];
  const faults = new Map<string, Fault[]>();
  let count = 0;
  let threadless = false;

  const newTs = () => {
    count += 1;
    return `1700000000.${String(count).padStart(6, '0')}`;
  };
  const json = (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text));

  const handlers: Record<string, (args: Record<string, string>) => object | Promise<object>> = {
    'chat.postMessage': (args) => {
      const message: FakeMessage = {
        channel: args.channel ?? '',
        ts: newTs(),
        ...(args.thread_ts === undefined || threadless ? {} : { thread_ts: args.thread_ts }),
        text: args.text ?? '',
        blocks: json(args.blocks) ?? [],
        metadata: json(args.metadata),
        bot_id: 'B0BOT',
      };
      messages.push(message);
      return { ts: message.ts, channel: message.channel, message };
    },
    'chat.update': (args) => {
      const message = messages.find((one) => one.ts === args.ts);
      if (!message) return { ok: false, error: 'message_not_found' };
      if (message.streaming) return { ok: false, error: 'streaming_state_conflict' };
      Object.assign(message, { text: args.text ?? '', blocks: json(args.blocks) ?? [] });
      if (args.metadata !== undefined) message.metadata = json(args.metadata);
      return { ts: message.ts };
    },
    'chat.startStream': (args) => {
      const { channel = '', thread_ts } = args;
      const { text, blocks } = chunksOf(args);
      const parent = thread_ts === undefined ? {} : { thread_ts };
      messages.push({ channel, ts: newTs(), ...parent, text, blocks, bot_id: 'B0BOT', streaming: true });
      return { ts: messages.at(-1)?.ts, channel };
    },
    'chat.appendStream': (args) => {
      const message = messages.find((one) => one.ts === args.ts);
      if (!message?.streaming) return { ok: false, error: 'message_not_in_streaming_state' };
      message.text += chunksOf(args).text;
      return {};
    },
    'chat.stopStream': (args) => {
      const message = messages.find((one) => one.ts === args.ts);
      if (!message?.streaming) return { ok: false, error: 'message_not_in_streaming_state' };
      delete message.streaming;
      message.metadata = json(args.metadata);
      return {};
    },
    'chat.delete': (args) => {
      const index = messages.findIndex((one) => one.ts === args.ts);
      if (index < 0) return { ok: false, error: 'message_not_found' };
      messages.splice(index, 1);
      return {};
    },
    'conversations.replies': (args) => ({
      messages: messages.filter((one) => one.channel === args.channel && one.thread_ts === args.ts),
    }),
    'conversations.history': (args) => ({
      messages: messages.filter((one) => one.channel === args.channel && one.thread_ts === undefined),
    }),
    'conversations.open': (args) => ({ channel: { id: `D${args.users}` } }),
    'reactions.add': () => ({}),
    'reactions.remove': () => ({}),
  };

  async function answer(url: string, body: string): Promise<Response> {
    const method = url.split('/').at(-1) ?? '';
    const args = Object.fromEntries(new URLSearchParams(body));
    calls.push({ method, args, at: clock.now() });
    const fault = faults.get(method)?.shift();
    if (fault === 'unreachable') throw unreachable();
    if (typeof fault === 'object' && 'status' in fault) {
      const headers = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
      return new Response('', { status: fault.status, headers });
    }
    if (typeof fault === 'object') return Response.json({ ok: false, ...fault });
    const result = (await handlers[method]?.(args)) ?? { ok: false, error: 'unknown_method' };
    if (fault === 'lost_answer')
      throw new TypeError('fetch failed', { cause: new Error('other side closed') });
    if (fault === 'timeout') throw new DOMException('The operation timed out', 'TimeoutError');
    return Response.json({ ok: true, ...result });
  }

  return {
    client: createSlackClient({
      token: 'xoxb-fake',
      apiUrl: 'https://slack.test/api/',
      log: createLogger('silent'),
      fetch: (url, init) => answer(String(url), String(init?.body ?? '')),
    }),
    calls,
    messages,
    next: (method, ...more) => void faults.set(method, [...(faults.get(method) ?? []), ...more]),
    answers: (method, body) => {
      handlers[method] = () => body;
    },
    answersWith: (method, body) => {
      handlers[method] = body;
    },
    loseThreads: () => {
      threadless = true;
    },
    methods: () => calls.map(({ method }) => method),
  };
}

/** The words and the blocks of what goes into a stream. */
function chunksOf({ chunks = '[]' }: Record<string, string>): { text: string; blocks: unknown[] } {
  const all: { type: string; text?: string; blocks?: unknown[] }[] = JSON.parse(chunks);
  return {
    text: all.map(({ text = '' }) => text).join(''),
    blocks: all.flatMap(({ blocks = [] }) => blocks),
  };
}

function unreachable(): TypeError {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' });
  return new TypeError('fetch failed', { cause });
}
