import type { Window } from '../telemetry/model.ts';

/**
 * What is wrong, or has changed: of whom, since when, how bad, and from which query. A fact explains nothing: *why* is
 * the verdict's, and may stay open. Facts are values without words, so that every surface words, repeats, compares and
 * asks about the same one.
 *
 * @example
 * // `up == 0` of one copy of the cart since 14:02
 * { what: 'departure', code: 'up', of: { service: 'cart', instance: 'cart:8080' }, since: 1796306520000, until: null,
 *   level: { now: 0, before: 1, unit: '' }, from: { source: 'prometheus', query: 'up{job="cart"}', window, stepMs: 15000 } }
 */
export interface Fact {
  /**
   * A measure is far from what is usual, or bad by itself; a check of a cluster's objects found it; a database or broker
   * says it of itself from inside; something was deployed, configured, switched, or found changed inside a store.
   */
  what: 'departure' | 'state' | 'store' | 'change';
  /** What it is in one word: a measure, a check's code (`service_selector_mismatch`), the kind of a change. */
  code: string;
  of: Owner;
  /** Milliseconds since the epoch; `null` if only its presence now is known. */
  since: number | null;
  /** `null` while it goes on. */
  until: number | null;
  /** `null` if it is no quantity. */
  level: Level | null;
  from: Source;
}

/** Who or what a fact is about, as telemetry names it. */
interface Owner {
  service: string;
  /** One of several pods, hosts or partitions. */
  instance?: string;
  /** What within it: a pool, a queue, a table, an object of the cluster (`pod/cart-7d9f`). */
  object?: string;
  /** Whose calls they are, if it is about the calls of one service to another only. */
  caller?: string;
}

/** How bad it is; numbers in the unit of the signal (`1` is a share). */
interface Level {
  /** The newest value; for what is over, the worst. */
  now: number;
  /** What is usual; `null` if there is no past to tell from. */
  before: number | null;
  unit: string;
  /** What it may reach at most, or the threshold that it crossed. */
  limit?: number;
}

/** Where it can be seen again: the same query over the same window returns the numbers of the fact. */
interface Source {
  /** `prometheus`, `kubernetes`, `loki`, `postgres` … */
  source: string;
  /** In the source's own language; a Kubernetes object, a statement. */
  query?: string;
  window: Window;
  stepMs?: number;
  /** As the source gave it: an address for programs. What people open is made by the one who shows it. */
  url?: string;
}

/** The same for the same trouble at the same place, whenever and however bad: *like the last time*. */
export function keyOf(fact: Fact): string {
  const { service, instance = '', object = '', caller = '' } = fact.of;
  const of = [service, caller, object, fact.what === 'state' ? '' : instance].join('/');
  return `${fact.what} ${fact.code} ${of}`;
}
