import type { Change, Measure, Window } from '../telemetry/model.ts';

/**
 * What is wrong, or has changed: of whom, since when, how bad, and from which query. A fact explains nothing: *why* is
 * the verdict's, and may stay open. Facts are values without words, so that every surface words, repeats, compares and
 * asks about the same one.
 *
 * @example
 * // `up == 0` of one copy of the cart since 14:02
 * { what: 'departure', measure: 'up', of: { service: 'cart', instance: 'cart:8080' }, since: 1796306520000, until: null,
 *   level: { now: 0, before: 1, unit: '' }, from: { source: 'prometheus', query: 'up{job="cart"}', window, stepMs: 15000 } }
 */
export type Fact =
  | Departure
  | Limit
  | Silence
  | AlertFact
  | StateFact
  | ReportedFact
  | LinesFact
  | StoreFact
  | ChangeFact;

interface Base {
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

/** A measure is far from what is usual, or bad by itself (`up` 0, a third of all requests failing). */
interface Departure extends Base {
  what: 'departure';
  measure: Measure;
  level: Level;
  /** Name of the metric, and the words for it in a sentence: `http_requests_total`, `error rate`. */
  metric: string;
  label: string;
}

/** A resource near or at its limit, however slowly it got there; `level.limit` is known. */
interface Limit extends Base {
  what: 'limit';
  measure: Measure;
  level: Level & { limit: number };
  metric: string;
  label: string;
}

/** It reports nothing any more, while others do. */
interface Silence extends Base {
  what: 'silence';
}

/** The alert's own expression is past its threshold. */
interface AlertFact extends Base {
  what: 'alert';
  rule: string;
  level: Level;
}

/** A check of a cluster's objects found it. */
interface StateFact extends Base {
  what: 'state';
  /** The check's code: `service_selector_mismatch`. */
  code: string;
  /** 0 to 1. */
  confidence: number;
  sentence: string;
  evidence: readonly string[];
}

/** The system's own words: a Warning event, a condition that is False with a message. Untrusted. */
interface ReportedFact extends Base {
  what: 'reported';
  /** `FailedScheduling`, `Ready=False`. */
  code: string;
  message: string;
}

/** Failing lines that were not there before, or many more of them. Untrusted. */
interface LinesFact extends Base {
  what: 'lines';
  example: string;
  /** The newest lines before the process ended, oldest first, if it did. */
  last?: readonly string[];
}

/** What a database or broker says of itself from inside. */
interface StoreFact extends Base {
  what: 'store';
  /** `blocked-sessions`, `idle-in-transaction`, `queue-without-consumer` … */
  code: string;
  /** Who does it, and who suffers from it: sessions, users, programs, statements without literals. */
  by?: Readonly<Record<string, string | number>>;
  waiting?: number;
}

/** Something was deployed, configured, switched, or found changed inside a store. */
interface ChangeFact extends Base {
  what: 'change';
  change: Change;
}

/** The same for the same trouble at the same place, whenever and however bad: *like the last time*. */
export function keyOf(fact: Fact): string {
  const { service, instance = '', object = '', caller = '' } = fact.of;
  const of = [service, caller, object, fact.what === 'state' ? '' : instance].join('/');
  return `${fact.what} ${codeOf(fact)} ${of}`;
}

/** What it is in one word, within its kind of fact: a measure, a check's code, a reason. */
export function codeOf(fact: Fact): string {
  switch (fact.what) {
    case 'departure':
    case 'limit':
      return fact.measure;
    case 'alert':
      return fact.rule;
    case 'change':
      return fact.change.kind;
    case 'silence':
    case 'lines':
      return fact.what;
    default:
      return fact.code;
  }
}
