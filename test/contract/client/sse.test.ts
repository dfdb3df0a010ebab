import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readEvents, type SseEvent } from '../../../src/contract/client/answer-stream.ts';
import { runs } from '../../support/property-runs.ts';
import { all } from './harness.ts';

async function* stream(...chunks: Array<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
}

function read(...chunks: Array<string | Uint8Array>): Promise<SseEvent[]> {
  return all(readEvents(stream(...chunks)));
}

/** Cuts bytes at the given places. */
function cutAt(bytes: Uint8Array, places: number[]): Uint8Array[] {
  const sorted = [
    0,
    ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ];
  return sorted.slice(1).map((end, index) => bytes.slice(sorted[index], end));
}

describe('a stream of events', () => {
  test('yields names and data, and joins lines of data', async () => {
    expect(await read('event: delta\ndata: a\ndata: b\n\n', 'data: c\n\n')).toEqual([
      { event: 'delta', data: 'a\nb', cut: false },
      { event: null, data: 'c', cut: false },
    ]);
  });

  test('passes over comments, ids, retries and events without data', async () => {
    expect(await read(': ping\n\nid: 4\nretry: 10\n\nevent: x\n\n: again\ndata: a\n\n')).toEqual([
      { event: null, data: 'a', cut: false },
    ]);
  });

  test.each([
    ['CRLF', '\r\n'],
    ['CR', '\r'],
    ['LF', '\n'],
  ])('reads lines that end with %s', async (_, end) => {
    expect(await read(`event: a${end}data: 1${end}${end}data: 2${end}${end}`)).toEqual([
      { event: 'a', data: '1', cut: false },
      { event: null, data: '2', cut: false },
    ]);
  });

  test('keeps a character whole whose bytes arrive apart', async () => {
    const bytes = new TextEncoder().encode('data: 🔍é\n\n');
    expect(await read(...cutAt(bytes, [7, 8, 9, 11]))).toEqual([{ event: null, data: '🔍é', cut: false }]);
  });

  test('marks the event that its end cuts off', async () => {
    expect(await read('data: whole\n\ndata: {"delta":"ha')).toEqual([
      { event: null, data: 'whole', cut: false },
      { event: null, data: '{"delta":"ha', cut: true },
    ]);
  });

  test('yields what arrived before it fails', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield* stream('data: a\n\ndata: b\n');
      throw new Error('reset');
    }
    const seen: string[] = [];
    await expect(async () => {
      for await (const { data } of readEvents(failing())) seen.push(data);
    }).rejects.toThrow('reset');
    expect(seen).toEqual(['a', 'b']);
  });

  test('reads the same however it is split', async () => {
    const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n]/u.test(text));
    const event = fc.record({
      event: fc.constantFrom(null, 'delta', 'x'),
      lines: fc.array(line, { minLength: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(4_000)),
        async (events, end, places) => {
          const text = events
            .map(({ event: name, lines }) =>
              [
                ...(name === null ? [] : [`event: ${name}`]),
                ': note',
                ...lines.map((each) => `data: ${each}`),
                '',
                '',
              ].join(end),
            )
            .join('');
          const bytes = new TextEncoder().encode(text);
          expect(await read(...cutAt(bytes, places))).toEqual(
            events.map(({ event: name, lines }) => ({ event: name, data: lines.join('\n'), cut: false })),
          );
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
