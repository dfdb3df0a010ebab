import type { Span } from '../../telemetry/model.ts';

/**
 * Where time went, according to spans: how long a service itself worked on an operation, and how long a call was in
 * transit. A span's duration says neither, since it includes waiting for its children.
 */
export interface Timing {
  /** `self`: a span's time not covered by its children. `call`: a caller's span minus the callee's. */
  kind: 'self' | 'call';
  service: string;
  /** For a call: the service called. */
  callee: string | null;
  operation: string;
  /** When each span began, in ascending order, and its time, in milliseconds. */
  times: Float64Array;
  values: Float64Array;
  /** The duration of the whole request that the span belongs to, in milliseconds. */
  requests: Float64Array;
}

/** Which of its usual calls a span's work made. */
export interface Shape {
  service: string;
  operation: string;
  /** When each span began, in ascending order. */
  times: Float64Array;
  /** For each span, its distinct child calls, as an index into `sets`. */
  of: Int32Array;
  sets: readonly (readonly Step[])[];
  /** For each span, the other service that it called last; null if it called none, or several at once. */
  lastCalled: readonly (string | null)[];
}

/** A call that a span makes: the child's service and operation. */
export interface Step {
  service: string;
  operation: string;
}

/** Which spans of one kind failed on their own. */
export interface Outcome {
  service: string;
  operation: string;
  /** When each span began, in ascending order. */
  times: Float64Array;
  /** For each span, 1 if it failed and nothing below it did. */
  failures: Uint8Array;
}

export interface Traced {
  timings: readonly Timing[];
  shapes: readonly Shape[];
  /** For work with at least one failed span. */
  outcomes: readonly Outcome[];
  /** When each trace began, in ascending order. */
  roots: Float64Array;
  /** How long each took, in milliseconds. */
  requests: Float64Array;
}

interface Growing {
  times: number[];
  values: number[];
  requests: number[];
}

const MOST_SPANS = 150_000;

/** Breaks traces down. Spans with a missing parent count as roots. */
export function takeApart(spans: readonly Span[]): Traced {
  const timings = new Map<string, Growing & Omit<Timing, keyof Growing>>();
  const shapes = new Map<string, ShapeBuilder>();
  const roots: number[] = [];
  const requests: number[] = [];
  for (const trace of tracesOf(newestOf(spans))) {
    const { children, top } = familyOf(trace);
    let began = Number.POSITIVE_INFINITY;
    let ended = 0;
    for (const span of top) {
      began = Math.min(began, span.at);
      ended = Math.max(ended, span.at + span.durationMs);
    }
    roots.push(began);
    requests.push(ended - began);
    for (const span of trace) {
      const below = children.get(span.spanId) ?? [];
      const timing = timingOf(span, below);
      const key = `${timing.kind}\n${span.service}\n${timing.callee ?? ''}\n${timing.operation}`;
      let grown = timings.get(key);
      if (grown === undefined) {
        grown = { ...timing, service: span.service, times: [], values: [], requests: [] };
        timings.set(key, grown);
      }
      grown.times.push(span.at);
      grown.values.push(timing.value);
      grown.requests.push(ended - began);
      const shape = shapes.get(`${span.service}\n${span.operation}`) ?? new ShapeBuilder(span);
      shapes.set(shape.key, shape);
      shape.add(span, below, children);
    }
  }
  return {
    timings: [...timings.values()].filter((grown) => !isHalfSeen(grown, timings)).map(sortedByTime),
    shapes: [...shapes.values()].map((shape) => shape.build()),
    outcomes: [...shapes.values()].map((shape) => shape.outcome()).filter((one) => one !== null),
    roots: Float64Array.from(roots).sort(),
    requests: Float64Array.from(requests),
  };
}

/** The newest spans, if there are very many: enough for a history. */
function newestOf(spans: readonly Span[]): readonly Span[] {
  if (spans.length <= MOST_SPANS) return spans;
  const since = Float64Array.from(spans, ({ at }) => at).sort()[spans.length - MOST_SPANS] ?? 0;
  return spans.filter(({ at }) => at >= since);
}

function tracesOf(spans: readonly Span[]): Iterable<Span[]> {
  const traces = new Map<string, Span[]>();
  for (const span of spans) {
    const trace = traces.get(span.traceId);
    if (trace === undefined) traces.set(span.traceId, [span]);
    else trace.push(span);
  }
  return traces.values();
}

function familyOf(trace: readonly Span[]): { children: Map<string, Span[]>; top: Span[] } {
  const ids = new Set(trace.map(({ spanId }) => spanId));
  const children = new Map<string, Span[]>();
  const top: Span[] = [];
  for (const span of trace) {
    const parent = span.parentSpanId;
    if (parent === null || parent === span.spanId || !ids.has(parent)) {
      top.push(span);
      continue;
    }
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [span]);
    else siblings.push(span);
  }
  return { children, top };
}

