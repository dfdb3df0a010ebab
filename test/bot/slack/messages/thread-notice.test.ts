import { describe, expect, it, onTestFinished } from 'vitest';
import { type Asked, answerLate, ask } from '../../../../src/bot/asking/ask.ts';
import { stopListening } from '../../../../src/bot/asking/stop.ts';
import {
  lateAnswersAskedFor,
  offerToAnswer,
  stoppedListening,
} from '../../../../src/bot/render/asking/thread-notices.ts';
import type { OutboxKey } from '../../../../src/bot/store/intents/keys.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { messagesOf } from '../support/messages-of.ts';

const HOUR_MS = 60 * 60_000;

/** A thread in which people ask, and what an aside comes to now. */
async function thread(channel = 'C1') {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  const contentOf = messagesOf({
    store,
    clock,
  });
  const options = { store, clock, askPerUserHour: 30, askPerChannelHour: 120 };
  const now = async (key: OutboxKey) => {
    const row = await store.outbox.get(key);
    if (row === null) throw new Error(`${key} is not wanted`);
    return contentOf(row);
  };
  return {
    options,
    now,
    late: (id: string, asker: string, asked: Partial<Asked> = {}) => {
      const writtenAt = clock.now() - 2 * HOUR_MS;
      return ask({ id, channel, threadTs: '1.0', asker, text: `about ${id}`, writtenAt, ...asked }, options);
    },
    /** What the line says, in its thread. */
    says: (rendered: object) => ({ kind: 'messages', parts: [rendered], channel, threadTs: '1.0' }),
  };
}

describe('the line about late questions', () => {
  it('offers to answer all of them, in the order in which they were written', async () => {
    const { options, late, now, says } = await thread();
    await late('q2', 'U0BOB');
    await late('q1', 'U0ALICE', { writtenAt: options.clock.now() - 3 * HOUR_MS });
    expect(await now('late:q2')).toEqual(
      says(
        offerToAnswer('late:q2', [
          { asker: 'U0ALICE', text: 'about q1' },
          { asker: 'U0BOB', text: 'about q2' },
        ]),
      ),
    );
  });

  it('says who wanted the answers, and goes on saying so when somebody else presses', async () => {
    const { options, late, now, says } = await thread();
    await late('q1', 'U0ALICE');
    expect(await answerLate('late:q1', 'U0BOB', options)).toBe('asked');
    expect(await answerLate('late:q1', 'U0CAROL', options)).toBe('not_now');
    expect(await now('late:q1')).toEqual(says(lateAnswersAskedFor('U0BOB')));
  });

  it('is another one for what comes late after that', async () => {
    const { options, late, now, says } = await thread();
    await late('q1', 'U0ALICE');
    await answerLate('late:q1', 'U0BOB', options);
    await late('q2', 'U0ALICE');
    expect(await now('late:q1')).toEqual(says(lateAnswersAskedFor('U0BOB')));
    expect(await now('late:q2')).toEqual(
      says(offerToAnswer('late:q2', [{ asker: 'U0ALICE', text: 'about q2' }])),
    );
  });
});

describe('the line about no longer listening', () => {
  it.each(['C1', 'D1'])('says in %s who wanted that', async (channel) => {
    const { options, now, says } = await thread(channel);
    const { store, clock } = options;
    const asked = { id: 'q1', channel, threadTs: '1.0', asker: 'U0ALICE', text: 'why?' };
    await ask(asked, options);
    const pressed = { who: 'U0BOB', cause: 'press-1', moment: { ts: null, receivedAt: 1 } };
    expect(await stopListening('q1', pressed, { store, clock })).toBe('stopped');
    expect(await now('not_listening:press-1')).toEqual(says(stoppedListening('U0BOB', channel === 'D1')));
  });
});
