import type { Fault } from './faults.ts';
import { chance } from './random.ts';
import { reachOf, SHOP } from './topology.ts';

/** What a fault adds to the levels of one service at one moment. */
export interface Effect {
  /** Milliseconds added to the 95th percentile. */
  latency: number;
  /** Added to the ratios of errors, processor, memory, connections (of the limit) and disk. */
  errors: number;
  cpu: number;
  memory: number;
  connections: number;
  disk: number;
  /** What is left of the request rate: 1 is all of it. */
  traffic: number;
  /** Messages added to the queue, and seconds to the age of its oldest. */
  backlog: number;
  age: number;
  /** Seconds until the certificate ends; `null` if the fault has nothing to do with it. */
  certificate: number | null;
  /** Restarts within this sample. */
  restarts: number;
}

export const NO_EFFECT: Readonly<Effect> = {
  latency: 0,
  errors: 0,
  cpu: 0,
  memory: 0,
  connections: 0,
  disk: 0,
  traffic: 1,
  backlog: 0,
  age: 0,
  certificate: null,
  restarts: 0,
};

export const STEP = 30_000;
/** How long before its end a certificate's countdown is shown, and how long a fault takes to fade. */
export const CERTIFICATE_NOTICE = 3 * 3_600_000;
export const FADE = 180_000;
const HOP_DELAY = 15_000;
const LEAK_CYCLE = 420_000;

/** The effect of a fault on a service at a moment (milliseconds). */
export function effectAt(fault: Fault, service: string, at: number): Effect {
  const own = atItsPlace(fault, at);
  if (service === fault.service) return own;
  if (service === 'order-queue' && SHOP[fault.service]?.kind === 'worker') return behind(fault, at);
  const reach = reachOf(fault.service).get(service);
  if (!reach) return NO_EFFECT;
  const late = atItsPlace(fault, at - reach.hops * HOP_DELAY);
  if (late === NO_EFFECT) return NO_EFFECT;
  return {
    ...NO_EFFECT,
    latency: late.latency * reach.share,
    errors: late.errors * reach.share,
    connections: Math.min(0.3, (late.latency * reach.share) / 6_000),
  };
}

function atItsPlace(fault: Fault, at: number): Effect {
  const age = at - fault.from;
  const power = strength(fault, at);
  // A certificate alone is seen before it does harm.
  if (power === 0 && fault.kind !== 'certificate_expiry') return NO_EFFECT;
  const size = 0.8 + 0.5 * chance(fault.from, fault.service, 'size');
  const base = SHOP[fault.service]?.latency ?? 100;
  const own = (effect: Partial<Effect>): Effect => ({ ...NO_EFFECT, ...effect });
  switch (fault.kind) {
    case 'bad_deploy':
      return own({ errors: 0.2 * size * power, latency: 1.1 * base * size * power, cpu: 0.06 * power });
    case 'config_change':
      return own({ errors: 0.16 * size * power, latency: 0.7 * base * size * power });
    case 'connection_pool': {
      const waiting = rising(age, 60_000, 120_000) * power;
      const taken = 0.72 * rising(age, 0, 90_000) * power;
      return own({ connections: taken, latency: 1_900 * size * waiting, errors: 0.12 * size * waiting });
    }
    case 'memory_leak':
      return leak(fault, at, power);
    case 'slow_query':
      return own({
        latency: 1_400 * size * power,
        cpu: 0.38 * power,
        connections: 0.22 * power,
        errors: 0.015 * power,
      });
    case 'disk_full': {
      const full = rising(age, 0, 270_000) * power;
      const refused = rising(age, 255_000, 285_000) * power;
      const room = 1 - (SHOP[fault.service]?.disk ?? 0.6);
      return own({ disk: room * full, errors: 0.42 * size * refused, latency: 1.5 * base * refused });
    }
    case 'certificate_expiry': {
      const left = at < fault.to ? Math.round(-age / 1000) : null;
      return own({ certificate: left, errors: 0.82 * power, traffic: 1 - 0.6 * power });
    }
    case 'queue_backlog':
      return own({ latency: 4 * base * power, traffic: 1 - 0.72 * power, cpu: -0.15 * power });
  }
}

function leak(fault: Fault, at: number, power: number): Effect {
  const age = at - fault.from;
  if (age < 0 || power === 0) return NO_EFFECT;
  const room = 0.98 - (SHOP[fault.service]?.memory ?? 0.5);
  const part = (age % LEAK_CYCLE) / LEAK_CYCLE;
  const justRestarted = age >= LEAK_CYCLE && age % LEAK_CYCLE < 60_000;
  const pressure = Math.max(0, part - 0.45) / 0.55;
  return {
    ...NO_EFFECT,
    memory: room * part * power,
    latency: (SHOP[fault.service]?.latency ?? 100) * 3 * pressure * power,
    errors: (justRestarted ? 0.3 : 0.05 * pressure) * power,
    cpu: 0.25 * pressure * power,
    restarts: age >= LEAK_CYCLE && age % LEAK_CYCLE < STEP && power === 1 ? 1 : 0,
  };
}

/** What piles up in the queue while its worker is slow. */
function behind(fault: Fault, at: number): Effect {
  const rate = SHOP[fault.service]?.rate ?? 0;
  const missing = fault.kind === 'queue_backlog' ? 0.72 : fault.kind === 'disk_full' ? 0.4 : 0;
  const start = fault.kind === 'disk_full' ? fault.from + 255_000 : fault.from;
  const seconds = Math.max(0, Math.min(at, fault.to) - start) / 1000;
  const left = at < fault.to ? 1 : Math.max(0, 1 - (at - fault.to) / FADE);
  return {
    ...NO_EFFECT,
    backlog: rate * missing * seconds * left,
    age: missing * seconds * left,
  };
}

/** 0 before the fault, 1 while it lasts (reached within half a minute), back to 0 within a minute after. */
function strength(fault: Fault, at: number): number {
  if (at < fault.from) return 0;
  if (at >= fault.to) return Math.max(0, 1 - (at - fault.to) / 60_000);
  return Math.min(1, 0.4 + (0.6 * (at - fault.from)) / 30_000);
}

function rising(age: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (age - from) / (to - from)));
}
