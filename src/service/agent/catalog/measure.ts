import type { MetricInfo } from '../../telemetry/model.ts';
import type { Candidate, Catalog, Filter } from './find.ts';
import { stem, wordsOfName } from './terms.ts';

/** How a metric is asked for: an expression for all of it, and one for its parts. */
export interface Measured {
  /** `redis_keyspace_hits_total / (hits + misses)`, in a few words. */
  name: string;
  help: string;
  /** As of a signal; with `/s` for a rate. */
  unit: string;
  whole: string;
  /** By the labels that were asked for, or that tell its parts apart; `null` where it has no parts. */
  parts: { expression: string; labels: readonly string[] } | null;
  /** What of the metric was taken. */
  filters: readonly Filter[];
  /** A moment, in seconds since the epoch, if its values are that. */
  mayBeMoment: boolean;
  /** Whether it is 1 for what is well. */
  isFlag: boolean;
}

const RATE = '5m';
const SHARE =
  /\b(?:ratio|percent(?:age)?|share|full|utili[sz]ation|used)\b|%|\b(?:hit|miss|error|failure|success|cache) rate\b/iu;
/** A disk by itself is asked how full it is. */
const BARE = /\b(?:disks?|volumes?|filesystems?)\b/iu;
const NOT_BARE =
  /\b(?:free|left|size|how (?:much|many|big|large)|available|total|bytes?|reads?|writes?|written|io|iops|latency|errors?)\b/iu;
const COUNTS_CALLS =
  /\b(?:busiest|most|traffic|req(?:uest)?s?|calls?|how many|rate|per (?:sec(?:ond)?|min(?:ute)?)|a second|have)\b|\/s\b/iu;
export const PER_TIME = /\b(?:per|a|each|every) (?:sec(?:ond)?|min(?:ute)?|hour)\b|\/s\b|\brate\b/iu;
const SLOW = /\b(?:slow\w*|latenc\w*|duration|long|took|takes?|p\d\d|percentile|(?<!(?:this|same) )time)\b/iu;
const FLAG = /(?:^|_)(?:up|success|healthy|status)$/u;
/** Labels of where it was scraped: all of them have them. */
const OF_SCRAPE = /^(?:job|instance|__\w+|prometheus|cluster|region|zone|env(?:ironment)?|tenant)$/u;
/** Labels of where it runs: they tell its parts apart only where nothing else does. */
const OF_PLACE = /^(?:pod|node|nodename|host|hostname|server|ip|uid|id|container_id)$/iu;
const MOST_LABELS = 2;
const MOST_THINGS = 4;
/** As near to a question as the nearest, for all that its words say. */
export const AS_NEAR = 0.12;

/** What goes with what: the part and its whole, and how the share is made. */
const PAIRS: readonly { of: string; with: readonly string[]; share: (a: string, b: string) => string }[] = [
  { of: 'hits', with: ['misses'], share: (a, b) => `${a} / (${a} + ${b})` },
  { of: 'hit', with: ['miss'], share: (a, b) => `${a} / (${a} + ${b})` },
  { of: 'misses', with: ['hits'], share: (a, b) => `${a} / (${a} + ${b})` },
  { of: 'avail', with: ['size', 'total'], share: (a, b) => `1 - ${a} / ${b}` },
  { of: 'available', with: ['size', 'total', 'capacity'], share: (a, b) => `1 - ${a} / ${b}` },
  { of: 'free', with: ['size', 'total'], share: (a, b) => `1 - ${a} / ${b}` },
  {
    of: 'used',
    with: ['max', 'size', 'total', 'limit', 'capacity', 'committed'],
    share: (a, b) => `${a} / ${b}`,
  },
  { of: 'usage', with: ['limit', 'max', 'quota'], share: (a, b) => `${a} / ${b}` },
  { of: 'failed', with: ['', 'started'], share: (a, b) => `${a} / ${b}` },
  { of: 'errors', with: ['', 'requests'], share: (a, b) => `${a} / ${b}` },
];

/** The metrics that a question may mean, best first: for a share, the first that has the rest of its whole beside it. */
export function candidatesFor(question: string, catalog: Catalog): Candidate[] {
  const found = catalog.find(question);
  const best = found[0]?.covered ?? 0;
  const share = asksForShare(question)
    ? found.find((one) => one.covered >= best - AS_NEAR && shareOf(one, catalog) !== null)
    : undefined;
  return share === undefined ? found : [share, ...found.filter((one) => one !== share)];
}

