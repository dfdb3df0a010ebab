import { expect, it } from 'vitest';
import { termsOf } from '../../../../src/service/agent/catalog/terms.ts';

it.each([
  ['what fills up next?', ['fills', 'next'], []],
  ['is mysql up', ['mysql', 'up'], ['mysql']],
  ['which pages went thru', ['pages', 'went', 'thru'], ['pages']],
  // What is asked with yes or no is asked by its verb.
  ['did we lose any pages', ['lose', 'pages'], ['lose', 'pages']],
  ['whats the lag of readings.raw', ['lag', 'readings.raw'], ['lag', 'readings.raw']],
])('a question asks for things by its words: %s', (question, words, things) => {
  const terms = termsOf(question);
  expect(terms.map(({ word }) => word)).toEqual(words);
  expect(terms.filter(({ isThing }) => isThing).map(({ word }) => word)).toEqual(things);
});
