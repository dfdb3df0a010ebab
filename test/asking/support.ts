import { createAnswerer } from '../../src/asking/answerer.ts';
import { type Asked, ask } from '../../src/asking/ask.ts';
import { createBell } from '../../src/lib/bell.ts';
import { createLogger } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { noStep } from '../../src/lib/step.ts';
import type { QueryEvent } from '../../src/service/resources/query.ts';
import type { Store } from '../../src/store/open.ts';
import type { Question } from '../../src/store/questions.ts';
import { type FakeService, fakeService } from '../support/fake-service.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { until } from '../support/until.ts';

type Answerer = ReturnType<typeof createAnswerer>;

/** The answerer on a real store, with an agent that says what it is told to. */
export interface Asking extends AsyncDisposable {
  opened: TestStore;
  store: Store;
  service: FakeService;
  answerer: Answerer;
  /** Another answerer on the same store, as after a restart. */
  restarted(): Answerer;
  /** Asks as `U1`, in thread `1.0` of `C1`, unless told. */
  ask(
    id: string,
    overrides?: Partial<Asked>,
    limits?: { perUserHour?: number; perChannelHour?: number },
  ): Promise<void>;
  /** Waits until a question has reached a state. */
  reached(id: string, state: Question['state']): Promise<Question>;
}

export async function asking(): Promise<Asking> {
  const opened = await openTestStore();
  const { store, clock } = opened;
  const service = fakeService();
  const asked = createBell();
  const started: Answerer[] = [];
  const make = () => {
    const answerer = createAnswerer({
      store,
      service: service.client,
      clock,
      log: createLogger('silent'),
      metrics: createMetrics(),
      outbox: createBell(),
      asked,
      timeoutMs: 180_000,
      step: noStep,
    });
    started.push(answerer);
    return answerer;
  };
  return {
    opened,
    store,
    service,
    answerer: make(),
    restarted: make,
    ask: async (id, overrides = {}, limits = {}) => {
      const question = { id, channel: 'C1', threadTs: '1.0', asker: 'U1', text: `about ${id}`, ...overrides };
      await ask(question, { store, clock, perUserHour: 30, perChannelHour: 120, ...limits });
      asked.ring();
    },
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
