/** Hours of made-up metrics in OpenMetrics, which `promtool` makes blocks of. */
export class History {
  readonly #lines: string[] = [];
  readonly #from: number;
  readonly #to: number;
  readonly stepMs: number;

  /** Samples from `from` to `to` (milliseconds, the end included), every `stepMs`. */
  constructor({ from, to, stepMs = 15_000 }: { from: number; to: number; stepMs?: number }) {
    this.#from = from;
    this.#to = to;
    this.stepMs = stepMs;
  }

  gauge(name: string, labels: Labels, value: (at: number) => number): this {
    for (let at = this.#from; at <= this.#to; at += this.stepMs) this.#sample(name, labels, value(at), at);
    return this;
  }

  /** A counter that grows by so much a second. */
  counter(name: string, labels: Labels, perSecond: (at: number) => number): this {
    let total = 0;
    for (let at = this.#from; at <= this.#to; at += this.stepMs) {
      total += (perSecond(at) * this.stepMs) / 1000;
      this.#sample(name, labels, total, at);
    }
    return this;
  }

  /** A histogram of requests so many a second, all of which take about so long, in the unit of the buckets. */
  histogram(
    name: string,
    labels: Labels,
    perSecond: (at: number) => number,
    typical: (at: number) => number,
    buckets: readonly number[],
  ): this {
    const counts = [...buckets, Number.POSITIVE_INFINITY].map(() => 0);
    let sum = 0;
    for (let at = this.#from; at <= this.#to; at += this.stepMs) {
      const count = (perSecond(at) * this.stepMs) / 1000;
      sum += count * typical(at);
      for (const [i, bound] of [...buckets, Number.POSITIVE_INFINITY].entries()) {
        // As many take twice as long as half as long: the distribution of most latencies.
        counts[i] = (counts[i] ?? 0) + count / (1 + (typical(at) / bound) ** 3);
        const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound);
        this.#sample(`${name}_bucket`, { ...labels, le }, counts[i] ?? 0, at);
      }
      this.#sample(`${name}_count`, labels, counts.at(-1) ?? 0, at);
      this.#sample(`${name}_sum`, labels, sum, at);
    }
    return this;
  }

  /** Takes over what another history has. */
  add(other: History): this {
    for (const line of other.#lines) this.#lines.push(line);
    return this;
  }

  #sample(name: string, labels: Labels, value: number, at: number): void {
    const inside = Object.entries(labels)
      .map(([key, text]) => `${key}="${text}"`)
      .join(',');
    this.#lines.push(`${name}{${inside}} ${value} ${at / 1000}`);
  }

  /** By name, as the format wants it. */
  text(): string {
    const families = Map.groupBy(this.#lines, (line) => line.slice(0, line.indexOf('{')));
    const sorted = [...families].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, lines]) => lines);
    return `${sorted.join('\n')}\n# EOF\n`;
  }
}

type Labels = Readonly<Record<string, string>>;
