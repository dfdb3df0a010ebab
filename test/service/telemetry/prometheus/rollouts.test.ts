import { expect, it } from 'vitest';
import { UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { known } from '../../../../src/service/telemetry/model.ts';
import { Naming } from '../../../../src/service/telemetry/prometheus/naming.ts';
import { rolloutsIn } from '../../../../src/service/telemetry/prometheus/rollouts.ts';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 5, 1, 12);

it('a new image is a deploy, and the image that was seen last before it is what ran before', async () => {
  const run = (image: string, from: number, to: number) => {
    const times = Float64Array.from({ length: to - from }, (_, i) => NOON + (from + i) * MINUTE);
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
    window: { from: NOON, to: NOON + 60 * MINUTE },
    stepMs: MINUTE,
    budget: UNLIMITED,
  });
  expect(changes.map(({ at, version, before }) => ({ at: (at - NOON) / MINUTE, version, before }))).toEqual([
    { at: 10, version: '1.4.0', before: '1.3.0' },
    { at: 40, version: '1.5.0', before: '1.4.0' },
  ]);
});
