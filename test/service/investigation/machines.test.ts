import { describe, expect, it } from 'vitest';
import { climb, deploy, found, level, MINUTE, ONSET, red } from './freight.ts';

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

const FOOT = ONSET - 10 * 60 * MINUTE;

/** Fills from the foot on, and is full, or as full as it gets, at a moment. */
const filling =
  (full = ONSET - MINUTE, from = 0.88, to = 1, foot = FOOT) =>
  (at: number) =>
    at >= full ? to : from + (to - from) * Math.max(0, (at - foot) / (full - foot));

/** `billing` fails since no connection of the database on `ledger-1` is free, and a machine's disk fills up. */
async function withDisk({
  machine = 'ledger-1',
  at = filling(),
  billing = ['pod-1:8080'],
  labels = {} as Record<string, string>,
  over = {} as Partial<Parameters<typeof found>[0]>,
} = {}) {
  const { cause, summary, overview } = await found(
    {
      services: [
        { name: 'billing', instances: billing },
        {
          name: 'mysqld',
          kind: 'database',
          instances: ['ledger-1.dc.example:9104', 'ledger-2.dc.example:9104'],
        },
        { name: machine, kind: 'unknown' },
        { name: 'ledger', kind: 'unknown' },
        { name: 'node', instances: ['ledger-1.dc.example:9100', 'ledger-2.dc.example:9100'] },
      ],
      edges: [{ caller: 'billing', callee: 'mysqld' }],
      metrics: [
        ...red('billing', { errors: level(0.002, 0.4) }),
        {
          service: 'mysqld',
          measure: 'connections',
          unit: '{connection}',
          at: level(70, 600),
          limit: 600,
          labels,
        },
        { service: 'node', measure: 'up', unit: '{instance}', at: () => 2 },
        { service: machine, measure: 'disk', unit: '1', label: 'node disk usage', at },
      ],
      ...over,
    },
    { title: 'Billing fails', service: 'billing' },
  );
  return { cause, summary, overview };
}

describe('a disk that was full before no connection was free', () => {
  it.each(['ledger-1', 'ledger-2.dc.example', 'ledger-1.dc.example:9100'])(
    'is the cause on a machine where the database runs: %s',
    async (machine) => {
      const { cause, summary } = await withDisk({ machine });
      expect(cause).toBe(`Disk full on ${machine}`);
      expect(summary).toMatch(
        / the volume went from 88(?:\.\d)?% to 100% used, starting at 00:\d\d UTC, and was full at 10:21 UTC\./u,
      );
    },
  );

  it.each([
    ['where the database does not run', { machine: 'ledger-3' }],
    ['of another instance than shows it', { labels: { instance: 'ledger-2.dc.example:9104' } }],
    ['of another domain', { machine: 'ledger-1.test.example' }],
    ['where something else runs, too', { billing: ['ledger-1:8080'] }],
    ['that was full for hours', { at: filling(ONSET - 120 * MINUTE) }],
    ['that was full only later', { at: filling(ONSET + 4 * MINUTE, 0.7) }],
    ['that has something left', { at: filling(ONSET - MINUTE, 0.88, 0.96) }],
  ])('is not the cause on a machine %s', async (_which, known) => {
    expect((await withDisk(known)).cause).toBe('Connection-pool exhaustion in mysqld');
  });

  it('is told with what changed when it began to fill, under the name that its copies share', async () => {
    const change = deploy('ledger', FOOT - 10 * MINUTE, {
      kind: 'config',
      title: 'keep logs',
      version: null,
    });
    const other = deploy('billing', ONSET - 14 * MINUTE);
    const { overview } = await withDisk({ over: { changes: [change, other] } });
    expect(overview).toMatch(
      / Changed shortly before that began, at 00:\d\d UTC, not proven: "keep logs" \(\d+ min before\)\. /u,
    );
  });
});
