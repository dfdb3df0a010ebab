import { join } from 'node:path';
import type { WebClient } from '@slack/web-api';
import type { Manifest, PageMessage, Workspace } from 'local-slack';
import { onTestFinished } from 'vitest';
import { createLogger } from '../../src/bot/shared/log.ts';
import { createSlackClient } from '../../src/bot/slack/client.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { projectRoot } from './files.ts';

/** What happens to one call instead of an ordinary answer. */
export type Fault =
  /** Slack refuses the call with an error code. */
  | { error: string; needed?: string; response_metadata?: { messages: string[] }; errors?: object[] }
  /** An HTTP status with nothing done. */
  | { status: number; retryAfter?: number }
  /** The connection is refused: nothing was done. */
  | 'unreachable'
  /** Slack did it, and its answer is lost. */
  | 'lost_answer'
  /** Slack did it, and did not answer in time. */
  | 'timeout';

type Args = Record<string, string>;
export type Answer = object | ((args: Args) => object | Promise<object>);

/** The local workspace behind the real Web API client, with a transport that records, fails and forges. */
export interface TestSlack {
  client: WebClient;
  calls: { method: string; args: Args; at: number }[];
  /** The methods called so far. */
  methods(): string[];
  /** The next calls of a method meet these, one each. */
  next(method: string, ...faults: Fault[]): void;
  /** What a method answers from now on, in place of the workspace; with `null`, the workspace again. */
  answers(method: string, answer: Answer | null): void;
  /** Started by the first call that is neither failed nor forged, or by whoever asks for it. */
  workspace(): Promise<Workspace>;
  /** What the bot has posted for everybody wherever it has called, as it looks now; oldest first. */
  messages(): PageMessage[];
}

/** Read once in a file of tests, because that takes longer than all else at a start. */
let manifest: Promise<Manifest> | undefined;

/** Slack's times are those of `clock`; what Slack does by itself later, such as ending a stream, it does when asked. */
export function testSlack(clock: Pick<Clock, 'now'>, token = 'xoxb-fake'): TestSlack {
  const calls: TestSlack['calls'] = [];
  const faults = new Map<string, Fault[]>();
  const answers = new Map<string, Answer>();
  let running: Workspace | undefined;
  let starting: Promise<Workspace> | undefined;
  const start = async () => {
    // Here, since most tests need no workspace.
    const { readManifest, startWorkspace } = await import('local-slack');
    manifest ??= readManifest(join(projectRoot, 'manifest.yml'));
    running = await startWorkspace({
      file: ':memory:',
      manifest: await manifest,
      clock: { now: clock.now, sleep: untilAborted },
      fileDelay: 0,
      botToken: token,
    });
    return running;
  };
  const workspace = () => {
    starting ??= start();
    return starting;
  };
  onTestFinished(async () => (await starting)?.close());

  const carriedOut = async (method: string, args: Args, init?: RequestInit) => {
    const answer = answers.get(method);
    if (answer === undefined) return fetch(new URL(method, (await workspace()).apiUrl), init);
    const body = typeof answer === 'function' ? await answer(args) : answer;
    return Response.json({ ok: true, ...body });
  };
  const call = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const method = String(url).split('/').at(-1) ?? '';
    const args = Object.fromEntries(new URLSearchParams(String(init?.body ?? '')));
    calls.push({ method, args, at: clock.now() });
    const fault = faults.get(method)?.shift();
    if (fault === 'unreachable') throw unreachable();
    if (typeof fault === 'object' && 'status' in fault) {
      const headers = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
      return new Response('', { status: fault.status, headers });
    }
    if (typeof fault === 'object') return Response.json({ ok: false, ...fault });
    const answer = await carriedOut(method, args, init);
    if (fault === 'lost_answer')
      throw new TypeError('fetch failed', { cause: new Error('other side closed') });
    if (fault === 'timeout') throw new DOMException('The operation timed out', 'TimeoutError');
    return answer;
  };

  return {
    client: createSlackClient({
      token,
      apiUrl: 'https://slack.test/api/',
      log: createLogger('silent'),
      fetch: call,
    }),
    calls,
    methods: () => calls.map(({ method }) => method),
    next: (method, ...more) => void faults.set(method, [...(faults.get(method) ?? []), ...more]),
    answers: (method, answer) =>
      void (answer === null ? answers.delete(method) : answers.set(method, answer)),
    workspace,
    messages: () =>
      running === undefined ? [] : postsIn(running, new Set(calls.map(({ args }) => args.channel ?? ''))),
  };
}

function postsIn(workspace: Workspace, channels: Iterable<string>): PageMessage[] {
  return [...channels]
    .flatMap((channel) => workspace.messages(channel))
    .flatMap((root) => (root.reply_count === undefined ? [root] : workspace.messages(root.channel, root.ts)))
    .filter(
      ({ user, bot_id, ephemeral_to }) =>
        bot_id !== undefined && user === workspace.botUserId && ephemeral_to === undefined,
    )
    .sort((a, b) => (a.ts < b.ts ? -1 : 1));
}

function untilAborted(_ms: number, signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function unreachable(): TypeError {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' });
  return new TypeError('fetch failed', { cause });
}