function timingOf(
  span: Span,
  below: readonly Span[],
): { kind: Timing['kind']; callee: string | null; operation: string; value: number } {
  const [only] = below;
  if (below.length === 1 && only !== undefined && only.service !== span.service) {
    const value = Math.max(0, span.durationMs - only.durationMs);
    return { kind: 'call', callee: only.service, operation: only.operation, value };
  }
  return {
    kind: 'self',
    callee: null,
    // A span with calls and one without are different work, even under one name.
    operation: below.length === 0 ? span.operation : `${span.operation} …`,
    value: exclusive(span, below),
  };
}

/** A span's time not covered by its children; concurrent children are counted once. */
function exclusive(span: Span, below: readonly Span[]): number {
  const end = span.at + span.durationMs;
  let covered = 0;
  let reached = span.at;
  for (const child of below.toSorted((a, b) => a.at - b.at)) {
    const from = Math.max(child.at, reached);
    const to = Math.min(child.at + child.durationMs, end);
    if (to <= from) continue;
    covered += to - from;
    reached = to;
  }
  return Math.max(0, span.durationMs - covered);
}

/**
 * Work without calls, although it usually makes some: they may just not have been recorded, so its time is not its own.
 */
function isHalfSeen(
  { kind, service, operation, times }: Growing & Omit<Timing, keyof Growing>,
  timings: ReadonlyMap<string, Growing>,
): boolean {
  if (kind !== 'self') return false;
  const calling = timings.get(`self\n${service}\n\n${operation} …`);
  return calling !== undefined && calling.times.length * 4 > times.length;
}

function sortedByTime(grown: Growing & Omit<Timing, keyof Growing>): Timing {
  const order = Uint32Array.from(grown.times.keys()).sort(
    (a, b) => (grown.times[a] ?? 0) - (grown.times[b] ?? 0),
  );
  const pick = (values: readonly number[]) => Float64Array.from(order, (index) => values[index] ?? 0);
  return {
    kind: grown.kind,
    service: grown.service,
    callee: grown.callee,
    operation: grown.operation,
    times: pick(grown.times),
    values: pick(grown.values),
    requests: pick(grown.requests),
  };
}

/** The caller's own child span for a call: `HTTP GET` alone does not say which call it is. */
function calledThrough(span: Span, children: ReadonlyMap<string, Span[]>): Span | null {
  const [only, ...others] = children.get(span.spanId) ?? [];
  return only !== undefined && others.length === 0 && only.service !== span.service ? only : null;
}

/** The target of the last call, made directly or through a child span of the caller. */
function lastCalled(
  service: string,
  below: readonly Span[],
  children: ReadonlyMap<string, Span[]>,
): string | null {
  const last = below.reduce<Span | null>(
    (latest, span) => (latest === null || span.at > latest.at ? span : latest),
    null,
  );
  if (last === null) return null;
  const called = last.service === service ? (children.get(last.spanId) ?? []) : [last];
  const others = new Set(called.map((span) => span.service).filter((name) => name !== service));
  const [only] = others;
  return others.size === 1 ? (only ?? null) : null;
}

class ShapeBuilder {
  readonly key: string;
  readonly #span: Span;
  readonly #rows: { at: number; set: number; last: string | null; failed: boolean }[] = [];
  readonly #index = new Map<string, number>();
  readonly #sets: Step[][] = [];

  constructor(span: Span) {
    this.key = `${span.service}\n${span.operation}`;
    this.#span = span;
  }

  add(span: Span, below: readonly Span[], children: ReadonlyMap<string, Span[]>): void {
    const steps = new Map<string, Step>();
    for (const child of below) {
      const step = calledThrough(child, children) ?? child;
      steps.set(`${step.service}\n${step.operation}`, step);
    }
    const id = [...steps.keys()].sort().join('\t');
    let set = this.#index.get(id);
    if (set === undefined) {
      set = this.#sets.length;
      this.#index.set(id, set);
      this.#sets.push([...steps.values()].map(({ service, operation }) => ({ service, operation })));
    }
    const failed = span.failed === true && below.every((child) => child.failed !== true);
    this.#rows.push({ at: span.at, set, last: lastCalled(span.service, below, children), failed });
  }

  build(): Shape {
    this.#rows.sort((a, b) => a.at - b.at);
    return {
      service: this.#span.service,
      operation: this.#span.operation,
      times: Float64Array.from(this.#rows, ({ at }) => at),
      of: Int32Array.from(this.#rows, ({ set }) => set),
      sets: this.#sets,
      lastCalled: this.#rows.map(({ last }) => last),
    };
  }

  /** Null if no span failed on its own. */
  outcome(): Outcome | null {
    if (!this.#rows.some(({ failed }) => failed)) return null;
    const rows = this.#rows.toSorted((a, b) => a.at - b.at);
    return {
      service: this.#span.service,
      operation: this.#span.operation,
      times: Float64Array.from(rows, ({ at }) => at),
      failures: Uint8Array.from(rows, ({ failed }) => (failed ? 1 : 0)),
    };
  }
}