export function measure(question: string, candidate: Candidate, catalog: Catalog): Measured {
  const share = asksForShare(question) ? shareOf(candidate, catalog) : null;
  return share ?? busyOf(question, candidate) ?? plain(question, candidate);
}

function asksForShare(question: string): boolean {
  return SHARE.test(question) || (BARE.test(question) && !NOT_BARE.test(question));
}

/** A part of a whole, where both are measured with the same labels. */
function shareOf({ metric, filters }: Candidate, { metrics }: Catalog): Measured | null {
  for (const { of, with: others, share } of PAIRS) {
    if (!nameParts(metric.name).includes(of)) continue;
    for (const other of others) {
      const partner = metrics.get(withPart(metric.name, of, other));
      if (partner === undefined || partner === metric) continue;
      const labels = thingsOf(metric, partner, filters);
      const by = labels.length === 0 ? '' : ` by (${labels.join(', ')})`;
      const isCounted = metric.type === 'counter';
      const expressionOf = ({ name }: MetricInfo, grouped: string) =>
        isCounted
          ? `sum${grouped}(rate(${name}${selector(filters)}[${RATE}]))`
          : `sum${grouped}(${name}${selector(filters)})`;
      const shareBy = (grouped: string) =>
        share(expressionOf(metric, grouped), expressionOf(partner, grouped));
      // Where labels are not known, each series is a thing by itself.
      const each = share(`${metric.name}${selector(filters)}`, `${partner.name}${selector(filters)}`);
      const isUnknown = !isCounted && Object.keys(metric.labels).length === 0;
      const parts = isUnknown ? each : by === '' ? null : shareBy(by);
      return {
        name: share(shortName(metric.name), shortName(partner.name)),
        help: '',
        unit: '1',
        // Two disks are not one: of levels, the fullest counts.
        whole: isCounted || parts === null ? shareBy('') : `max(${parts})`,
        parts: parts === null ? null : { expression: parts, labels },
        filters,
        mayBeMoment: false,
        isFlag: false,
      };
    }
  }
  return null;
}

/** Labels that tell the things apart whose shares these are: `instance`, `mountpoint`. */
function thingsOf(metric: MetricInfo, partner: MetricInfo, filters: readonly Filter[]): string[] {
  const several = Object.entries(metric.labels).filter(
    ([label, values]) =>
      values.length > 1 &&
      label in partner.labels &&
      !filters.some((one) => one.label === label && one.values.length === 1),
  );
  const own = several.filter(([label]) => !OF_SCRAPE.test(label)).sort(([, a], [, b]) => b.length - a.length);
  const where = several.filter(([label]) => label === 'instance');
  // Too few would add up two disks of one machine.
  return [...where, ...own].slice(0, MOST_THINGS).map(([label]) => label);
}

function nameParts(name: string): string[] {
  return name.split('_');
}

function withPart(name: string, part: string, other: string): string {
  return nameParts(name)
    .flatMap((one) => (one === part ? (other === '' ? [] : [other]) : [one]))
    .join('_');
}

function shortName(name: string): string {
  return name.replace(/_total$/u, '');
}

const OF_CPU = /(?:^|_)cpu(?:_|$)/u;
const IDLE = ['idle', 'iowait'];

/** How busy processors are, where their idle time is counted, too: the sum of all modes is how many there are. */
function busyOf(question: string, { metric, filters }: Candidate): Measured | null {
  const { name, help, labels } = metric;
  const mode = Object.keys(labels).find(
    (label) => (label === 'mode' || label === 'state') && labels[label]?.includes('idle') === true,
  );
  if (mode === undefined || !OF_CPU.test(name) || filters.some(({ label }) => label === mode)) return null;
  const { [mode]: _, cpu: __, ...others } = labels;
  const by = partsAskedFor(question, { ...metric, labels: others }, filters);
  const idle = selector([...filters, { label: mode, values: IDLE }]);
  const share = (grouped: string) =>
    `1 - sum${grouped}(rate(${name}${idle}[${RATE}])) / sum${grouped}(rate(${name}${selector(filters)}[${RATE}]))`;
  return {
    name: `busy share of ${name}`,
    help,
    unit: '1',
    whole: share(''),
    parts: by.length === 0 ? null : { expression: share(` by (${by.join(', ')}) `), labels: by },
    filters,
    mayBeMoment: false,
    isFlag: false,
  };
}

