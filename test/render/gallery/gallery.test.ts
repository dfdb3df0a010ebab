import { describe, expect, it } from 'vitest';
import { galleryEntries, renderEntry } from '../../../src/tools/gallery/entries.ts';
import { refusals } from '../every-renderer/limits.ts';
import { unsafeIn } from '../every-renderer/safety.ts';

describe('the gallery of results', () => {
  it.each(galleryEntries())('shows $name as before', async (entry) => {
    const messages = renderEntry(entry);
    for (const message of messages) {
      expect(refusals(message)).toEqual([]);
      expect(unsafeIn(message, {})).toEqual([]);
    }
    const file = `./snapshots/${entry.name.replaceAll(' ', '-')}.json`;
    await expect(`${JSON.stringify(messages, null, 2)}\n`).toMatchFileSnapshot(file);
  });
});
