import { isFailure } from '../../telemetry/exported/words.ts';
import type { MetricInfo } from '../../telemetry/model.ts';
import { periodIn } from '../moment.ts';
import type { Candidate, Catalog } from './find.ts';
import { type Filter, labelsIn, outcomeOf } from './labels.ts';
import { isMomentName, OUTCOME, stem, termsOf, wordsOfName } from './terms.ts';

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
  filters: readonly Filter[];
  /** A moment, in seconds since the epoch, if its values are that. */
  mayBeMoment: boolean;
  /** Whether it is 1 for what is well. */
  isFlag: boolean;
  /** How the whole is made of its parts: they add up to it, it is one of them, or it is one number over all. */
  of: 'sum' | 'max' | 'min' | 'all';
  /** Nought, where there is nothing of it but of its whole: none failed. */
  ifNone: string | null;
  /** What it cannot exceed, in all and by the same labels, where a metric says that. */
  limit: { whole: string | null; parts: string | null } | null;
  /** What is meant where it only ever grows, and an expression that is 1 if so: an exporter may not say what is a counter. */
  ifCounter: { when: string; measured: Measured } | null;
}

const PLAINLY = {
  mayBeMoment: false,
  isFlag: false,
  of: 'all',
  ifNone: null,
  limit: null,
  ifCounter: null,
} satisfies Partial<Measured>;

export const RATE = '5m';
const SHARE =
  /\b(?:ratio|percent(?:age)?|share|full|utili[sz]ation|used)\b|%|\b(?:hit|miss|error|failure|success|cache) rate\b/iu;
/** A disk by itself is asked how full it is. */
const BARE = /\b(?:disks?|volumes?|filesystems?)\b/iu;
const NOT_BARE =
  /\b(?:free|left|size|how (?:much|many|big|large)|available|total|bytes?|reads?|writes?|written|io|iops|latency|errors?)\b/iu;
const COUNTS_CALLS =
  /\b(?:busiest|most|traffic|req(?:uest)?s?|calls?|how many|rate|per (?:sec(?:ond)?|min(?:ute)?)|a second|have)\b|\/s\b/iu;
export const HOW_OFTEN = /\bhow (?:many(?! ?%| percent)|often)\b|\bnumber of\b|\bcount\b/iu;
export const PER_TIME = /\b(?:per|a|each|every) (?:sec(?:ond)?|min(?:ute)?|hour)\b|\/s\b|\brate\b/iu;
const SLOW = /\b(?:slow\w*|latenc\w*|duration|long|took|takes?|p\d\d|percentile|(?<!(?:this|same) )time)\b/iu;
/** Asks for what is taken beside what there is. */
const BOTH =
  /\b(?:in use|used?|uses|open|active|taken|have|has|connected)\b.*\b(?:max(?:imum)?|limit|allowed|capacity|out of|of how many)\b|\bmax(?:imum)? (?:and|vs) (?:used|in use|current)\b|\b(?:vs\.?|versus|against|of|and)(?: the| its)? (?:max(?:imum)?|limit)\b/iu;
const SIZE = /\b(?:out of|max(?:imum)?|limits?|allowed|at most|size|total|capacity|how (?:big|large))\b/iu;
const FREELY = /\b(?:free|left|available|remaining|unused|idle)\b/iu;
const OF_LIMIT = /(?:^|_)(?:max|limits?|quota|capacity)(?:_|$)|pool_size/u;
const FLAG = /(?:^|_)(?:up|success|healthy|status)$/u;
/** Labels of where it was scraped: all of them have them. */
const OF_SCRAPE = /^(?:job|instance|__\w+|prometheus|cluster|region|zone|env(?:ironment)?|tenant)$/u;
/** Labels of where it runs: they tell its parts apart only where nothing else does. */
const OF_PLACE = /^(?:pod|node|nodename|host|hostname|server|ip|uid|id|container_id)$/iu;
const IN_ALL = /\b(?:total|in all|altogether|sum)\b/iu;
const MOST_LABELS = 2;
const MOST_THINGS = 4;
/** As near to a question as the nearest, for all that its words say. */
export const AS_NEAR = 0.12;

