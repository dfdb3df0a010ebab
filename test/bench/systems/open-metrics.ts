import { closeSync, openSync, writeSync } from 'node:fs';

/** When samples stand, in milliseconds since the epoch; the end is included. */
export interface Times {
  from: number;
  to: number;
  stepMs: number;
}

type Labels = Readonly<Record<string, string>>;
type At = (at: number) => number;

const ALWAYS = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
/** Written so many characters at a time: the whole text may be a gigabyte. */
const BUFFERED = 1_000_000;

/**
 * Writes a history in OpenMetrics, which `promtool tsdb create-blocks-from openmetrics` makes blocks of. The format wants
 * all series of one metric in a row, so a metric must be written before the next begins.
 */
export class OpenMetricsFile {
  readonly #file: number;
  readonly #times: Times;
  #text = '';
  #series = 0;
  #samples = 0;

  constructor(path: string, times: Times) {
    this.#file = openSync(path, 'w');
    this.#times = times;
  }

  /** Within the times, or only from a moment on, or until before one. */
  gauge(name: string, labels: Labels, value: At, within: { from: number; to: number } = ALWAYS): void {
    const { from, to, stepMs } = this.#times;
    const inside = Object.entries(labels).map(([key, text]) => `${key}="${text}"`);
    const series = `${name}{${inside.join(',')}}`;
    this.#series++;
    for (let at = from; at <= to; at += stepMs) {
      if (at < within.from || at >= within.to) continue;
      this.#text += `${series} ${Math.round(value(at) * 1e6) / 1e6} ${at / 1000}\n`;
      this.#samples++;
    }
    if (this.#text.length < BUFFERED) return;
    writeSync(this.#file, this.#text);
    this.#text = '';
  }

  /** Grows by so much a second. */
  counter(name: string, labels: Labels, perSecond: At): void {
    let total = 0;
    this.gauge(name, labels, (at) => {
      total += (perSecond(at) * this.#times.stepMs) / 1000;
      return total;
    });
  }

  /** Requests so many a second, half of which take longer than what is typical, in the unit of the buckets. */
  histogram(
    name: string,
    buckets: readonly number[],
    all: readonly { labels: Labels; perSecond: At; typical: At }[],
  ): void {
    for (const { labels, perSecond, typical } of all) {
      for (const bound of buckets) {
        const share = (at: number) => 1 / (1 + (typical(at) / bound) ** 3);
        const within = { ...labels, le: String(bound) };
        this.counter(`${name}_bucket`, within, (at) => perSecond(at) * share(at));
      }
      this.counter(`${name}_bucket`, { ...labels, le: '+Inf' }, perSecond);
    }
    for (const { labels, perSecond } of all) this.counter(`${name}_count`, labels, perSecond);
    for (const { labels, perSecond, typical } of all)
      this.counter(`${name}_sum`, labels, (at) => perSecond(at) * typical(at));
  }

  close(): { series: number; samples: number } {
    writeSync(this.#file, `${this.#text}# EOF\n`);
    closeSync(this.#file);
    return { series: this.#series, samples: this.#samples };
  }
}
