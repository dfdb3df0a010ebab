import { describe, expect, it } from 'vitest';
import { SHOP } from '../../src/demo/shop/topology.ts';
import { faultyCases, healthyCases } from './cases.ts';
import { report } from './confusion.ts';
import { benchInvestigator, HELD_OUT, type Outcome } from './investigator.ts';

const MINUTE = 60_000;
const OTHERS = { faulty: 500_000, healthy: 600_000 };

describe('the cases of the bench', () => {
  const cases = faultyCases(OTHERS.faulty, 120);

  it('are the same for the same seeds, and others for others', () => {
    expect(faultyCases(OTHERS.faulty + 8, 8)).toEqual(faultyCases(OTHERS.faulty + 8, 16).slice(0, 8));
    expect(faultyCases(HELD_OUT.faulty, 8)).not.toEqual(cases.slice(0, 8));
  });

  it('have every kind equally often, seen from everywhere, 2 to 15 minutes after its onset', () => {
    const kinds = Map.groupBy(cases, ({ fault }) => fault?.kind);
    expect([...kinds.values()].map(({ length }) => length)).toEqual(Array.from({ length: 8 }, () => 15));
    expect(new Set(cases.map(({ seenFrom }) => seenFrom))).toEqual(new Set(['origin', 'caller', 'nowhere']));
    const ages = cases.map(({ fault, triggeredAt }) => (triggeredAt - (fault?.from ?? 0)) / MINUTE);
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(2);
    expect(Math.max(...ages)).toBeLessThanOrEqual(15);
    expect(Math.max(...ages) - Math.min(...ages)).toBeGreaterThan(11);
  });

  it('are about every service where nothing is wrong, and about none', () => {
    const names = healthyCases(OTHERS.healthy, 14).map(({ named }) => named);
    expect(names).toEqual([...Object.keys(SHOP), null]);
  });
});

describe('the bench of the investigator', () => {
  it('tells what was named first for each case, and what it cost', async () => {
    const outcomes = await benchInvestigator(OTHERS, { faulty: 8, healthy: 2 });
    expect(outcomes.map(({ injected, found, right }) => [injected.fault?.kind, found?.kind, right])).toEqual([
      ['bad_deploy', 'Bad deploy', true],
      ['connection_pool', 'Connection-pool exhaustion', true],
      ['memory_leak', 'Memory leak', true],
      ['slow_query', 'Slow query', true],
      ['disk_full', 'Disk full', true],
      ['certificate_expiry', 'Certificate expiry', true],
      ['queue_backlog', 'Queue backlog', true],
      ['config_change', 'Configuration change', true],
      [undefined, undefined, true],
      [undefined, undefined, true],
    ]);
    expect(outcomes.every(({ cpuMs }) => cpuMs > 0)).toBe(true);
  });
});

describe('its report', () => {
  it('counts what was named first, and the shares that are right', () => {
    const [deploy, , , slow] = faultyCases(OTHERS.faulty, 4);
    const [healthy] = healthyCases(OTHERS.healthy, 1);
    if (!deploy || !slow || !healthy) throw new Error('There are cases for these seeds.');
    const outcomes: Outcome[] = [
      { injected: deploy, found: { kind: 'Bad deploy', service: 'cart' }, right: false, cpuMs: 10 },
      { injected: slow, found: { kind: 'Slow query', service: 'orders-db' }, right: true, cpuMs: 20 },
      { injected: healthy, found: { kind: 'Unexplained', service: 'web' }, right: false, cpuMs: 30 },
    ];
    expect(report(outcomes)).toBe(
      [
        'injected ↓, named first →   a  b  c  d  e  f  g  h  i  j  both right',
        'Bad deploy                  1  ·  ·  ·  ·  ·  ·  ·  ·  ·      0 of 1',
        'Connection-pool exhaustion  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·      0 of 0',
        'Memory leak                 ·  ·  ·  ·  ·  ·  ·  ·  ·  ·      0 of 0',
        'Slow query                  ·  ·  ·  1  ·  ·  ·  ·  ·  ·      1 of 1',
        'Disk full                   ·  ·  ·  ·  ·  ·  ·  ·  ·  ·      0 of 0',
        'Certificate expiry          ·  ·  ·  ·  ·  ·  ·  ·  ·  ·      0 of 0',
        'Queue backlog               ·  ·  ·  ·  ·  ·  ·  ·  ·  ·      0 of 0',
        'Configuration change        ·  ·  ·  ·  ·  ·  ·  ·  ·  ·      0 of 0',
        'Nothing injected            ·  ·  ·  ·  ·  ·  ·  ·  1  ·      0 of 1',
        'a bad deploy, b connection-pool exhaustion, c memory leak, d slow query, e disk full, f certificate expiry, g queue backlog, h configuration change, i unexplained, j nothing found; both right: kind and service',
        '',
        'investigator                           measured     asked',
        'service and kind both right      50.0% (1 of 2)     ≥ 90%',
        '  alert from where it begins     50.0% (1 of 2)',
        '  alert from a caller                   no case',
        '  alert that names no service           no case',
        'healthy shop, nothing found       0.0% (0 of 1)     ≥ 95%',
        'CPU of an investigation, median         20.0 ms  < 300 ms',
        'CPU of an investigation, p99            30.0 ms  < 300 ms',
      ].join('\n'),
    );
  });
});
