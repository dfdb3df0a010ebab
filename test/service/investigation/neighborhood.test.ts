import { expect, it } from 'vitest';
import { neighborhood } from '../../../src/service/investigation/neighborhood.ts';

const service = (name: string) => ({ name, kind: 'service' as const, aliases: [], workload: null });
const calls = (...chain: string[]) => chain.slice(1).map((callee, i) => ({ caller: chain[i] ?? '', callee }));

/** A thousand services, some of which call each other. */
function read(
  named: string[],
  {
    edges = [],
    unusual = [],
    isRanked = true,
  }: { edges?: { caller: string; callee: string }[]; unusual?: string[]; isRanked?: boolean },
) {
  const services = Array.from({ length: 1000 }, (_, i) => service(`other-${i}`));
  const looked = neighborhood({ services, edges, unusual, isRanked }, named);
  expect(looked.of).toBe(1000);
  return looked.services;
}

it('reads what a service calls and who calls it', () => {
  expect(read(['shop'], { edges: [...calls('web', 'shop', 'payments'), ...calls('a', 'b')] })).toEqual([
    'shop',
    'payments',
    'web',
  ]);
});

it('follows the calls as far as the problem goes', () => {
  const edges = calls('shop', 'payments', 'ledger', 'archive', 'vault');
  expect(read(['shop'], { edges, unusual: ['payments', 'ledger'] })).toEqual([
    'shop',
    'payments',
    'ledger',
    'archive',
  ]);
});

it('reads what departs far away, with the calls that lead there', () => {
  const edges = calls('shop', 'cart', 'stock', 'database');
  expect(read(['shop'], { edges, unusual: ['database'] }).toSorted()).toEqual([
    'cart',
    'database',
    'shop',
    'stock',
  ]);
});

it('reads what departs although no call leads there', () => {
  expect(read(['shop'], { unusual: ['node-7'] })).toEqual(['shop', 'node-7']);
});

it('reads all that a service depends on where it is not known what departs', () => {
  const edges = calls('shop', 'payments', 'ledger', 'vault');
  expect(read(['shop'], { edges, isRanked: false })).toEqual(['shop', 'payments', 'ledger', 'vault']);
});

it('of a thousand callers, reads those that depart and a few others', () => {
  const callers = Array.from({ length: 1000 }, (_, i) => `caller-${i}`);
  const edges = callers.map((caller) => ({ caller, callee: 'database' }));
  const found = read(['database'], { edges, unusual: ['caller-700'] });
  expect(found).toContain('caller-700');
  expect(found.length).toBeLessThan(10);
});

it('does not read more than sixty, the nearest and the most unusual first', () => {
  const unusual = Array.from({ length: 1000 }, (_, i) => `other-${i}`);
  const found = read(['shop'], { edges: calls('shop', 'payments'), unusual });
  expect(found).toHaveLength(60);
  expect(found.slice(0, 4)).toEqual(['shop', 'payments', 'other-0', 'other-1']);
});
