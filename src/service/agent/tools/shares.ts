import type { MetricInfo } from '../../telemetry/model.ts';
import { isNamedAfter, isOfRuntime, JOB, ofThings } from '../catalog/find.ts';
import { type Filter, labelsIn, labelsOf, outcomeOf } from '../catalog/labels.ts';
import { selector } from '../catalog/measure.ts';
import type { Facts } from '../types.ts';
import { chartOf, newest, type Reader, rowsOf } from './series.ts';

interface PartOf {
  value: string;
  /** The share of it that failed; `null` where the metric does not tell. */
  failing: number | null;
  /** A second, or how long it takes, now and before the trouble began; `null` where that is not known. */
  rate: number;
  before: number | null;
}

export interface Asked extends Reader {
  evidenceStore: Pick<Facts['evidenceStore'], 'metric'>;
  thread: { onset: number; issue: { title: string } } | null;
}

interface Counter {
  metric: MetricInfo;
  /** Whether its labels are. */
  isUnknown: boolean;
  filters: Filter[];
  /** The values of the label that says how it went with which it failed. */
  outcome: Filter | null;
}

/** Whether a trouble is of one or of all, as a counter tells it by the values of a label. */
export interface Shares {
  metric: string;
  label: string;
  /** Of a rate `/s`, else of a time. */
  unit: string;
  /** The largest failing share first, else the largest rate. */
  parts: PartOf[];
  partsInAll: number;
  failing: string[];
  /** The values of which there is far more, or far less, than before, while there is not of the others. */
  moved: string[];
  query: string;
  url: string | null;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RATE = '10m';
/** Labels by which no trouble is told apart. */
const OF_SCRAPE = /^(?:job|instance|pod|container|namespace|node|uid|endpoint|cluster|env|le|quantile)$/u;
const SLOW = /\bslow|latenc|\bp9\d|\btakes?\b|\btook\b/iu;
const FAILS = /\bfail|\berror/iu;
const MOST_PARTS = 5;
const MOST_LOOKED = 6;
/** So many times as much is far more. */
const FAR = 3;
const LEAST = 0.02;

/**
 * What of the counters of these services fails, or was lost or gained, by the label that a question asks for; by the one
 * that tells most where it asks for none; `null` where no counter has such a label.
 */
export async function sharesOf(
  question: string,
  services: readonly string[],
  facts: Asked,
): Promise<Shares | null> {
  const own = [...(facts.catalog?.metrics.values() ?? [])].flatMap((metric): Counter[] => {
    const { name, type, labels } = metric;
    const isCounted = type === 'counter' || type === 'histogram' || name.endsWith('_total');
    if (!isCounted || isOfRuntime(name)) return [];
    const of = ofThings(metric, services);
    const isUnknown = Object.keys(labels).length === 0;
    // Of what is gone from time to time the labels may not be known.
    const isOwn = JOB.test(of?.label ?? '') || (isUnknown && services.some((one) => isNamedAfter(name, one)));
    return isOwn ? [{ metric, isUnknown, filters: [of ?? []].flat(), outcome: outcomeOf(metric) }] : [];
  });
  const named = labelsIn(question, labelsOf(facts.catalog));
  const pairs = own.flatMap((counter) => {
    const { isUnknown, outcome, metric } = counter;
    const several = Object.entries(metric.labels).filter(
      ([label, values]) => label !== outcome?.label && !OF_SCRAPE.test(label) && values.length > 1,
    );
    const asked = named.filter((label) => isUnknown || label in metric.labels).slice(0, isUnknown ? 2 : 1);
    // Where a label is asked for, another one is no answer.
    const labels = named.length > 0 ? asked : several.map(([label]) => label);
    return labels.map((label) => ({ ...counter, label }));
  });
  const timed = pairs.filter(({ metric }) => metric.type === 'histogram');
  // What is slow is compared by how long it takes, where that is measured by this label.
  const isOfTime =
    timed.length > 0 && SLOW.test(`${question} ${facts.thread?.issue.title ?? ''}`) && !FAILS.test(question);
  const chosen = (isOfTime ? timed : pairs)
    .toSorted((a, b) => Number(b.outcome !== null) - Number(a.outcome !== null))
    .slice(0, MOST_LOOKED);
  const read = await Promise.all(chosen.map((one) => readBy(one, isOfTime, facts)));
  // Without failures and a time before, nothing shows whether it is of one alone.
  const isCompared = ({ failing, before }: PartOf) => failing !== null || before !== null;
  const compared = read.flatMap((one) => (one?.parts.some(isCompared) === true ? one : []));
  const telling = compared.find(({ failing, moved }) => failing.length + moved.length > 0);
  // Where all are alike, that of which most has changed.
  const [most = null] = compared.toSorted((a, b) => changeOf(b) - changeOf(a));
  return telling ?? (named.length > 0 ? most : null);
}

/** Of less than one in so many seconds, nothing is compared. */
const LEAST_RATE = 0.1;

function changeOf({ parts }: Shares): number {
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
  const [now, before] = [sum(parts.map(({ rate }) => rate)), sum(parts.map((one) => one.before ?? 0))];
  return Math.max(now, before) < LEAST_RATE
    ? 0
    : Math.abs(Math.log((now + LEAST_RATE) / (before + LEAST_RATE)));
}

async function readBy(
  { metric, filters, outcome, label }: Counter & { label: string },
  isOfTime: boolean,
  facts: Asked,
): Promise<Shares | null> {
  const name = metric.type === 'histogram' ? `${metric.name}_count` : metric.name;
  const by = (...more: Filter[]) =>
    isOfTime
      ? `histogram_quantile(0.95, sum by (le, ${label}) (rate(${metric.name}_bucket${selector(filters)}[${RATE}])))`
      : `sum by (${label}) (rate(${name}${selector([...filters, ...more])}[${RATE}]))`;
  const isTold = outcome !== null && outcome.label !== label && !isOfTime;
  const { onset } = facts.thread ?? {};
  const all = await rowsOf(by(), facts, {
    past: onset === undefined ? null : { from: onset - HOUR, to: onset - 10 * MINUTE },
    beside: isTold ? by(outcome) : null,
    adds: !isOfTime,
  });
  // A pod that is gone is none of those that there are.
  const isOfPlace = OF_SCRAPE.test(label);
  const rows = (all ?? []).filter(({ labels, now }) => labels[label] && (now !== null || !isOfPlace));
  // Of a time that nobody kept, or that could not be read, nothing is known: that is not zero.
  const isKept = !isOfPlace && all?.some(({ before }) => before !== null);
  const isRead = rows.some(({ beside }) => beside !== null);
  const parts = rows
    .map(({ labels, now, before, beside }): PartOf => {
      const failing = isRead && now ? (beside ?? 0) / now : null;
      return { value: labels[label] ?? '', failing, rate: now ?? 0, before: before ?? (isKept ? 0 : null) };
    })
    .toSorted((a, b) => (b.failing ?? 0) - (a.failing ?? 0) || b.rate - a.rate);
  // What never happens tells nothing apart.
  if (parts.length < 2 || !parts.some(({ rate, before }) => rate > 0 || (before ?? 0) > 0)) return null;
  const unit = isOfTime ? metric.unit : '/s';
  for (const { series } of rows.filter(({ now }) => now !== null).slice(0, 2))
    facts.evidenceStore.metric(chartOf(series, name, unit), newest(facts.now));
  return {
    metric: isOfTime ? `p95 of ${metric.name}` : name,
    label,
    unit,
    parts: parts.slice(0, MOST_PARTS),
    partsInAll: parts.length,
    failing: failingIn(parts),
    moved: movedIn(parts),
    query: by(),
    url: rows[0]?.series.providerUrl ?? null,
  };
}

/** Those before the first that fails far less than the one before it; none where there is no such gap. */
function failingIn(parts: readonly PartOf[]): string[] {
  const shares = parts.map(({ failing }) => failing ?? 0);
  const gap = shares.findIndex((share, i) => (shares[i - 1] ?? 0) > Math.max(LEAST, FAR * share));
  return parts.slice(0, Math.max(0, gap)).map(({ value }) => value);
}

function movedIn(parts: readonly PartOf[]): string[] {
  const isFar = ({ rate, before }: PartOf) => {
    const ratio = (rate + Number.EPSILON) / ((before ?? 0) + Number.EPSILON);
    return Math.max(ratio, 1 / ratio) > FAR - 1;
  };
  const far = parts.some(({ before }) => before === null) ? [] : parts.filter(isFar);
  return far.length === parts.length ? [] : far.map(({ value }) => value);
}