/** What goes with what: the counted part and its whole, and how the share is made. */
const PAIRS: readonly { of: string; with: readonly string[]; share: (a: string, b: string) => string }[] = [
  { of: 'hits', with: ['misses'], share: (a, b) => `${a} / (${a} + ${b})` },
  { of: 'hit', with: ['miss'], share: (a, b) => `${a} / (${a} + ${b})` },
  { of: 'misses', with: ['hits'], share: (a, b) => `${a} / (${a} + ${b})` },
  { of: 'failed', with: ['', 'started'], share: (a, b) => `${a} / ${b}` },
  { of: 'errors', with: ['', 'requests'], share: (a, b) => `${a} / ${b}` },
];

/** Words of names for what is taken, what is left, and what there is: metrics that differ in these alone belong together. */
const USED = new Set(
  'used usage active current open inuse busy allocated checked acquired'.split(' ').map(stem),
);
const FREE = new Set('free avail available idle remaining unused'.split(' ').map(stem));
const LIMIT = ['max', 'limit', 'size', 'maximum', 'total', 'capacity', 'quota', 'committed'].map(stem);
const BESIDES = new Set('in out byte second ratio count number'.split(' ').map(stem));
const MOST = ['max', 'limit', 'maximum'];

/** The metrics that a question may mean, best first: for a share, the first that has the rest of its whole beside it. */
export function candidatesFor(question: string, catalog: Catalog, things?: readonly string[]): Candidate[] {
  const found = catalog.find(question, things);
  const best = found[0]?.covered ?? 0;
  // Asked for both, what is taken comes first: its limit is found with it.
  const isTaken = ({ metric }: Candidate) =>
    !has(metric, MOST) && limitOf(question, metric, catalog) !== null;
  const share = asksForShare(question)
    ? found.find((one) => one.covered >= best - AS_NEAR && shareOf(question, one, catalog) !== null)
    : BOTH.test(question) &&
        found[0] !== undefined &&
        has(found[0].metric, MOST) &&
        pairOf(found[0].metric, catalog) === null
      ? found.find(isTaken)
      : undefined;
  return share === undefined ? found : [share, ...found.filter((one) => one !== share)];
}

export function measure(question: string, candidate: Candidate, catalog: Catalog): Measured {
  const pair = pairOf(candidate.metric, catalog) ?? limitOf(question, candidate.metric, catalog);
  // Of what fails, the share is meant, unless it is counted.
  const share =
    asksForShare(question) || (isFailing(candidate) && !HOW_OFTEN.test(question) && !PER_TIME.test(question))
      ? (shareOf(question, candidate, catalog) ?? (pair === null ? null : filled(candidate, pair, 'share')))
      : null;
  if (share !== null) return share;
  // What there is in all is asked for by that word; else it is how much of it is taken.
  const isTaken =
    pair !== null && (pair.of === candidate.metric || BOTH.test(question) || !SIZE.test(question));
  if (isTaken) return filled(candidate, pair, !FREELY.test(question) && pair.isFree ? 'used' : 'amount');
  return busyOf(question, candidate) ?? plain(question, candidate);
}

/** Whether it is asked how many there were of what is counted, and not how many in a time. */
export function asksForCount(question: string): boolean {
  return HOW_OFTEN.test(question) && !PER_TIME.test(question);
}

function asksForShare(question: string): boolean {
  return SHARE.test(question) || (BARE.test(question) && !NOT_BARE.test(question));
}

