import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Budget } from '../budget.ts';
import { type Exported, known, type Points, type Reading, type Window } from '../model.ts';
import { asScraped } from '../samples.ts';
import { describe } from './catalog.ts';
import { type Description, LISTING, type PrometheusClient, type Sampled } from './client.ts';
import type { Naming } from './naming.ts';
import { escaped, scraped } from './promql.ts';
import type { Recognition } from './recognition.ts';
import type { Target } from './targets.ts';

/** So many series are read as their targets export them. */
const MOST_SERIES = 8_000;
/** What a target exports whose scrape is not counted, such as one that pushes. */
const USUAL_SERIES = 300;
/** Long enough to see what was before: as many samples of a target that is rarely scraped. */
const LEAST_MS = 12 * 60_000;
const MOST_MS = 60 * 60_000;
const FEWEST_SAMPLES = 40;
const MOST_SAMPLES = 600_000;
/** The day before, coarsely: a trouble may be older than what is read finely. */
const PAST_MS = 24 * 60 * 60_000;
const PAST_STEP = 30 * 60_000;
/** Small jobs share a request. */
const TOGETHER = 1_500;
/** A rate over as many samples: one missed scrape hides nothing. */
const SAMPLES_OF_A_RATE = 4;
/** Buckets say what the sum and the count say; the scrape's own metrics are about Prometheus. */
const LEFT_OUT = '__name__!~".+_bucket|scrape_.+|ALERTS.*"';

/** One job often scrapes several stores: then the address says which. */
const EXPORTED = scraped('unknown');

/** How many series each target exports: as Prometheus counts them, or as they are. */
const SCRAPED_SIZES = 'sum by (job, instance) (scrape_samples_post_metric_relabeling)';
const SIZES = `count by (job, instance) (last_over_time({job!="",${LEFT_OUT}}[15m]))`;

interface Asked {
  client: PrometheusClient;
  recognition: Recognition;
  naming: Naming;
  /** The services to read, the most important first; `null` for all. */
  services: readonly string[] | null;
  window: Window;
  budget: Budget;
}

/** The targets of a job, and how many series they export. */
interface Job {
  selector: string;
  series: number;
}

/**
 * Everything that targets export over the last minutes, as finely as they are scraped: a request a job. What is left out
 * since there is too much of it is named.
 */
export async function exportedBy(asked: Asked): Promise<Reading<Exported[]>> {
  const { client, recognition, naming, window, budget } = asked;
  const isScraped = recognition.targets.length > 0;
  const [sizes, described] = await Promise.all([
    recognition.client.query(isScraped ? SCRAPED_SIZES : SIZES, window.to - 1, budget, LISTING),
    client.metadata(budget),
  ]);
  // Prometheus counts what it scrapes, and not every store keeps that.
  const counted =
    isScraped && sizes.known && sizes.value.length === 0
      ? await recognition.client.query(SIZES, window.to - 1, budget, LISTING)
      : sizes;
  const sized = counted.known ? counted.value : [];
  const { jobs, left } = isScraped ? chosen(asked, sized) : chosen(withTargets(asked, sized), sized);
  const total = jobs.reduce((sum, { series }) => sum + series, 0);
  const scrapeMs = 1000 * (recognition.scrapeSeconds ?? 30);
  const lengthMs = Math.min(MOST_MS, Math.max(LEAST_MS, FEWEST_SAMPLES * scrapeMs));
  const from = Math.max(window.from, window.to - lengthMs);
  const stepMs = Math.max(
    scrapeMs,
    Math.ceil(((window.to - from) * total) / MOST_SAMPLES / scrapeMs) * scrapeMs,
  );
  const read = (span: Window, step: number) =>
    Promise.all(
      jobs.map(({ selector }) =>
        recognition.client.queryRange(`{${selector},${LEFT_OUT}}`, span, step, budget, {
          subject: selector,
          reach: { series: MOST_SERIES, cost: 10 },
        }),
      ),
    );
  const readings = await read({ from, to: window.to }, stepMs);
  // Who asks for the last minutes alone does not compare them.
  const before = from > window.from ? await read({ from: from - PAST_MS, to: from }, PAST_STEP) : [];
  const pasts = new Map(
    before.flatMap((reading) =>
      reading.known ? reading.value.map(({ labels, points }) => [keyOf(labels), points] as const) : [],
    ),
  );
  await nextTurn();
  const descriptions = described.known ? described.value : new Map<string, Description>();
  // Of a large system what is far from the subject is left out on purpose.
  const caveats =
    left.length === 0 || asked.services !== null
      ? []
      : [`Too much to read as it is exported: ${left.join(', ')}.`];
  const found: Exported[] = [];
  // A job of many workloads names none of them.
  const workloads = new Map(
    recognition.targets.flatMap(({ labels, service, workload }) =>
      service.name === workload ? [[`${labels.job} ${labels.instance}`, workload] as const] : [],
    ),
  );
  for (const reading of readings) {
    if (!reading.known) {
      caveats.push(reading.reason);
      continue;
    }
    const targets = Map.groupBy(reading.value, ({ labels }) => `${labels.job} ${labels.instance}`);
    for (const series of [...targets.values()].flatMap((some) => asScraped(some, { from, stepMs }))) {
      const one = exported(series, recognition, descriptions, pasts.get(keyOf(series.labels)));
      const workload = workloads.get(`${series.labels.job} ${series.labels.instance}`);
      const service = naming.service({ ...series.labels, ...(workload && { workload }) }, EXPORTED);
      if (one !== null && service !== null) found.push({ ...one, service });
    }
    await nextTurn();
  }
  return known(found, caveats);
}

