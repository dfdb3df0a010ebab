import { describe, expect, it } from 'vitest';
import { climb, found, level, red } from './freight.ts';

/** `billing` degrades while the machine `vm-1` runs out of a resource; where it runs, and where `orders` does. */
async function causeOf(
  measure: 'cpu' | 'memory',
  { machine = 'vm-1', billing = ['vm-1:8080'], orders = ['vm-2:8080'] } = {},
): Promise<string> {
  const at = measure === 'cpu' ? level(0.3, 0.98) : climb(0.4, 0.97, 60);
  const { cause } = await found(
    {
      services: [
        { name: 'billing', instances: billing },
        { name: 'orders', instances: orders },
        ...(machine === 'billing' ? [] : [{ name: machine, kind: 'unknown' as const }]),
        { name: 'node', instances: ['vm-1:9100', 'vm-2:9100'] },
      ],
      metrics: [
        ...red('billing', { latency: level(0.1, 0.9) }),
        ...red('orders'),
        { service: 'node', measure: 'up', unit: '{instance}', at: () => 1 },
        { service: machine, measure, unit: '1', label: `node ${measure} usage`, at, shared: true },
      ],
    },
    { title: 'Billing is slow', service: 'billing' },
  );
  return cause;
}

describe.each([
  ['cpu', 'CPU starvation of billing'],
  ['memory', 'Memory leak in billing'],
] as const)('the %s of a machine', (measure, cause) => {
  it.each([
    ['runs there', {}],
    ['has its name', { machine: 'billing' }],
  ])('is that of the one service that %s', async (_which, known) => {
    expect(await causeOf(measure, known)).toBe(cause);
  });

  it.each([
    ['of two services that run there', { orders: ['vm-2:8080', 'vm-1:9090'] }],
    ['where it is not known where another service runs', { orders: [] }],
    ['of a service on another machine', { billing: ['vm-3:8080'] }],
  ])('is that of nobody %s', async (_where, known) => {
    expect(await causeOf(measure, known)).toBe('Unexplained degradation of billing');
  });
});
