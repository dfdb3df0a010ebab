import type { AgentContext } from '../../../src/bot/asking/agent-context.ts';
import { createAnswerer } from '../../../src/bot/asking/answerer.ts';
import { type Asked, type AskedAgain, type AskOptions, ask, askAgain } from '../../../src/bot/asking/ask.ts';
import { stopAnswer } from '../../../src/bot/asking/stop.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../src/bot/shared/metrics.ts';
import { createOriginOf } from '../../../src/bot/slack/access/consent.ts';
import type { Store } from '../../../src/bot/store/open.ts';
import type { Question } from '../../../src/bot/store/questions.ts';
import { createServices } from '../../../src/contract/client/client.ts';
import type { QueryEvent } from '../../../src/contract/client/query.ts';
import { noCheckpoint } from '../../../src/lib/clock.ts';
import type { Wakeup } from '../../../src/lib/worker-loop.ts';
import { type FakeService, fakeService } from '../../support/fake-service.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { until } from '../../support/until.ts';

type Answerer = ReturnType<typeof createAnswerer>;

/** A thread in which nobody said anything, and nothing that could be read. */
const nothingMore: AgentContext = {
  talk: async () => [],
  words: async (_conversation, { text }) => text,
  lookedAt: async () => null,
  owners: async () => [],
  file: async ({ name }) => ({ name, notRead: 'not a text file' }),
};

/** The answerer on a real store, with an agent that says what it is told to. */
export interface Asking extends AsyncDisposable {
  opened: TestStore;
  store: Store;
  service: FakeService;
  /** The organization of private channels. */
  privateService: FakeService;
  answerer: Answerer;
  /** Another answerer on the same store, as after a restart. */
  restarted(): Answerer;
  /** Rings where a question waits, or is to end. */
  asked: Wakeup;
  options: AskOptions;
  /** Asks as `U1`, in thread `1.0` of `C1`, unless told. */
  ask(
    id: string,
    overrides?: Partial<Asked>,
    limits?: { askPerUserHour?: number; askPerChannelHour?: number },
  ): Promise<void>;
  /** Presses *Stop*. */
  stop(id: string, who?: string): Promise<boolean>;
  /** Presses *Try again*. */
  again(id: string, who?: string): Promise<AskedAgain>;
  /** How often the message of an answer was asked for: once, and once for each edit. */
  wanted(id: string): Promise<number>;
  /** Waits until a question has reached a state. */
  reached(id: string, state: Question['state']): Promise<Question>;
}

interface AskingOptions {
  materials?: Partial<AgentContext>;
  /** What the answerer stores through, where that is to fail. */
  through?: (store: Store) => Store;
  /** Channels that are private, whose questions go to an organization of their own. */
  privateChannels?: readonly string[];
}

export async function asking({
  materials = {},
  through,
  privateChannels = [],
}: AskingOptions = {}): Promise<Asking> {
  const opened = await openTestStore();
  const { store, clock } = opened;
  const service = fakeService();
  const privateService = fakeService();
  const { asked } = opened.wakeups;
  const started: Answerer[] = [];
  const services = createServices({
    default: service.client,
    private: privateChannels.length > 0 ? privateService.client : null,
  });
  const make = () => {
    const answerer = createAnswerer({
      store: through ? through(store) : store,
      services,
      isPrivateChannel: async (channel) => privateChannels.includes(channel),
      originOf: createOriginOf({ store, languageModel: async () => null }),
      clock,
      log: createLogger('silent'),
      metrics: createMetrics(),
      asked,
      timeoutMs: 180_000,
      materials: { ...nothingMore, ...materials },
      checkpoint: noCheckpoint,
    });
    started.push(answerer);
    return answerer;
  };
  const limits = { askPerUserHour: 30, askPerChannelHour: 120 };
  return {
    opened,
    store,
    service,
    privateService,
    answerer: make(),
    restarted: make,
    asked,
    options: { store, clock, ...limits },
    ask: async (id, overrides = {}, lower = {}) => {
      const question = { id, channel: 'C1', threadTs: '1.0', asker: 'U1', text: `about ${id}`, ...overrides };
      await ask(question, { store, clock, ...limits, ...lower });
    },
    stop: async (id, who = 'U1') => {
      return stopAnswer(id, who, { store, clock });
    },
    again: async (id, who = 'U1') => {
      return askAgain(id, who, { store, clock, ...limits });
    },
    wanted: async (id) => (await store.outbox.get(`answer:${id}`))?.wanted ?? 0,
    reached: (id, state) =>
      until(`${id} is ${state}`, async () => {
        const question = await store.questions.get(id);
        return question?.state === state && question;
      }),
    [Symbol.asyncDispose]: async () => {
      for (const answerer of started) await answerer.stop();
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** The end of a whole answer. */
export function done(answer: string, conversationId: string | null = 'conversation-1'): QueryEvent {
  const id = conversationId === null ? {} : { conversation_id: conversationId };
  return { kind: 'done', response: { answer, ...id }, text: answer, complete: true };
}

/** Says these things, one after the other. */
export function saying(...events: QueryEvent[]) {
  return async function* () {
    yield* events;
  };
}

/** Fails before it says anything. */
export function failing(error: Error) {
  return (): AsyncIterable<QueryEvent> => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
  });
}

/** An answer that says some words and then waits until it is let go, or the question is given up. */
export function waiting(answer: string, ...words: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    release: resolve,
    async *answering(_request: unknown, signal: AbortSignal | undefined): AsyncGenerator<QueryEvent> {
      for (const text of words) yield { kind: 'delta', text };
      await new Promise<void>((go, giveUp) => {
        const end = () => giveUp(new Error('cancelled'));
        if (signal?.aborted) end();
        signal?.addEventListener('abort', end, { once: true });
        promise.then(go, giveUp);
      });
      yield done(answer);
    },
  };
}

/** Says these words, and then fails. */
export function breaking(error: Error, ...words: string[]) {
  return async function* (): AsyncGenerator<QueryEvent> {
    for (const text of words) yield { kind: 'delta', text };
    throw error;
  };
}
