import { expect, it } from 'vitest';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createLanguageModelOf } from '../../../../src/bot/slack/access/language-model.ts';
import type { LanguageModel } from '../../../../src/contract/schema.ts';
import { manualClock } from '../../../support/manual-clock.ts';

const MODEL = { name: 'tiny', host: 'model.example.com', private: false, tokens: 5, ceiling: 9 };
const MINUTE = 60_000;

function world(answer: (signal: AbortSignal | undefined) => Promise<LanguageModel | null>) {
  const clock = manualClock();
  let asked = 0;
  const languageModel = (signal?: AbortSignal) => {
    asked++;
    return answer(signal);
  };
  const of = createLanguageModelOf({ service: { languageModel }, clock, log: createLogger('silent') });
  return { of, clock, asked: () => asked };
}

it('the service is asked once a minute, however many want to know', async () => {
  const w = world(async () => MODEL);
  expect(await Promise.all([w.of(), w.of()])).toEqual([MODEL, MODEL]);
  await w.of();
  expect(w.asked()).toBe(1);
  w.clock.advance(MINUTE);
  await w.of();
  expect(w.asked()).toBe(2);
});

it('nobody waits for it for long, and what it said last counts meanwhile', async () => {
  let isUp = true;
  const w = world((signal) =>
    isUp
      ? Promise.resolve(MODEL)
      : new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  );
  await w.of();
  isUp = false;
  w.clock.advance(MINUTE);
  const asking = w.of();
  await w.clock.pass(1_000);
  expect(await asking).toEqual(MODEL);
});