/** A part of what is counted, where both are counted with the same labels, or by the value of a label. */
function shareOf(question: string, { metric, filters }: Candidate, { metrics }: Catalog): Measured | null {
  const name = countedBy(metric);
  if (name === null) return null;
  const rateBy = (of: string, by: string, own: readonly Filter[]) =>
    `sum${by}(rate(${of}${selector(own)}[${RATE}]))`;
  const shared = (called: string, labels: string[], share: (by: string) => string): Measured => ({
    ...PLAINLY,
    ...{ name: called, help: '', unit: '1', whole: share('') },
    filters: filters.filter((one) => one !== value),
    ifNone: value === undefined ? null : `0 * ${rateBy(name, '', rest)}`,
    parts: labels.length === 0 ? null : { expression: share(grouping(labels)), labels },
  });
  const value = outcomeIn({ metric, filters });
  const rest = filters.filter((one) => one !== value);
  for (const { of, with: others, share } of PAIRS) {
    if (!metric.name.split('_').includes(of)) continue;
    const partner = others.flatMap((other) => metrics.get(withPart(metric.name, of, other)) ?? [])[0];
    if (partner === undefined || partner === metric) continue;
    return shared(
      share(shortName(metric.name), shortName(partner.name)),
      thingsOf(metric, partner, filters),
      (by) => share(rateBy(metric.name, by, filters), rateBy(partner.name, by, filters)),
    );
  }
  if (value === undefined) return null;
  const others = Object.entries(metric.labels).filter(
    ([label]) => !filters.some((one) => one.label === label),
  );
  return shared(
    `${isFailing({ metric, filters }) ? 'failing share' : value.values.join(', ')} of ${shortName(metric.name)}`,
    labelsIn(question, Object.fromEntries(others)).slice(0, MOST_LABELS),
    (by) => `${rateBy(name, by, filters)} / ${rateBy(name, by, rest)}`,
  );
}

function isFailing({ metric, filters }: Pick<Candidate, 'metric' | 'filters'>): boolean {
  const bad = outcomeOf(metric)?.values ?? [];
  const taken = outcomeIn({ metric, filters })?.values ?? [];
  return bad.length > 0 && bad.every((value) => taken.includes(value)) && taken.length === bad.length;
}

/** What of a metric is taken by how it went. */
function outcomeIn({ metric, filters }: Pick<Candidate, 'metric' | 'filters'>): Filter | undefined {
  return filters.find(({ label }) => OUTCOME.test(label) && (metric.labels[label]?.length ?? 0) > 1);
}

/** What of a metric counts; `null` if it is a level. */
function countedBy({ name, type }: MetricInfo): string | null {
  if (type === 'histogram' || type === 'summary') return `${name}_count`;
  return type === 'counter' || name.endsWith('_total') ? name : null;
}

function grouping(labels: readonly string[]): string {
  return labels.length === 0 ? '' : ` by (${labels.join(', ')})`;
}

interface Pair {
  of: MetricInfo;
  /** Whether it is what is left. */
  isFree: boolean;
  limit: MetricInfo;
  /** Whether each of its states takes some of it: an idle connection is one. */
  isWhole: boolean;
}

/** How much is taken of what there is: the amount beside the limit, or the share. */
function filled(
  candidate: Candidate,
  { of, isFree, limit, isWhole }: Pair,
  as: 'share' | 'amount' | 'used',
): Measured {
  const { metric, filters } = candidate;
  const isTaken = (label: string) => of.labels[label]?.some((one) => USED.has(stem(one))) === true;
  const state = isWhole ? undefined : Object.keys(of.labels).find(isTaken);
  const taken = state === undefined ? [] : (of.labels[state] ?? []).filter((one) => USED.has(stem(one)));
  const isOfBoth = ({ label }: Filter) => label in of.labels && label in limit.labels;
  const common = Object.keys(metric.labels).length === 0 ? [] : filters.filter(isOfBoth);
  const own = selector(state === undefined ? common : [...common, { label: state, values: taken }]);
  const most = `${limit.name}${selector(common)}`;
  const labels = thingsOf(of, limit, filters);
  const by = grouping(labels);
  // Where labels are not known, each series is a thing by itself.
  const isUnknown = Object.keys(of.labels).length === 0;
  const isOne = by === '' && !isUnknown;
  const plainly = { ...PLAINLY, help: '', filters };
  if (as !== 'share') {
    // What has a limit of its own is no sum: of two disks, one is full.
    const add = of.unit === 'By' && !isOne ? 'max' : 'sum';
    const level = (grouped: string) =>
      `${as === 'used' ? `sum${grouped}(${most}) - ` : ''}sum${grouped}(${of.name}${own})`;
    const parts = by === '' ? null : { expression: level(by), labels };
    const isMost = add === 'max' && parts !== null;
    return {
      ...plainly,
      name: as === 'used' ? `${limit.name} - ${of.name}` : of.name,
      unit: of.unit,
      whole: isMost ? `max(${level(by)})` : level(''),
      parts,
      of: add,
      limit: {
        whole: isMost ? null : `sum(${most})`,
        parts: by === '' ? null : `sum${by}(${most})`,
      },
    };
  }
  const share = (used: string, all: string) => `${isFree ? '1 - ' : ''}${used} / ${all}`;
  const each = isUnknown
    ? share(`${of.name}${own}`, most)
    : share(`sum${by}(${of.name}${own})`, `sum${by}(${most})`);
  return {
    ...plainly,
    name: share(of.name, limit.name),
    unit: '1',
    of: 'max',
    whole: isOne ? each : `max(${each})`,
    parts: isOne ? null : { expression: each, labels },
  };
}

