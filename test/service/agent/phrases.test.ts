import { expect, it } from 'vitest';
import { PHRASES } from '../../../src/service/agent/phrases.ts';
import { isRight, weighPhrases } from '../../bench/phrases.ts';
import { labelled } from '../../bench/questions.ts';

const questions = labelled();
const heldOut = questions.filter(({ tuned }) => !tuned);
const known = questions.filter(({ tuned }) => tuned);

it('no phrase wins nothing: `npm run bench -- --phrases` weighs them', () => {
  const [wins, keeps] = [weighPhrases(heldOut), weighPhrases(known)];
  expect(PHRASES.filter((_, i) => (wins[i] ?? 0) + (keeps[i] ?? 0) <= 0)).toEqual([]);
});

it('of the questions that nobody tuned the phrases on, 200 of 208 go where they should', () => {
  expect([heldOut.filter((one) => isRight(one)).length, heldOut.length]).toEqual([200, 208]);
});

it('all that is known goes where it should', () => {
  expect(known.filter((one) => !isRight(one)).map(({ question }) => question)).toEqual([]);
});
