import { describe, expect, it } from 'vitest';
import { bare } from '../../../../src/bot/render/escape.ts';
import { answerEntries } from '../../../../src/tools/gallery/answers.ts';
import { galleryEntries, newerBlockEntries, renderEntry } from '../../../../src/tools/gallery/entries.ts';
import { refusals } from '../every-renderer/limits.ts';
import { unsafeIn } from '../every-renderer/safety.ts';

/** Fewer letters may be the same of something else. */
const LEAST = 24;

/** Who asks in it. */
const MAY = { users: ['U0ALICE', 'U0BOB'] };
const entries = await galleryEntries();
const results = entries.map((entry) => ({ name: entry.name, messages: renderEntry(entry) }));

const newer = entries.slice(0, 1).flatMap(newerBlockEntries);

describe('the gallery', () => {
  it.each([...results, ...newer, ...answerEntries()])('shows $name as before', async ({ name, messages }) => {
    for (const message of messages) {
      expect(refusals(message)).toEqual([]);
      expect(unsafeIn(message, MAY)).toEqual([]);
    }
    const file = `./snapshots/${name.replaceAll(' ', '-')}.json`;
    const shown = messages.map(({ text, blocks }) => ({ text, blocks }));
    await expect(`${JSON.stringify(shown, null, 2)}\n`).toMatchFileSnapshot(file);
  });

  const real = results.filter(({ name }) => !['huge', 'hostile'].includes(name));
  it.each(real)('says nothing twice on the first screen of $name', ({ messages }) => {
    for (const { blocks } of messages) {
      const open = blocks.filter(({ type }) => type !== 'container');
      const sentences = JSON.stringify(open)
        .split(/(?<=[.:;])\s+|\\n|"/u)
        .map(bare)
        .filter((words) => words.length >= LEAST);
      expect(sentences.filter((words, index) => sentences.indexOf(words) !== index)).toEqual([]);
    }
  });
});