/** The metric of what is taken or left, and that of what there is, whichever of the two is named. */
function pairOf(metric: MetricInfo, { metrics }: Catalog): Pair | null {
  if (countedBy(metric) !== null) return null;
  const core = coreOf(metric.name);
  const family = [...metrics.values()].filter((one) => countedBy(one) === null && coreOf(one.name) === core);
  const isPart = (one: MetricInfo) => has(one, USED) || has(one, FREE);
  const of = isPart(metric) ? metric : (family.find((one) => has(one, USED)) ?? family.find(isPart));
  const limits = family.filter((one) => one !== of && !isPart(one));
  const limit = LIMIT.flatMap((word) => limits.find((one) => has(one, [word])) ?? [])[0];
  return of === undefined || limit === undefined
    ? null
    : { of, isFree: !has(of, USED), limit, isWhole: false };
}

/** What the same exporter says is the most of it, where the question asks for that under another name. */
function limitOf(question: string, metric: MetricInfo, { metrics }: Catalog): Pair | null {
  const isLevel = countedBy(metric) === null && !has(metric, MOST) && !isFailure(metric.name);
  if (!SIZE.test(question) || !isLevel) return null;
  const [exporter] = wordsOfName(metric.name);
  const asked = termsOf(question).flatMap(({ called }) => called);
  const limit = [...metrics.values()].find(
    (one) =>
      wordsOfName(one.name)[0] === exporter &&
      has(one, MOST) &&
      wordsOfName(one.name).some((word) => !MOST.includes(word) && word !== exporter && asked.includes(word)),
  );
  return limit === undefined ? null : { of: metric, isFree: false, limit, isWhole: true };
}

function has({ name }: MetricInfo, words: Iterable<string>): boolean {
  const own = wordsOfName(name);
  return [...words].some((word) => own.includes(word));
}

