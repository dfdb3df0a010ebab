import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../../src/service/telemetry/read-json.ts';

const MOST = 1_000_000;

/** The bytes of a text, in pieces of that size. */
async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('JSON that arrives in pieces', () => {
  it('is what it would be in one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.integer({ min: 1, max: 20 }), async (text, size) => {
        const { value, isCut } = await readJson(pieces(text, size), { most: MOST });
        expect({ value, isCut }).toEqual({ value: JSON.parse(text), isCut: false });
      }),
    );
  });

  it.each(['', '<html>', '{"a":[1,2', '{"a":[1,,2]}', '{"a":[1}]', '[1]]', '{"a":"b', '['.repeat(100_000)])(
    '%# is none',
    async (text) => {
      expect((await readJson(pieces(text, 7), { most: MOST })).value).toBeUndefined();
    },
  );

  it('may be one value a line', async () => {
    const read = async (text: string) => readJson(pieces(text, 5), { most: MOST, lines: true });
    expect(await read('{"a":"\\n,"}\n\n{"b":[1]}')).toEqual({
      value: [{ a: '\n,' }, { b: [1] }],
      isCut: false,
    });
    expect((await read('')).value).toEqual([]);
    expect((await read('{"a":1}\n{"b"')).value).toBeUndefined();
  });
});

describe('JSON that is too long', () => {
  const long = '{"data":{"kind":"é","result":["one",{"two":[2]},"three"]},"more":true}';

  it('ends with the last complete item', async () => {
    for (const size of [1, 9, 1_000]) {
      const upTo = (text: string) =>
        readJson(pieces(long, size), { most: Buffer.byteLength(long.slice(0, long.indexOf(text))) });
      const cut = (result: unknown[]) => ({ value: { data: { kind: 'é', result } }, isCut: true });
      expect(await upTo(',{')).toEqual(cut([]));
      expect(await upTo('{"two')).toEqual(cut(['one']));
      expect(await upTo('three')).toEqual(cut(['one', { two: [2] }]));
    }
    const lines = await readJson(pieces('{"a":1}\n{"a":2}\n{"a":3}', 3), { most: 20, lines: true });
    expect(lines).toEqual({ value: [{ a: 1 }, { a: 2 }], isCut: true });
  });

  it('is not read further once enough was taken', async () => {
    let read = 0;
    async function* endless() {
      yield Buffer.from('{"items":[');
      for (;;) {
        read++;
        yield Buffer.from(`${read},`);
      }
    }
    const taken: unknown[] = [];
    const take = (items: readonly unknown[], key: string) => {
      taken.push(key, ...items);
      return items.includes(3) ? null : [];
    };
    expect(await readJson(endless(), { most: MOST, take })).toEqual({ value: { items: [] }, isCut: false });
    expect(taken).toEqual(['items', 1, 'items', 2, 'items', 3]);
    expect(read).toBe(3);
  });
});
