import { expect, it } from 'vitest';
import { emojiFile } from '../../src/page-emoji.ts';

it('the picture of an emoji is named by its code point, whatever its presentation', () => {
  expect(['👀', '⚠️', 'ℹ️'].map(emojiFile)).toEqual(['emoji/1f440.svg', 'emoji/26a0.svg', 'emoji/2139.svg']);
});