function plain(question: string, { metric, filters }: Candidate): Measured {
  const { name, type, help, unit } = metric;
  const labels = partsAskedFor(question, metric, filters);
  const [asked] = /\bp(\d\d(?:\.\d+)?)\b/iu.exec(question)?.slice(1) ?? [];
  const chosen = selector(filters);
  const common = { help, filters, mayBeMoment: false, isFlag: false };
  const grouped = (aggregate: string, inner: string, wrap = (text: string) => text) => ({
    whole: wrap(`${aggregate}(${inner})`),
    parts:
      labels.length === 0
        ? null
        : { expression: wrap(`${aggregate} by (${labels.join(', ')}) (${inner})`), labels },
  });
  // What a rule records is no counter.
  const mayCount = type === 'unknown' && !name.includes(':');
  if (type === 'counter' || (mayCount && (/_total$/u.test(name) || PER_TIME.test(question))))
    return {
      ...common,
      name,
      unit: rateOf(name, unit),
      ...grouped('sum', `rate(${name}${chosen}[${RATE}])`),
    };
  if (type === 'histogram' || type === 'summary') {
    const counts = COUNTS_CALLS.test(question) && !SLOW.test(question);
    if (counts)
      return {
        ...common,
        name: `${name}_count`,
        unit: '/s',
        ...grouped('sum', `rate(${name}_count${chosen}[${RATE}])`),
      };
    if (type === 'summary')
      return {
        ...common,
        name,
        unit,
        whole: `sum(rate(${name}_sum${chosen}[${RATE}])) / sum(rate(${name}_count${chosen}[${RATE}]))`,
        parts: null,
      };
    const quantile = Number(asked ?? 95) / 100;
    const of = (more: string) =>
      `histogram_quantile(${quantile}, sum by (${more}) (rate(${name}_bucket${chosen}[${RATE}])))`;
    return {
      ...common,
      name: `p${asked ?? 95} of ${name}`,
      unit,
      whole: of('le'),
      parts: labels.length === 0 ? null : { expression: of(['le', ...labels].join(', ')), labels },
    };
  }
  const mayBeMoment =
    unit !== 'By' && /expir|not_after|timestamp|start_time|_time(?:_seconds)?$|last_/u.test(name);
  const isFlag = FLAG.test(name);
  const isLevel =
    unit === '1' || unit === 's' || unit === 'ms' || /ratio|percent|load|temp|quantile|_p\d\d/u.test(name);
  return {
    ...common,
    mayBeMoment,
    isFlag,
    name,
    unit,
    ...grouped(mayBeMoment || isFlag ? 'min' : isLevel ? 'max' : 'sum', `${name}${chosen}`),
  };
}

function rateOf(name: string, unit: string): string {
  // Seconds of work in a second are how many do it.
  if (unit === 's' && OF_CPU.test(name)) return '{core}';
  return unit === '' ? '/s' : `${unit}/s`;
}

/** The labels that the question splits it by; else those that tell its parts apart. */
function partsAskedFor(question: string, { labels }: MetricInfo, filters: readonly Filter[]): string[] {
  const words = (question.toLowerCase().match(/\p{L}+/gu) ?? []).map(stem);
  const several = Object.entries(labels).filter(
    ([label, values]) =>
      values.length > 1 && !filters.some((one) => one.label === label && one.values.length === 1),
  );
  const named = several.filter(([label]) => wordsOfName(label).some((one) => words.includes(one)));
  if (named.length > 0) return named.slice(0, MOST_LABELS).map(([label]) => label);
  const own = several.filter(([label]) => !OF_SCRAPE.test(label));
  const ofWhat = own.filter(([label]) => !OF_PLACE.test(label));
  const where = own.length > 0 ? own : several.filter(([label]) => label === 'instance' || label === 'job');
  const chosen = ofWhat.length > 0 ? ofWhat : where;
  return chosen
    .sort(([, a], [, b]) => a.length - b.length)
    .slice(0, 1)
    .map(([label]) => label);
}

/** `{queue="orders"}`. */
function selector(filters: readonly Filter[]): string {
  const quoted = (value: string) => JSON.stringify(value);
  const any = (values: readonly string[]) =>
    values.map((value) => value.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&')).join('|');
  const all = filters.map(({ label, values }) =>
    values.length === 1 ? `${label}=${quoted(values[0] ?? '')}` : `${label}=~${quoted(any(values))}`,
  );
  return all.length === 0 ? '' : `{${all.join(',')}}`;
}
