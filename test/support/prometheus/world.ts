import { History } from './history.ts';

const MINUTE = 60_000;

/** One service of a made-up system. */
export interface Part {
  name: string;
  calls: readonly string[];
  /** Requests per second, all instances together. */
  rate: number;
  /** Seconds. */
  latency: number;
  instances?: number;
}

/** What goes wrong at a part; its callers feel less and less of it. */
export interface Fault {
  at: string;
  /** Share of requests that fail, and seconds that they take more. */
  errors?: number;
  latency?: number;
  /** Times as many requests, for it and what it calls. */
  traffic?: number;
  /** Only its instance of this index. */
  instance?: number;
  /** Nobody else feels it. */
  unfelt?: boolean;
  /** It has no samples any more. */
  vanishes?: boolean;
}

export type Over = (at: number) => number;

/** One instance of a part, with what it does over time. */
export interface Instance {
  part: Part;
  index: number;
  pod: string;
  address: string;
  seed: number;
  rate: Over;
  errors: Over;
  latency: Over;
}

const FADES = 0.6;
const SUFFIXES = ['x2x4z', 'qk7bd', 'm9vtw', 'c4hfn', 'z8lps'];

/** A system, its fault, and a history that conventions write into. */
export class World {
  readonly history: History;
  readonly namespace: string;
  readonly parts: readonly Part[];
  readonly from: number;
  readonly triggeredAt: number;
  readonly onset: number;
  readonly instances: readonly Instance[];
  /** Whether what scrapes kube-state-metrics honors its labels. */
  honoursLabels = true;
  readonly #fault: Fault | null;
  readonly #felt = new Map<string, number>();
  readonly #busy = new Map<string, number>();

  constructor(
    parts: readonly Part[],
    {
      triggeredAt,
      namespace = 'default',
      fault = null,
      minutes = 8,
      hours = 3.5,
      stepMs = 30_000,
    }: WorldOptions,
  ) {
    this.parts = parts;
    this.namespace = namespace;
    this.triggeredAt = triggeredAt;
    this.onset = triggeredAt - minutes * MINUTE;
    this.from = triggeredAt - hours * 60 * MINUTE;
    this.history = new History({ from: this.from, to: triggeredAt, stepMs });
    this.#fault = fault;
    if (fault !== null) this.#spread(fault);
    this.instances = parts.flatMap((part, i) =>
      Array.from({ length: part.instances ?? 2 }, (_, index) => this.#instance(part, i, index)),
    );
  }

  /** A history in which something exists for a part of the time only. */
  during(from: number, to: number, write: (history: History) => void): this {
    const part = new History({ from, to, stepMs: this.history.stepMs });
    write(part);
    this.history.add(part);
    return this;
  }

  each(write: (history: History, instance: Instance) => void): this {
    const gone = this.#fault?.vanishes ? this.#fault.at : null;
    for (const instance of this.instances) {
      if (instance.part.name !== gone) write(this.history, instance);
      else this.during(this.from, this.onset, (history) => write(history, instance));
    }
    return this;
  }

  /** A level that changes at the onset. */
  level(seed: number, usual: number, then = usual, noise = 0.04): Over {
    return (at) => (at >= this.onset ? then : usual) * (1 + noise * noiseOf(seed, at));
  }

  /** What is felt at a part of the whole fault, 0 to 1. */
  felt(name: string): number {
    return this.#felt.get(name) ?? 0;
  }

  #instance(part: Part, i: number, index: number): Instance {
    const seed = 100 * (i + 1) + index;
    const count = part.instances ?? 2;
    const { errors = 0, latency = 0, at: where, instance } = this.#fault ?? { at: '' };
    const isHit = where !== part.name || instance === undefined || instance === index;
    const felt = isHit ? this.felt(part.name) : 0;
    const share = this.level(seed, part.rate / count, (part.rate / count) * (this.#busy.get(part.name) ?? 1));
    return {
      part,
      index,
      pod: `${part.name}-7d9f8b6c5d-${SUFFIXES[index]}`,
      address: `10.0.${i + 1}.${index + 2}:8080`,
      seed,
      rate: share,
      errors: this.level(seed + 10_000, 0.002, 0.002 + felt * errors),
      latency: this.level(seed + 20_000, part.latency, part.latency + felt * latency),
    };
  }

  #spread({ at, traffic, unfelt, instance }: Fault): void {
    this.#felt.set(at, 1);
    let reached = [at];
    const count = this.parts.find(({ name }) => name === at)?.instances ?? 2;
    for (
      let share = instance === undefined ? FADES : FADES / count;
      reached.length > 0 && !unfelt;
      share *= FADES
    ) {
      reached = this.parts
        .filter(
          ({ name, calls }) => !this.#felt.has(name) && calls.some((callee) => reached.includes(callee)),
        )
        .map(({ name }) => name);
      for (const name of reached) this.#felt.set(name, share);
    }
    if (traffic === undefined) return;
    const visit = (name: string) => {
      if (this.#busy.has(name)) return;
      this.#busy.set(name, traffic);
      for (const callee of this.parts.find((part) => part.name === name)?.calls ?? []) visit(callee);
    };
    visit(at);
  }
}

interface WorldOptions {
  triggeredAt: number;
  namespace?: string;
  fault?: Fault | null;
  /** From the onset to the alert. */
  minutes?: number;
  hours?: number;
  stepMs?: number;
}

/** Noise that is the same each time, between -1 and 1. */
export function noiseOf(seed: number, at: number): number {
  const x = Math.sin(seed * 12.9898 + (at / 1000) * 78.233) * 43758.5453;
  return 2 * (x - Math.floor(x)) - 1;
}
