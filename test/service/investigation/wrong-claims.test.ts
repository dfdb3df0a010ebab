import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amounts } from '../../../src/service/investigation/format.ts';
import { partialSource } from '../../../src/service/telemetry/combined.ts';
import { known, type StateFinding } from '../../../src/service/telemetry/model.ts';
import { deploy, found, level, MINUTE, ONSET, red, system } from './freight.ts';

/** What real systems were told, and what was false of it: none of it may be said again. */

const DAY = 24 * 60 * MINUTE;
const MIB = 2 ** 20;
const DATA = { service: 'tariffs', label: 'what it measures' };

type Found = Awaited<ReturnType<typeof found>>;
const cleared = ({ investigation }: Found) =>
  investigation.results.rootCause.irrelevantEvidence.map(
    ({ title, description }) => `${title}: ${description}`,
  );

it('a change beneath what fails is not ruled out, though nothing of its own service moved with it', async () => {
  const change = deploy('tariffs', ONSET - MINUTE, {
    kind: 'config',
    title: 'Timeout of tariffs',
    details: 'tariffs.yaml\n-timeout: 3000\n+timeout: 20',
  });
  const one = await found(system({ tariffs: {}, changes: [change, deploy('printer', ONSET - MINUTE)] }));
  expect(cleared(one)).toContainEqual(expect.stringContaining('Deploy printer 7.3.0'));
  expect(cleared(one)).not.toContainEqual(expect.stringContaining('Timeout of tariffs'));
});

it('a change of the failing service is not ruled out by time alone', async () => {
  const late = deploy('tariffs', ONSET + 3 * MINUTE, { title: 'Timeout of tariffs', kind: 'config' });
  const one = await found(system({ changes: [late] }));
  expect(cleared(one)).not.toContainEqual(expect.stringContaining('Timeout of tariffs'));
});

describe('a level that is bad by itself is said to be, however long it has been so, and never to be unmoved', () => {
  it.each([
    [
      'a third of all requests fails',
      { measure: 'errors', unit: '1', at: () => 0.33 },
      /what it measures 33%/u,
    ],
    [
      'a proxy reports its server down',
      { measure: 'up', unit: '{instance}', at: () => 0 },
      /what it measures 0/u,
    ],
    [
      'a certificate has four days left',
      { measure: 'certificate', unit: 's', at: (at: number) => (ONSET + 4 * DAY - at) / 1000 },
      /what it measures 4 days/u,
    ],
    ['a disk is full', { measure: 'disk', unit: '1', at: () => 0.97 }, /what it measures 97%/u],
  ] as const)('%s', async (_what, metric, said) => {
    const made = { services: [{ name: 'tariffs' }], metrics: [{ ...DATA, ...metric }] };
    const one = await found(made, { title: 'Something is odd', service: 'tariffs' });
    const told = `${one.summary} ${one.overview}`;
    expect(told).toMatch(/Unhealthy, whether or not that is usual: tariffs what it measures /u);
    expect(told).toMatch(said);
    expect(told).not.toContain('its usual range');
    expect(cleared(one)).toEqual([]);
  });
});

it('memory that an alert says grows is not said not to have moved', async () => {
  const memory = {
    service: 'tariffs',
    measure: 'memory',
    unit: 'By',
    label: 'resident memory',
    at: (at: number) => (242 - 0.25 * Math.min(Math.max((ONSET - at) / MINUTE, 0), 80)) * MIB,
  } as const;
  const one = await found(system({ felt: false, tariffs: {}, metrics: [memory] }), {
    title: 'Memory growth of tariffs',
    service: 'tariffs',
  });
  expect(cleared(one)).not.toContainEqual(expect.stringContaining('memory'));
  expect(one.overview).toMatch(
    /^No cause found\. I compared 4 series .+; tariffs resident memory 24\d MiB \(2\d\d to 2\d\d MiB before\)\./u,
  );
});

it('what is down while its caller fails is not said to be without effect on it', async () => {
  const made = {
    services: [{ name: 'payments-gw' }, { name: 'ledger' }],
    metrics: [
      ...red('payments-gw', { errors: level(0.002, 0.6) }),
      {
        service: 'ledger',
        measure: 'up' as const,
        unit: '{instance}',
        label: 'instances up',
        at: level(1, 0),
      },
    ],
  };
  for (const edges of [[{ caller: 'payments-gw', callee: 'ledger' }], []]) {
    const one = await found({ ...made, edges }, { title: 'Charges fail', service: 'payments-gw' });
    expect(cleared(one)).not.toContainEqual(expect.stringContaining('ledger'));
    expect(one.causes).toEqual([
      edges.length > 0 ? 'Outage of ledger' : 'Unexplained degradation of payments-gw',
    ]);
  }
});

