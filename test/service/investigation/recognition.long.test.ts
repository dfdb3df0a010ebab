import { describe, expect, it } from 'vitest';
import type { FaultKind } from '../../../src/demo/shop/faults.ts';
import { reachOf } from '../../../src/demo/shop/topology.ts';
import { causeIn, NAMES, run, type Trial, trialOf } from './cases.ts';

const TRIALS = 6;

async function shareFound(
  kind: FaultKind,
  seenFrom: (trial: Trial & { fault: { service: string } }) => string | null,
) {
  let found = 0;
  for (let i = 0; i < TRIALS; i++) {
    const trial = trialOf(kind, i);
    const cause = causeIn(await run({ ...trial, service: seenFrom(trial) }));
    if (cause === `${NAMES[kind]} ${trial.fault.service}`) found++;
    else console.info(`${kind} at ${trial.fault.service} was taken for: ${cause}`);
  }
  console.info(`${kind}: ${found} of ${TRIALS}`);
  return found / TRIALS;
}

function farthestCaller({ fault }: { fault: { kind: FaultKind; service: string } }): string {
  if (fault.kind === 'queue_backlog') return 'order-queue';
  return [...reachOf(fault.service)].reduce((a, b) => (b[1].hops > a[1].hops ? b : a))[0];
}

describe.each(Object.keys(NAMES).filter((kind): kind is FaultKind => kind in NAMES))('%s', (kind) => {
  it('is named first, with its service, where the alert names that service', async () => {
    expect(await shareFound(kind, ({ fault }) => fault.service)).toBeGreaterThanOrEqual(0.9);
  });

  it('is named first where the alert names a service at the other end', async () => {
    expect(await shareFound(kind, farthestCaller)).toBeGreaterThanOrEqual(0.9);
  });

  it('is named first where the alert names no service', async () => {
    expect(await shareFound(kind, () => null)).toBeGreaterThanOrEqual(0.9);
  });
});

describe('a healthy shop', () => {
  it('has nothing to be found, whichever service is named', async () => {
    const services = ['gateway', 'payments', 'orders-db', 'order-queue', 'search-indexer', 'cache', null];
    const trials = services.flatMap((service, s) =>
      Array.from({ length: 8 }, (_, i) => ({ ...trialOf('bad_deploy', s * 8 + i), fault: null, service })),
    );
    const causes = await Promise.all(trials.map(async (trial) => causeIn(await run(trial))));
    expect(causes.filter((cause) => cause !== 'nothing')).toEqual([]);
  });
});
