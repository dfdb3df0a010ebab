import { describe, expect, it } from 'vitest';
import { startConversation } from '../../../src/bot/asking/ask.ts';
import { stopListening } from '../../../src/bot/asking/stop.ts';
import { until } from '../../support/until.ts';
import { asking, done, saying, waiting } from './support.ts';

function pressed(who: string, cause: string) {
  return { who, cause, moment: { ts: null, receivedAt: 1 } };
}

describe('Stop', () => {
  it('ends an answer with what has arrived of it, and the next question is asked', async () => {
    await using test = await asking();
    test.service.answers.push(waiting('never', 'The ', 'po').answering, saying(done('two')));
    test.answerer.start();
    await test.ask('q1');
    await until('it grows', async () => (await test.store.questions.get('q1'))?.answer === 'The po');
    await test.ask('q2');
    expect(await test.stop('q1', 'U2')).toBe(true);
    expect(await test.reached('q1', 'stopped')).toMatchObject({
      answer: 'The po',
      note: null,
      stoppedBy: 'U2',
    });
    expect(await test.reached('q2', 'complete')).toMatchObject({ answer: 'two' });
  });

  it('ends what the agent has not said a word of', async () => {
    await using test = await asking();
    test.service.answers.push(waiting('never').answering);
    test.answerer.start();
    await test.ask('q1');
    await until('it is being asked', () => test.service.questions.length === 1);
    const before = await test.wanted('q1');
    await test.stop('q1');
    expect(await test.reached('q1', 'stopped')).toMatchObject({ answer: '' });
    // Once for the press, once for the end.
    expect(await test.wanted('q1')).toBe(before + 2);
  });

  it('ends it while what goes along is still being read', async () => {
    const reading = Promise.withResolvers<never>();
    let reads = 0;
    const talk = () => {
      reads += 1;
      return reading.promise;
    };
    await using test = await asking({ materials: { talk } });
    test.answerer.start();
    await test.ask('q1');
    await until('it is being read', () => reads === 1);
    await test.stop('q1');
    await test.reached('q1', 'stopped');
    expect(test.service.questions).toEqual([]);
  });

  it('takes back a question that waits, and those behind it move up', async () => {
    await using test = await asking();
    for (const id of ['q1', 'q2', 'q3']) {
      await test.ask(id);
      await test.opened.clock.sleep(1);
    }
    const before = await test.wanted('q3');
    expect(await test.stop('q2')).toBe(true);
    expect(await test.store.questions.get('q2')).toMatchObject({ state: 'stopped' });
    expect(await test.wanted('q3')).toBe(before + 1);
    test.service.answers.push(saying(done('one')), saying(done('three')));
    test.answerer.start();
    await test.reached('q3', 'complete');
    expect(test.service.questions.map(({ question }) => question)).toEqual(['about q1', 'about q3']);
  });

  it('that comes just as the answer ends leaves it whole', async () => {
    await using test = await asking();
    test.service.answers.push(async function* () {
      await test.store.questions.stop('q1', 'U2', 1);
      yield done('one');
    });
    test.answerer.start();
    await test.ask('q1');
    expect(await test.reached('q1', 'complete')).toMatchObject({ answer: 'one', stoppedBy: null });
  });

  it('of what has ended does nothing', async () => {
    await using test = await asking();
    test.service.answers.push(saying(done('one')));
    test.answerer.start();
    await test.ask('q1');
    await test.reached('q1', 'complete');
    const before = await test.wanted('q1');
    expect([await test.stop('q1'), await test.stop('unknown')]).toEqual([false, false]);
    expect([await test.wanted('q1'), (await test.store.questions.get('q1'))?.stoppedBy]).toEqual([
      before,
      null,
    ]);
  });

  it('holds though the program dies before it could end the answer, and its message says so', async () => {
    await using test = await asking();
    await test.ask('q1');
    await test.ask('q2');
    await test.store.questions.begin('q1', 1);
    await test.store.questions.update('q1', { answer: 'The po' }, 2);
    await test.stop('q1');
    const before = await test.wanted('q1');
    test.service.answers.push(saying(done('two')));
    test.restarted().start();
    expect(await test.reached('q1', 'stopped')).toMatchObject({ answer: 'The po', stoppedBy: 'U1' });
    expect(await test.wanted('q1')).toBe(before + 1);
    await test.reached('q2', 'complete');
    expect(test.service.questions.map(({ question }) => question)).toEqual([
      expect.stringMatching(/about q2$/u),
    ]);
  });
});

describe('Stop listening', () => {
  it('says who wanted it, once', async () => {
    await using test = await asking();
    await test.ask('q1');
    const stop = (cause: string) => stopListening('q1', pressed('U2', cause), test.options);
    expect([await stop('press-1'), await stop('press-1'), await stop('press-2')]).toEqual([
      'stopped',
      'not_listening',
      'not_listening',
    ]);
    expect(await test.store.conversations.get('q1')).toMatchObject({ listening: false });
    expect(await test.store.outbox.get('not_listening:press-1')).toMatchObject({
      kind: 'aside',
      channel: 'C1',
      threadTs: '1.0',
      payload: '{"aside":"not_listening","conversation":"q1","who":"U2"}',
      wanted: 1,
    });
    expect(await test.store.outbox.get('not_listening:press-2')).toBeNull();
  });

  it('lets what was asked before be answered', async () => {
    await using test = await asking();
    await test.ask('q1');
    await stopListening('q1', pressed('U2', 'press-1'), test.options);
    test.service.answers.push(saying(done('one')));
    test.answerer.start();
    await test.reached('q1', 'complete');
    expect(await test.store.conversations.get('q1')).toMatchObject({ listening: false });
  });

  it('holds until somebody asks again, or presses Ask', async () => {
    await using test = await asking();
    const listening = async () => (await test.store.conversations.get('q1'))?.listening;
    await test.ask('q1');
    await stopListening('q1', pressed('U2', 'press-1'), test.options);
    await test.ask('q2');
    expect(await listening()).toBe(true);
    await stopListening('q1', pressed('U2', 'press-2'), test.options);
    const start = { id: 'pressed', channel: 'C1', threadTs: '1.0', asker: 'U3' };
    const started = await test.store.transaction((tx) => startConversation(tx, start, 5));
    expect([started.id, started.listening, await listening()]).toEqual(['q1', true, true]);
  });

  it('of what is no conversation does nothing', async () => {
    await using test = await asking();
    expect(await stopListening('unknown', pressed('U1', 'press-1'), test.options)).toBe('not_listening');
  });
});
