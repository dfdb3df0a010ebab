/** Hours of made-up metrics in OpenMetrics, which `promtool` makes blocks of. */
export class History {
  /** By the metric's name, as the format wants them. */
  readonly #lines = new Map<string, string[]>();
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
    const series = this.#series(name, labels);
    for (let at = this.#from; at <= this.#to; at += this.stepMs) series(value(at), at);
    return this;
  }

  /** A counter that grows by so much a second. */
  counter(name: string, labels: Labels, perSecond: (at: number) => number): this {
    const series = this.#series(name, labels);
    let total = 0;
    for (let at = this.#from; at <= this.#to; at += this.stepMs) {
      total += (perSecond(at) * this.stepMs) / 1000;
      series(total, at);
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
    const bounds = [...buckets, Number.POSITIVE_INFINITY].map((bound) => ({
      bound,
      count: 0,
      series: this.#series(`${name}_bucket`, {
        ...labels,
        le: bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound),
      }),
    }));
    const counts = this.#series(`${name}_count`, labels);
    const sums = this.#series(`${name}_sum`, labels);
    let sum = 0;
    for (let at = this.#from; at <= this.#to; at += this.stepMs) {
      const count = (perSecond(at) * this.stepMs) / 1000;
      const most = typical(at);
      sum += count * most;
      for (const one of bounds) {
        // As many take twice as long as half as long: the distribution of most latencies.
        one.count += count / (1 + (most / one.bound) ** 3);
        one.series(one.count, at);
      }
      counts(bounds.at(-1)?.count ?? 0, at);
      sums(sum, at);
    }
    return this;
  }

  /** Takes over what another history has. */
  add(other: History): this {
    for (const [name, lines] of other.#lines) {
      const own = this.#linesOf(name);
      for (const line of lines) own.push(line);
    }
    return this;
  }

  text(): string {
    const sorted = [...this.#lines].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, lines]) => lines);
    return `${sorted.join('\n')}\n# EOF\n`;
  }

  /** What writes a sample of one series. */
  #series(name: string, labels: Labels): (value: number, at: number) => void {
    const lines = this.#linesOf(name);
    const inside = Object.entries(labels)
      .map(([key, text]) => `${key}="${text}"`)
      .join(',');
    const series = `${name}{${inside}}`;
    return (value, at) => lines.push(`${series} ${value} ${at / 1000}`);
  }

  #linesOf(name: string): string[] {
    const lines = this.#lines.get(name) ?? [];
    this.#lines.set(name, lines);
    return lines;
  }
}

type Labels = Readonly<Record<string, string>>;
