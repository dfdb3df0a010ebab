import { expect, it } from 'vitest';
import { isRight } from '../../bench/phrases.ts';
import { labelled } from '../../bench/questions.ts';

const questions = labelled();
const others = questions.filter(({ tuned }) => !tuned);
const known = questions.filter(({ tuned }) => tuned);

it('of the questions that are no examples, 204 of 208 go where they should', () => {
  expect([others.filter((one) => isRight(one)).length, others.length]).toEqual([204, 208]);
});

it('all that is known goes where it should', () => {
  expect(known.filter((one) => !isRight(one)).map(({ question }) => question)).toEqual([]);
});
