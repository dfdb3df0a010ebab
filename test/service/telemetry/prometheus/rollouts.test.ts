import { expect, it } from 'vitest';
import { UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { known } from '../../../../src/service/telemetry/model.ts';
import { Naming } from '../../../../src/service/telemetry/prometheus/naming.ts';
import { rolloutsIn } from '../../../../src/service/telemetry/prometheus/rollouts.ts';

const MINUTE = 60_000;
const FROM = Date.UTC(2026, 10, 27, 17);

/** The changes that version metrics show: each version with the minutes in which it is seen, from `FROM` on. */
async function seen(versions: Record<string, (minute: number) => boolean>, from = FROM) {
  const { changes } = await rolloutsIn({
    client: {
      query: async () => known([]),
      queryRange: async (_expression, window, stepMs) =>
        known(
          Object.entries(versions).map(([version, isSeen]) => {
            const times: number[] = [];
            for (let at = window.from; at < window.to; at += stepMs)
              if (isSeen((at - FROM) / MINUTE)) times.push(at);
            return {
              labels: { service: 'orders', version },
              points: { times: Float64Array.from(times), values: new Float64Array(times.length).fill(1) },
            };
          }),
        ),
    },
    names: new Set(['app_build_info']),
    naming: new Naming(),
    window: { from, to: FROM + 60 * MINUTE },
    stepMs: MINUTE,
    budget: UNLIMITED,
  });
  return changes.map(({ at, title, version }) => `${(at - FROM) / MINUTE}: ${title} (${version})`);
}

it('sees a version that comes, and an older one that comes back', async () => {
  const versions = {
    '2.3.9': (minute: number) => minute < 12 || minute >= 40,
    '2.4.0': (minute: number) => minute >= 10 && minute < 41,
  };
  expect(await seen(versions)).toEqual([
    '10: Deploy orders 2.4.0 (2.4.0)',
    '40: Rolled orders back to 2.3.9 (2.3.9)',
  ]);
});

it('sees the one that comes back in a window that begins while the other runs', async () => {
  const versions = {
    '2.3.9': (minute: number) => minute < 12 || minute >= 40,
    '2.4.0': (minute: number) => minute >= 10 && minute < 41,
  };
  expect(await seen(versions, FROM + 11 * MINUTE)).toEqual(['40: Rolled orders back to 2.3.9 (2.3.9)']);
});

it('sees one that is rolled out again after it was rolled back', async () => {
  const versions = {
    '2.3.9': (minute: number) => minute < 12 || (minute >= 20 && minute < 41),
    '2.4.0': (minute: number) => (minute >= 10 && minute < 21) || minute >= 40,
  };
  expect(await seen(versions)).toEqual([
    '10: Deploy orders 2.4.0 (2.4.0)',
    '20: Rolled orders back to 2.3.9 (2.3.9)',
    '40: Deploy orders 2.4.0 (2.4.0)',
  ]);
});

it('takes no gap in the samples, and no version that always runs beside another, for a rollback', async () => {
  const versions = {
    '2.3.9': (minute: number) => minute < 20 || minute >= 30,
    'go1.25': () => true,
  };
  expect(await seen(versions)).toEqual([]);
});

it('knows which instances ran which version, and until when', async () => {
  const rows = [
    { pod: 'orders-a', version: '2.3.9', from: 0, to: 20 },
    { pod: 'orders-b', version: '2.3.9', from: 0, to: 12 },
    { pod: 'orders-c', version: '2.4.0', from: 10, to: 59 },
  ];
  const { changes } = await rolloutsIn({
    client: {
      query: async () => known([]),
      queryRange: async () =>
        known(
          rows.map(({ from, to, ...labels }) => {
            const times = Array.from({ length: to - from + 1 }, (_, i) => FROM + (from + i) * MINUTE);
            return {
              labels: { service: 'orders', ...labels },
              points: { times: Float64Array.from(times), values: new Float64Array(times.length).fill(1) },
            };
          }),
        ),
    },
    names: new Set(['app_build_info']),
    naming: new Naming(),
    window: { from: FROM, to: FROM + 60 * MINUTE },
    stepMs: MINUTE,
    budget: UNLIMITED,
  });
  expect(
    changes.flatMap(({ instances = [] }) =>
      instances.map(({ instance, isNew, to }) => `${instance} ${isNew} ${(to - FROM) / MINUTE}`),
    ),
  ).toEqual(['orders-a false 20', 'orders-b false 12', 'orders-c true 59']);
});

it('a new image is a deploy, and the image that was seen last before it is what ran before', async () => {
  const run = (image: string, from: number, to: number) => {
    const times = Float64Array.from({ length: to - from }, (_, i) => FROM + (from + i) * MINUTE);
    const labels = {
      namespace: 'shop',
      pod: `cart-${image.endsWith('1.3.0') ? '7d9f8b6c5d' : '6c5d7d9f8b'}-abcde`,
      container: 'cart',
      image,
    };
    return { labels, points: { times, values: times.map(() => 1) } };
  };
  const series = [
    run('registry:5000/cart:1.3.0', 0, 12),
    run('registry:5000/cart:1.4.0', 10, 42),
    run('registry:5000/cart:1.5.0', 40, 60),
    run('registry:5000/cart:1.5.0', 41, 60),
  ];
  const { changes } = await rolloutsIn({
    client: { query: async () => known([]), queryRange: async () => known(series) },
    names: new Set(['kube_pod_container_info']),
    naming: new Naming(),
    window: { from: FROM, to: FROM + 60 * MINUTE },
    stepMs: MINUTE,
    budget: UNLIMITED,
  });
  expect(changes.map(({ at, version, before }) => ({ at: (at - FROM) / MINUTE, version, before }))).toEqual([
    { at: 10, version: '1.4.0', before: '1.3.0' },
    { at: 40, version: '1.5.0', before: '1.4.0' },
  ]);
});
