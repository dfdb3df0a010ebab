import { expect, it } from 'vitest';
import { nearest } from '../../src/lib/text.ts';

const words = ['watch', 'unwatch', 'pause', 'resume', 'dry-run', 'help'];

it.each([
  ['wach', 'watch'],
  ['watching', 'watch'],
  ['unwach', 'unwatch'],
  ['pasue', 'pause'],
  ['dryrun', 'dry-run'],
  ['help', 'help'],
  ['investigate', null],
  ['x', null],
  ['', null],
  ['watch'.repeat(10_000), null],
])('nearest to %o is %o', (typed, word) => {
  expect(nearest(typed, words)).toBe(word);
});