/** Where nothing tells of targets, such as of what is written remotely, those of the series. */
function withTargets(asked: Asked, sizes: readonly Sampled[]): Asked {
  const targets = sizes.map(({ labels }): Target => {
    const name = labels.job ?? '';
    return {
      service: { name, namespace: '' },
      workload: '',
      pod: '',
      instance: labels.instance ?? '',
      labels,
    };
  });
  return { ...asked, recognition: { ...asked.recognition, targets } };
}

/** Which jobs are read, and which are too large. */
function chosen(
  { recognition: { targets }, naming, services }: Asked,
  sizes: readonly Sampled[],
): { jobs: Job[]; left: string[] } {
  const sizeOf = new Map(
    sizes.map(({ labels, points }) => [`${labels.job} ${labels.instance}`, points.values[0] ?? 0]),
  );
  const size = ({ labels }: Target) => sizeOf.get(`${labels.job} ${labels.instance}`) ?? USUAL_SERIES;
  const serviceOf = (target: Target) => naming.service(target.labels, EXPORTED) ?? '';
  const rank = new Map(services?.map((name, i) => [name, i]));
  const wanted = services === null ? targets : targets.filter((one) => rank.has(serviceOf(one)));
  const groups = [...Map.groupBy(wanted, ({ labels }) => labels.job ?? '')]
    .filter(([job]) => job !== '')
    .map(([job, some]) => {
      const all = targets.filter(({ labels }) => labels.job === job);
      const instances = [...new Set(some.map(({ labels }) => labels.instance ?? ''))];
      const isWhole = new Set(all.map(({ labels }) => labels.instance)).size === instances.length;
      const matcher = `instance=~${JSON.stringify(instances.map(escaped).join('|'))}`;
      return {
        selector: `job=${JSON.stringify(job)}${isWhole ? '' : `,${matcher}`}`,
        series: some.reduce((sum, one) => sum + size(one), 0),
        isWhole,
        rank: Math.min(...some.map((one) => rank.get(serviceOf(one)) ?? 0)),
        job,
      };
    })
    .sort((a, b) => a.rank - b.rank || a.series - b.series);
  const jobs: Job[] = [];
  const left: string[] = [];
  let total = 0;
  let shared: (Job & { names: string[] }) | null = null;
  for (const { job, selector, series, isWhole } of groups) {
    if (total + series > MOST_SERIES) {
      left.push(job);
      continue;
    }
    total += series;
    if (isWhole && shared !== null && shared.series + series <= TOGETHER) {
      shared.names.push(job);
      shared.series += series;
      shared.selector = `job=~${JSON.stringify(shared.names.map(escaped).join('|'))}`;
    } else {
      const own = { selector, series, names: [job] };
      jobs.push(own);
      if (isWhole) shared = own;
    }
  }
  return { jobs, left };
}

function exported(
  { labels, points }: Sampled,
  { names }: Recognition,
  descriptions: ReadonlyMap<string, Description>,
  past?: Points,
): Omit<Exported, 'service'> | null {
  const { __name__: name = '', ...own } = labels;
  const family = name.replace(/_(?:sum|count)$/u, '');
  const whole = describe(family, names, descriptions);
  const isPart = family !== name && (whole.type === 'histogram' || whole.type === 'summary');
  const unit = name.endsWith('_count') ? '' : whole.unit;
  const described = isPart
    ? { ...whole, unit, type: 'counter' as const }
    : describe(name, names, descriptions);
  const isCounter =
    described.type === 'counter' ||
    (described.type === 'unknown' && !STATISTIC.test(name) && onlyRises(points));
  const shown = isCounter ? ratesOf(points) : points;
  if (shown.times.length === 0) return null;
  return {
    name,
    labels: own,
    ...described,
    type: isCounter ? 'counter' : described.type,
    points: shown,
    ...(past && { past: isCounter ? ratesOf(past) : past }),
  };
}

function keyOf(labels: Sampled['labels']): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Of the samples of a period, such as CloudWatch's: none of them counts on. */
const STATISTIC = /_(?:average|avg|mean|max(?:imum)?|min(?:imum)?|p\d+)$/u;

/** Without a description, what never falls and rises most of the time counts something. */
function onlyRises({ values }: Points): boolean {
  let rises = 0;
  for (let i = 1; i < values.length; i++) {
    const step = (values[i] ?? 0) - (values[i - 1] ?? 0);
    if (step < 0) return false;
    if (step > 0) rises++;
  }
  return rises > 0 && 2 * rises >= values.length - 1 && (values[0] ?? 0) >= 0;
}

/** Per second; a counter that falls began anew. */
function ratesOf({ times, values }: Points): Points {
  const rises = Float64Array.from(values, (value, i) => {
    const step = i === 0 ? 0 : value - (values[i - 1] ?? value);
    return step < 0 ? value : step;
  });
  const count = Math.max(0, times.length - 1);
  const rates = new Float64Array(count);
  let inside = 0;
  for (let i = 1; i <= count; i++) {
    inside += rises[i] ?? 0;
    const first = Math.max(0, i - SAMPLES_OF_A_RATE);
    if (i > SAMPLES_OF_A_RATE) inside -= rises[first] ?? 0;
    const seconds = ((times[i] ?? 0) - (times[first] ?? 0)) / 1000;
    rates[i - 1] = seconds > 0 ? Math.max(0, inside) / seconds : 0;
  }
  return { times: times.slice(1), values: rates };
}