describe('what a check of the cluster is not sure to be the cause is shown all the same', () => {
  const state = (cause: string, confidence: number): StateFinding => ({
    object: 'app/tariffs',
    cause,
    namespace: 'freight',
    workload: { namespace: 'freight', kind: 'Deployment', name: 'tariffs' },
    sentence: `\`tariffs\` has ${cause}.`,
    evidence: [],
    show: null,
    mend: null,
    confidence,
  });
  it.each([
    ['crash_loop', 0.4],
    ['probe_failing', 0.45],
    ['network_policy_blocks', 0.5],
  ])('%s, at %d', async (cause, confidence) => {
    const cluster = partialSource({
      name: 'kubernetes',
      check: async () => ({ name: 'kubernetes', ok: true, summary: '', details: [] }),
      state: async () => known([state(cause, confidence)]),
    });
    const calm = await found(system({ felt: false, tariffs: {} }), {}, [cluster]);
    expect(calm.summary).toBe(`\`tariffs\` has ${cause}.`);
    expect(calm.overview).toMatch(/^What is wrong is known, but not why: /u);
    const ill = await found(system({}), {}, [cluster]);
    expect(ill.evidence).toContainEqual(expect.objectContaining({ title: 'State of tariffs' }));
    for (const { investigation } of [calm, ill])
      expect(investigation.results.facts).toContainEqual(expect.objectContaining({ code: cause }));
  });
});

it('whatever differs is said in amounts that differ', () => {
  const value = fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-6, max: 1e9 });
  const unit = fc.constantFrom('1', 's', 'ms', 'By', '{request}/s', '{connection}', '');
  fc.assert(
    fc.property(value, fc.double({ noNaN: true, min: 1.001, max: 100 }), unit, (usual, times, of) => {
      const [before, then] = amounts(usual, usual * times, of);
      expect(before).not.toBe(then);
    }),
  );
  expect(amounts(0.000_01, 0.000_04, '1')).toEqual(['0.001%', '0.004%']);
  expect(amounts(0.002_141, 0.002_144, '1')).toEqual(['0.2141%', '0.2144%']);
  expect(amounts(0.002, 0.12, '1')).toEqual(['0.2%', '12%']);
});

it('what collapses only at the end is not said not to have moved, nor to be within its usual range', async () => {
  const cpu = {
    service: 'tariffs',
    measure: 'cpu',
    unit: '1',
    label: 'CPU usage',
    at: level(0.3, 0.0075, ONSET + 4 * MINUTE),
  } as const;
  const one = await found(system({ felt: false, tariffs: {}, metrics: [cpu] }), {
    title: 'Tariffs is odd',
    service: 'tariffs',
  });
  expect(cleared(one)).not.toContainEqual(expect.stringContaining('CPU'));
  expect(one.overview).toMatch(/; tariffs CPU usage 0\.7\d% \(\d\d(?:\.\d)?% to \d\d(?:\.\d)?% before\)\./u);
});

it('what only shows at a service is not said to be in it', async () => {
  const shows = { felt: false, tariffs: { latency: level(0.04, 0.42) } };
  const open = await found(system(shows), { title: 'Tariffs is slow', service: 'tariffs' });
  expect(open.cause).toBe('Unexplained degradation of tariffs');
  expect(open.overview).toContain('. The symptoms are in tariffs itself');
  const throttled = {
    service: 'tariffs',
    measure: 'throttling',
    unit: '1',
    label: 'CPU throttling',
    at: level(0.01, 0.6),
  } as const;
  const held = await found(system({ ...shows, metrics: [throttled] }), {
    title: 'Tariffs is slow',
    service: 'tariffs',
  });
  expect(held.overview).toContain('. The problem is in tariffs itself');
});

it('what dipped for a minute, and is as before, is not said not to have moved', async () => {
  const isDip = (at: number) => at >= ONSET && at < ONSET + MINUTE;
  const usual = level(0.3);
  const cpu = {
    service: 'tariffs',
    measure: 'cpu',
    unit: '1',
    label: 'CPU usage',
    at: (at: number) => (isDip(at) ? 0.02 : usual(at)),
  } as const;
  const one = await found(system({ felt: false, tariffs: {}, metrics: [cpu] }), {
    title: 'Tariffs is odd',
    service: 'tariffs',
  });
  expect(cleared(one)).not.toContainEqual(expect.stringContaining('CPU'));
  expect(one.overview).toMatch(/^No cause found\. I compared 4 series of tariffs from \d\d:\d\d UTC on\./u);
});
