import { describe, expect, it } from 'vitest';
import { deploy, found, level, MINUTE, ONSET, red, system } from './freight.ts';

/** `booking` asks `parcels-cache-0`, which answers. */
const cached = {
  services: [{ name: 'portal' }, { name: 'booking' }, { name: 'parcels-cache-0', kind: 'cache' as const }],
  edges: [
    { caller: 'portal', callee: 'booking' },
    { caller: 'booking', callee: 'parcels-cache-0' },
  ],
  tariffs: {},
  metrics: [
    {
      service: 'parcels-cache-0',
      measure: 'up' as const,
      unit: '{instance}',
      label: 'instances up',
      at: () => 1,
    },
    {
      service: 'parcels-cache-0',
      measure: 'cache-hits' as const,
      unit: '1',
      label: 'cache hit ratio',
      at: level(0.94, 0.55),
    },
  ],
};

describe('a kind of fault says no more than was measured', () => {
  it('of a cache that answers and has less: it misses, and is not brought back', async () => {
    const { cause, summary, actions } = await found(system(cached));
    expect(cause).toBe('Cache misses on parcels-cache-0');
    expect(summary).toMatch(/hit ratio went from 9\d(?:\.\d)?% to 5\d(?:\.\d)?% at 10:2\d UTC/u);
    expect(actions[0]).toBe('Find out why parcels-cache-0 misses');
  });

  it('of a cache whose setting changed before: the change, which is reported without the copy’s number', async () => {
    const lowered = deploy('parcels-cache', ONSET - 2 * MINUTE, {
      kind: 'config',
      title: 'parcels-cache: maxmemory 4gb -> 1gb',
      version: null,
    });
    const { summary, actions, investigation } = await found(system({ ...cached, changes: [lowered] }));
    expect(summary).toMatch(
      /^Degradation of parcels-cache-0 after a configuration change: "parcels-cache: maxmemory 4gb -> 1gb" went live at 10:20 UTC, .*not proven to be the cause\./u,
    );
    expect(actions[0]).toContain('Look at "parcels-cache: maxmemory 4gb -> 1gb"');
    expect(investigation.results.timeline?.map(({ title }) => title)).toContain(
      'parcels-cache: maxmemory 4gb -> 1gb',
    );
  });

  it('of a worker that gets less to do, with nothing waiting: no backlog', async () => {
    const { cause } = await found(
      system({
        felt: false,
        services: [{ name: 'portal' }, { name: 'label-printing', kind: 'worker' }],
        edges: [],
        tariffs: {},
        metrics: [
          {
            service: 'label-printing',
            measure: 'requests',
            unit: '{message}/s',
            label: 'messages consumed',
            at: level(300, 12),
          },
          ...red('portal', { errors: level(0.002, 0.1) }),
        ],
      }),
      { title: 'Label printing is slow', service: 'label-printing' },
    );
    expect(cause ?? '').not.toMatch(/backlog/iu);
  });

  it('of a process that was killed once, with no growth before: it ran out of memory, and no leak', async () => {
    const once = (at: number) => (at >= ONSET && at < ONSET + 3 * MINUTE ? 1 : 0);
    const { cause, summary } = await found(
      system({
        metrics: [
          { service: 'tariffs', measure: 'oom-kills', unit: '{kill}', label: 'OOM kills', at: once },
          { service: 'tariffs', measure: 'restarts', unit: '{restart}', label: 'restarts', at: once },
        ],
      }),
    );
    expect(cause).toBe('Out of memory in tariffs');
    expect(summary).toContain('it was OOM-killed at 10:2');
  });

  it('of a handshake that fails: TLS fails, and no certificate has expired', async () => {
    const line = (message: string, at: number) => ({
      at,
      service: 'tariffs',
      instance: null,
      level: 'error',
      message,
      traceId: null,
    });
    const logs = (message: string) => [1, 2, 3, 4].map((i) => line(message, ONSET + i * MINUTE));
    const unknown = await found(system({ logs: logs('x509: certificate signed by unknown authority') }));
    expect(unknown.summary).not.toMatch(/expired/iu);
    const expired = await found(system({ logs: logs('x509: certificate has expired or is not yet valid') }));
    expect(expired.cause).toBe('Expired TLS certificate on tariffs');
  });

  it('of a volume that fills: it fills, until nothing more can be written', async () => {
    const disk = (then: number) =>
      system({
        metrics: [
          { service: 'tariffs', measure: 'disk', unit: '1', label: 'disk usage', at: level(0.6, then) },
        ],
      });
    expect((await found(disk(0.8))).cause).toBe('Disk filling up on tariffs');
    expect((await found(disk(1.02))).cause).toBe('Disk full on tariffs');
  });

  it('of metrics that end while callers are served: no outage', async () => {
    const silent = (at: number) => (at >= ONSET ? null : 80);
    const call = { caller: 'booking', callee: 'tariffs', side: 'caller' as const };
    const { cause } = await found(
      system({
        felt: false,
        booking: { latency: level(0.15, 0.5) },
        tariffs: { requests: silent, errors: silent, latency: silent },
        metrics: [
          { service: 'booking', measure: 'requests', unit: '{request}/s', edge: call, at: level(80) },
          { service: 'booking', measure: 'errors', unit: '1', edge: call, at: level(0.002) },
        ],
      }),
      { title: 'Booking is slow', service: 'booking' },
    );
    expect(cause ?? '').not.toMatch(/outage/iu);
  });

  it('of a deploy that only came before: no bad deploy hits anything in the timeline', async () => {
    const { cause, investigation } = await found(system({ changes: [deploy('tariffs', ONSET - MINUTE)] }));
    expect(cause).toBe('Degradation of tariffs after a deploy');
    const timeline = (investigation.results.timeline ?? []).map(({ title }) => title);
    expect(timeline.filter((title) => title.startsWith('tariffs '))).toEqual([
      'tariffs leaves its usual range',
    ]);
    expect(timeline).not.toContainEqual(expect.stringContaining('hits'));
  });

  it('of a kind: it hits when its own measure moved, and not when anything of the service did', async () => {
    const throttled = {
      service: 'tariffs',
      measure: 'throttling',
      unit: '1',
      label: 'CPU throttling',
    } as const;
    const { cause, investigation } = await found(
      system({
        tariffs: { latency: level(0.04, 0.42, ONSET - 5 * MINUTE) },
        metrics: [{ ...throttled, at: level(0.01, 0.6) }],
      }),
    );
    expect(cause).toBe('CPU starvation of tariffs');
    const hit = investigation.results.timeline.find(({ title }) => title === 'CPU starvation hits tariffs');
    expect(Date.parse(hit?.timestamp ?? '')).toBeGreaterThanOrEqual(ONSET - MINUTE);
  });

  it('of calls that fail at their caller: what they lead to is neither on the way up nor degraded', async () => {
    const edge = { caller: 'tariffs', callee: 'ledger', side: 'caller' as const };
    const lines = [
      ['portal', 'booking'],
      ['booking', 'tariffs'],
      ['tariffs', 'ledger'],
    ] as const;
    const { overview, investigation } = await found(
      system({
        services: ['portal', 'booking', 'tariffs', 'printer', 'ledger'].map((name) => ({ name })),
        edges: lines.map(([caller, callee]) => ({ caller, callee })),
        metrics: [
          { service: 'tariffs', measure: 'errors', unit: '1', edge, at: level(0.002, 0.12) },
          { service: 'tariffs', measure: 'requests', unit: '{request}/s', edge, at: level(80) },
          { service: 'ledger', measure: 'memory', unit: 'By', at: level(3e8) },
        ],
        changes: [
          deploy('tariffs', ONSET - MINUTE, { kind: 'config', title: 'timeout 3000 -> 20', version: null }),
        ],
      }),
    );
    expect(overview).toContain('Caused by tariffs via booking. ');
    const timeline = investigation.results.timeline.map(({ title }) => title);
    expect(timeline).toContain('Calls to ledger degrade');
    expect(timeline).not.toContain('ledger degrades');
  });

  it('of one deploy that two sources saw: it is ruled out once', async () => {
    const printer = deploy('printer', ONSET - 4 * MINUTE, { title: 'Deploy printer 7.3.0' });
    const { investigation } = await found(
      system({ changes: [printer, { ...printer, at: printer.at + 20_000, ref: 'abc1234' }] }),
    );
    const ruledOut = (investigation.results.rootCause.irrelevantEvidence ?? []).map(
      ({ title }) => title ?? '',
    );
    expect(ruledOut.filter((title) => title.startsWith('Deploy printer'))).toHaveLength(1);
  });
});
