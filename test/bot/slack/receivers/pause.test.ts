import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { pauseWhileDatabaseIsDown } from '../../../../src/bot/slack/receivers/socket.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { until } from '../../../support/until.ts';

/** A replica whose database comes and goes. */
function replica() {
  const clock = manualClock();
  const stopping = new AbortController();
  const database = { answers: async () => true };
  const did: string[] = [];
  let looks = 0;
  void pauseWhileDatabaseIsDown({
    canStore: () => {
      looks += 1;
      return database.answers();
    },
    clock,
    log: createLogger('silent'),
    signal: stopping.signal,
    pause: () => void did.push('pauses'),
    resume: () => void did.push('resumes'),
  });
  onTestFinished(() => stopping.abort());
  const pass = async (seconds: number) => {
    for (let s = 0; s < seconds; s += 2) {
      const before = looks;
      clock.advance(2_000);
      await until('it has looked', () => looks > before);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { did, database, pass };
}

it('leaves the deliveries to others once it has had no database for ten seconds, until it is back', async () => {
  const { did, database, pass } = replica();
  await pass(20);
  database.answers = async () => false;
  await pass(8);
  expect(did).toEqual([]);
  await pass(4);
  expect(did).toEqual(['pauses']);
  await pass(60);
  expect(did).toEqual(['pauses']);
  database.answers = async () => true;
  await pass(2);
  expect(did).toEqual(['pauses', 'resumes']);
});

it('stays for a restart of the server, and leaves if the database answers with errors', async () => {
  const { did, database, pass } = replica();
  database.answers = async () => false;
  await pass(8);
  database.answers = async () => true;
  await pass(2);
  database.answers = () => Promise.reject(new Error('connection refused'));
  await pass(8);
  expect(did).toEqual([]);
  await pass(4);
  expect(did).toEqual(['pauses']);
});
