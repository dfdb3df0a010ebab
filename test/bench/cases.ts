import { effectAt } from '../../src/demo/shop/effects.ts';
import { FAULT_PLACES, type Fault, type FaultKind } from '../../src/demo/shop/faults.ts';
import { chance, pick } from '../../src/demo/shop/random.ts';
import { reachOf, SHOP } from '../../src/demo/shop/topology.ts';

/** An alert about a shop with one fault, or none. */
export interface BenchCase {
  /** Of the shop. */
  seed: number;
  fault: Fault | null;
  /** What the alert is about: the faulty service, a service that calls it, or no service. */
  seenFrom: 'origin' | 'caller' | 'nowhere';
  /** The service that the alert names. */
  named: string | null;
  title: string;
  /** Milliseconds since the epoch. */
  triggeredAt: number;
}

const MINUTE = 60_000;
const BEGIN = Date.UTC(2026, 0, 1);
const YEAR = 365 * 24 * 60 * MINUTE;
const VIEWS = ['origin', 'caller', 'nowhere'] as const;
const ABOUT_ONE = ['is unhealthy', 'burns its error budget', 'does not meet its objective'] as const;
const ABOUT_ALL = ['Customers complain', 'Synthetic check fails', 'The shop misses its objective'] as const;

const KINDS = Object.keys(FAULT_PLACES).filter((kind): kind is FaultKind => kind in FAULT_PLACES);

/** One case for each seed from `first` on: kinds and views alternate, everything else depends on the seed. */
export function faultyCases(first: number, count: number): BenchCase[] {
  return Array.from({ length: count }, (_, i) => {
    const seed = first + i;
    const kind = KINDS[i % KINDS.length] ?? 'bad_deploy';
    const view = VIEWS[Math.floor(i / KINDS.length) % VIEWS.length] ?? 'origin';
    const from = BEGIN + Math.floor(chance(seed, 'from') * YEAR);
    const fault = {
      kind,
      service: pick(FAULT_PLACES[kind], chance(seed, 'place')),
      from,
      to: from + 30 * MINUTE,
    };
    const triggeredAt = from + Math.round((2 + 13 * chance(seed, 'age')) * MINUTE);
    const callers = callersThatSee(fault, triggeredAt);
    const caller = callers[Math.floor(chance(seed, 'caller') * callers.length)];
    const named = view === 'nowhere' ? null : ((view === 'caller' ? caller : null) ?? fault.service);
    const seenFrom = named === null ? 'nowhere' : named === fault.service ? 'origin' : 'caller';
    return { seed, fault, seenFrom, named, title: titleFor(named, seed), triggeredAt };
  });
}

/** Alerts about a healthy shop, naming each service in turn, and none. */
export function healthyCases(first: number, count: number): BenchCase[] {
  const names = [...Object.keys(SHOP), null];
  return Array.from({ length: count }, (_, i) => {
    const seed = first + i;
    const named = names[i % names.length] ?? null;
    const triggeredAt = BEGIN + Math.floor(chance(seed, 'from') * YEAR);
    const seenFrom = named === null ? 'nowhere' : 'origin';
    return { seed, fault: null, seenFrom, named, title: titleFor(named, seed), triggeredAt };
  });
}

/** The services where the fault shows: errors, latency, or a message backlog. */
function callersThatSee(fault: Fault, at: number): string[] {
  const others = new Set([...reachOf(fault.service).keys(), 'order-queue']);
  others.delete(fault.service);
  return [...others].filter((service) => {
    const { errors, latency, backlog } = effectAt(fault, service, at);
    return errors > 0.03 || latency > 0.6 * (SHOP[service]?.latency ?? 0) || backlog > 500;
  });
}

function titleFor(named: string | null, seed: number): string {
  const by = chance(seed, 'title');
  return named === null ? pick(ABOUT_ALL, by) : `${named} ${pick(ABOUT_ONE, by)}`;
}