/** What a name is without the words for how much of it. */
function coreOf(name: string): string {
  return wordsOfName(name)
    .filter((word) => !USED.has(word) && !FREE.has(word) && !LIMIT.includes(word) && !BESIDES.has(word))
    .sort()
    .join(' ');
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

function withPart(name: string, part: string, other: string): string {
  return name
    .split('_')
    .flatMap((one) => (one === part ? (other === '' ? [] : [other]) : [one]))
    .join('_');
}

function shortName(name: string): string {
  return name.replace(/_total$/u, '');
}

const OF_CPU = /(?:^|_)cpu(?:_|$)/u;
const UNUSED = /^(?:idle|iowait|free|available|unused)$/u;

/** How busy a processor is: all of its modes together are how many there are. */
function busyOf(question: string, { metric, filters }: Candidate): Measured | null {
  const { name, help, labels } = metric;
  const state = Object.keys(labels).find((label) => {
    const values = labels[label] ?? [];
    return values.length > 1 && values.some((value) => UNUSED.test(value));
  });
  const isOfAll = OF_CPU.test(name) && !filters.some(({ label }) => label === state);
  if (state === undefined || !isOfAll) return null;
  const { [state]: values = [], cpu: _, ...others } = labels;
  const by = partsAskedFor(question, { ...metric, labels: others }, filters);
  const unused = selector([...filters, { label: state, values: values.filter((one) => UNUSED.test(one)) }]);
  const isCounted = countedBy(metric) !== null;
  const of = (chosen: string) => (isCounted ? `rate(${name}${chosen}[${RATE}])` : `${name}${chosen}`);
  const share = (grouped: string) =>
    `1 - sum${grouped}(${of(unused)}) / sum${grouped}(${of(selector(filters))})`;
  return {
    ...PLAINLY,
    name: `busy share of ${name}`,
    help,
    unit: '1',
    whole: share(''),
    parts: by.length === 0 ? null : { expression: share(`${grouping(by)} `), labels: by },
    filters,
  };
}

function plain(question: string, { metric, filters }: Candidate): Measured {
  const { name, type, help, unit } = metric;
  const labels = partsAskedFor(question, metric, filters);
  const [asked] = /\bp(\d\d(?:\.\d+)?)\b/iu.exec(question)?.slice(1) ?? [];
  const chosen = selector(filters);
  const common = { ...PLAINLY, help, filters };
  const grouped = (aggregate: Measured['of'], inner: string) => ({
    of: aggregate,
    whole: `${aggregate}(${inner})`,
    parts: labels.length === 0 ? null : { expression: `${aggregate}${grouping(labels)} (${inner})`, labels },
  });
  const outcome = outcomeIn({ metric, filters });
  const all = selector(filters.filter((one) => one !== outcome));
  const counted = (of: string) => {
    // Of how many it is, whatever became of them.
    const most = outcome === undefined ? null : `sum(rate(${of}${all}[${RATE}]))`;
    return {
      ...grouped('sum', `rate(${of}${chosen}[${RATE}])`),
      ...(most !== null && { limit: { whole: most, parts: null }, ifNone: `0 * ${most}` }),
    };
  };
  const rated: Measured = { ...common, name, unit: rateOf(name, unit), ...counted(name) };
  // What a rule records is no counter.
  const mayCount = type === 'unknown' && !name.includes(':');
  if (
    type === 'counter' ||
    (mayCount && (/_total$/u.test(name) || (PER_TIME.test(question) && periodIn(question) === null)))
  )
    return rated;
  if (type === 'histogram' || type === 'summary') {
    const count = `${name}_count`;
    if (COUNTS_CALLS.test(question) && !SLOW.test(question))
      return { ...common, name: count, unit: '/s', ...counted(count) };
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
  const mayBeMoment = isMomentName(metric, false);
  const isFlag = FLAG.test(name);
  // Of two machines, neither has the memory of both.
  const isLevel =
    (unit === 'By' && !IN_ALL.test(question)) ||
    unit === '1' ||
    unit === 's' ||
    unit === 'ms' ||
    /ratio|fraction|overhead|percent|load|temp|quantile|_p\d\d/u.test(name);
  // A limit of one is none of another: they do not add up.
  const isMost =
    isLevel || (OF_LIMIT.test(name) && !wordsOfName(name).some((word) => USED.has(word) || FREE.has(word)));
  const X = `${name}${chosen}`;
  return {
    ...common,
    mayBeMoment,
    isFlag,
    name,
    unit,
    ...grouped(isMomentName(metric) || isFlag ? 'min' : isMost ? 'max' : 'sum', X),
    ifCounter:
      mayCount && unit === '' && !mayBeMoment && !isFlag && !isMost
        ? {
            when: `(sum(resets(${X}[1d])) / sum(changes(${X}[1d])) < bool 0.02) * (sum(changes(${X}[1d])) / sum(count_over_time(${X}[1d])) > bool 0.1)`,
            measured: rated,
          }
        : null,
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
  const isTaken = (label: string) =>
    filters.some((one) => one.label === label && (one.values.length === 1 || OUTCOME.test(label)));
  const several = Object.entries(labels).filter(([label, values]) => values.length > 1 && !isTaken(label));
  const named = several.filter(([label]) => wordsOfName(label).some((one) => words.includes(one)));
  if (named.length > 0) return named.slice(0, MOST_LABELS).map(([label]) => label);
  const [asked] = labelsIn(question, Object.fromEntries(several));
  if (asked !== undefined) return [asked];
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
export function selector(filters: readonly Filter[]): string {
  const quoted = (value: string) => JSON.stringify(value);
  const any = (values: readonly string[]) =>
    values.map((value) => value.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&')).join('|');
  const all = filters.map(({ label, values }) =>
    values.length === 1 ? `${label}=${quoted(values[0] ?? '')}` : `${label}=~${quoted(any(values))}`,
  );
  return all.length === 0 ? '' : `{${all.join(',')}}`;
}
