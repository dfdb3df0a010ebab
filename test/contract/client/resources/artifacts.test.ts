import { describe, expect, test } from 'vitest';
import { harness } from '../harness.ts';

function artifact(id: string): Record<string, unknown> {
  return { id, provider: 'shop', type: 'metric', data: { name: 'p95', dataPoints: [{ asDouble: 1.5 }] } };
}

describe('artifacts', () => {
  test('come in the order of the ids, each once, and unknown ones are missing', async () => {
    await using h = await harness([{ json: [artifact('c'), artifact('a'), artifact('c')] }]);
    expect(await h.client.artifacts.get(['a', 'b', 'c', 'a'])).toEqual([artifact('a'), artifact('c')]);
    expect(h.service.received[0]?.path).toBe('/api/v2/artifacts?id=a&id=b&id=c');
  });

  test('are asked for a hundred at a time', async () => {
    const ids = Array.from({ length: 201 }, (_, index) => `a${index}`);
    await using h = await harness([
      { json: ids.slice(0, 100).map(artifact) },
      { json: ids.slice(100, 200).map(artifact) },
      { json: ids.slice(200).map(artifact) },
    ]);
    expect((await h.client.artifacts.get(ids)).map(({ id }) => id)).toEqual(ids);
    expect(h.service.received.map(({ path }) => path.split('id=').length - 1)).toEqual([100, 100, 1]);
  });

  test('without ids, or under an empty one, ask for nothing', async () => {
    await using h = await harness([]);
    expect(await h.client.artifacts.get([])).toEqual([]);
    expect(await h.client.artifacts.get([''])).toEqual([]);
    expect(h.service.received).toEqual([]);
  });

  test('lose a bad element, not the others, and keep kinds that nobody knows', async () => {
    const other = { id: 'b', provider: 'new-tool', type: 'profile', data: { frames: [1, null] } };
    await using h = await harness([{ json: ['x', other] }]);
    expect(await h.client.artifacts.get(['b'])).toEqual([other]);
    expect(h.drops).toEqual([{ operation: 'artifacts.get', requestId: null, paths: ['0'] }]);
  });
});
