import { describe, expect, it } from 'vitest';
import { readText } from '../../../src/contract/client/transport.ts';

const MAX_BYTES = 10_000;

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
    expect(await readText(arriving(text, 1).chunks, MAX_BYTES)).toBe(text);
  });

  it('stops as soon as it is too long', async () => {
    const { chunks, taken } = arriving(`"${'x'.repeat(1_000_000)}"`);
    await expect(readText(chunks, MAX_BYTES)).rejects.toThrow('longer than 10000 bytes');
    expect(taken.bytes).toBeLessThan(11_000);
  });
});
