import { describe, expect, it } from 'vitest';
import { readText } from '../../../src/contract/client/transport.ts';

const BOUNDS = { bytes: 10_000, values: 100, depth: 10 };

/** The text in pieces of so many bytes, and how many of them were taken. */
function arriving(text: string, size = 7) {
  const bytes = new TextEncoder().encode(text);
  const taken = { bytes: 0 };
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) {
      taken.bytes += size;
      yield bytes.subarray(at, at + size);
    }
  }
  return { chunks: chunks(), taken };
}

describe('reading a body', () => {
  it('keeps characters that arrive in pieces whole', async () => {
    const text = JSON.stringify({ title: 'Köln “läuft” 🔥' });
    expect(await readText(arriving(text, 1).chunks, BOUNDS)).toBe(text);
  });

  it('counts nothing that stands in a string', async () => {
    const text = JSON.stringify({ log: '[{,:"\\'.repeat(200) });
    expect(await readText(arriving(text).chunks, BOUNDS)).toBe(text);
  });

  it.each([
    ['longer than 10000 bytes', `"${'x'.repeat(1_000_000)}"`],
    ['has more than 100 values', `[${Array(1_000_000).fill('{}').join(',')}]`],
    ['nested more than 10 levels deep', '['.repeat(1_000_000)],
  ])('stops as soon as it %s', async (why, text) => {
    const { chunks, taken } = arriving(text);
    await expect(readText(chunks, BOUNDS)).rejects.toThrow(why);
    expect(taken.bytes).toBeLessThan(11_000);
  });
});
