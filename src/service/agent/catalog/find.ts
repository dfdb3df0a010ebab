import MiniSearch from 'minisearch';
import type { Budget } from '../../telemetry/budget.ts';
import { type MetricInfo, MOST_LABEL_VALUES, type Series } from '../../telemetry/model.ts';
import type { TelemetrySource } from '../../telemetry/source.ts';
import { profileIn } from '../understand.ts';
import { type Filter, OF_SCRAPE, outcomeOf } from './labels.ts';
import {
  isEmpty,
  isMistyped,
  isMomentName,
  isRequest,
  OF_WHEN,
  OUTCOME,
  stem,
  type Term,
  termsOf,
  wordsOfName,
} from './terms.ts';

export interface Candidate {
  metric: MetricInfo;
  /** The share of the question's words that its name, its description or its labels explain. */
  covered: number;
  /** Words of the question that nothing of it explains. */
  left: readonly string[];
  /** Whether its own name has each word for what is asked for, and they are several. */
  isByName: boolean;
  isOwn: boolean;
  filters: readonly Filter[];
}

export interface Catalog {
  metrics: ReadonlyMap<string, MetricInfo>;
  /** @param own what is asked about: its metrics come before everybody’s */
  find(question: string, own?: readonly string[]): Candidate[];
  /** As what a word occurs here: as a value of a label, or as a word of any name or description, a slip aside. */
  knows(word: string): 'value' | 'word' | null;
  /** A word that nothing here has, and that is one of a label's values but for a slip, as that. */
  spelled(word: string): string;
  /** Whether all values of labels were read: else one that is not here may be one. */
  isWhole: boolean;
}

const MOST_FOUND = 60;
/** Of more values, none is what a question is about. */
const MOST_VALUES = 20;
const isShort = (values: readonly string[]) =>
  values.length <= MOST_VALUES && values.every((value) => value.length <= LONGEST_VALUE);
/** Less is another metric. */
const LEAST_COVERED = 0.5;
/** Labels of how something is scraped say which thing it is, too. */
export const JOB = /^(?:job|service|service_name|app)$/u;
/** A value longer than this is no name. */
const LONGEST_VALUE = 80;

interface Document {
  id: string;
  name: string;
  help: string;
  /** Names of labels, and their values where these are few. */
  labels: string;
}

/** An index of the metrics that there are, by the words of their names, descriptions and labels. */
export function indexOf(metrics: readonly MetricInfo[]): Catalog {
  const byName = new Map(metrics.map((one) => [one.name, one]));
  const index = new MiniSearch<Document>({
    fields: ['name', 'help', 'labels'],
    tokenize: wordsOfName,
    processTerm: (term) => (term === '' ? null : term),
    searchOptions: {
      boost: { name: 3 },
      combineWith: 'OR',
      prefix: (term) => term.length >= 4,
      weights: { prefix: 0.5, fuzzy: 0.3 },
      fuzzy: (term) => (term.length >= 7 ? 0.2 : false),
    },
  });
  // In lower case, what is written as one word stays whole; as it is, it has parts.
  const inIndex = (values: readonly string[]) =>
    [...new Set(values.flatMap((value) => [value, value.toLowerCase()]))].join(' ');
  index.addAll(
    metrics.map(({ name, help, labels }) => ({
      id: name,
      name,
      help,
      labels: Object.entries(labels)
        .map(([label, values]) => `${label} ${JOB.test(label) || isShort(values) ? inIndex(values) : ''}`)
        .join(' '),
    })),
  );
  const objects = objectsOf(metrics);
  let known: ReturnType<typeof vocabularyOf> | null = null;
  const values = metrics.flatMap(({ labels }) => Object.values(labels));
  const isWhole = values.length > 0 && values.every((some) => some.length < MOST_LABEL_VALUES);
  const numbered = numberedBy(metrics);
  return { metrics: byName, find, knows, spelled, isWhole };

  function knows(word: string): 'value' | 'word' | null {
    known ??= vocabularyOf(metrics);
    if (known.values.has(word)) return 'value';
    const own = stem(word);
    return known.words.has(own) || [...known.words].some((one) => isSame(one, own)) ? 'word' : null;
  }

  function spelled(word: string): string {
    known ??= vocabularyOf(metrics);
    if (word.length < LEAST_SPELLED || known.values.has(word) || known.words.has(stem(word))) return word;
    const [first, second] = [...known.parts].filter((part) => isMistyped(word, part));
    return first === undefined || second !== undefined ? word : first;
  }

  function find(question: string, things: readonly string[] = []): Candidate[] {
    const terms = [...termsOf(question), ...numbersIn(question, numbered)];
    const named = terms.filter(({ word, called }) => [word, ...called].some((one) => objects.has(stem(one))));
    const asked = terms.filter(({ called }) => called.length > 0);
    const own = asked.filter((term) => !named.includes(term) || named.length === asked.length);
    const query = [...new Set(asked.flatMap(({ called }) => called))].join(' ');
    if (query === '') return [];
    // What is done with a thing, and no metric has, asks for nothing: `did the run go thru`.
    const anything = new Set(
      asked.filter(
        ({ word, called, isThing }) => !isEmpty(word) && (isThing || [word, ...called].some(knows)),
      ),
    );
    const isOfWhen = asked.some(({ word }) => OF_WHEN.has(word));
    const rankOf = ({ covered, metric, isOwn }: Candidate) =>
      covered -
      unaskedIn(metric.name, asked) +
      (isOwn ? OWN : 0) +
      (isOfWhen && isMomentName(metric) ? OF_TIME : 0) +
      (isUnitAsked(metric.unit, question) ? OF_UNIT : 0);
    return index
      .search(query)
      .flatMap(({ id }) => byName.get(String(id)) ?? [])
      .map(candidateOf)
      .filter(({ covered }) => covered >= LEAST_COVERED)
      .sort((a, b) => rankOf(b) - rankOf(a) || a.metric.name.length - b.metric.name.length)
      .slice(0, MOST_FOUND);

    function candidateOf(metric: MetricInfo): Candidate {
      const ofName = wordsOfName(metric.name);
      const words = new Set([...ofName, ...wordsOfName(metric.help)]);
      const said = filtersOf(metric, terms, words);
      // What all of its values have takes none of them, and is of it.
      const isWhole = ({ label, values }: Filter) =>
        values.length > 1 && values.length === metric.labels[label]?.length;
      const isObject = ({ called }: Term) => called.some((one) => ofName[0] === one || ofName[1] === one);
      const isFiltered = ({ word }: Term) =>
        said.some(({ values }) => values.some((value) => isNamed(value, word)));
      const outcome = outcomeOf(metric);
      const failures = said.some(({ label }) => OUTCOME.test(label)) ? null : outcome;
      const isFailing = ({ word }: Term) => failures !== null && profileIn(word)?.measure === 'errors';
      // What counts how it went counts calls, whatever its name.
      const isCall = ({ word }: Term) => outcome !== null && isRequest(word);
      const isLabel = ({ called }: Term) =>
        Object.keys(metric.labels).some((label) =>
          [stem(label), ...wordsOfName(label)].some((one) => called.includes(one)),
        );
      // What is distributed over seconds is how long something took.
      const isTime =
        metric.unit === 's' &&
        (metric.type === 'histogram' || metric.type === 'summary') &&
        said.some((one) => !JOB.test(one.label) && !isWhole(one));
      const inName = ({ called }: Term) =>
        (isTime && called.includes('latency')) ||
        called.some((one) => ofName.some((word) => isAlike(word, one)));
      // By another word for it, or a part of a value, it is less surely meant.
      const isPlain = ({ word }: Term) =>
        ofName.some((one) => isAlike(one, stem(word))) ||
        said.some(({ values }) => values.some((value) => value.toLowerCase() === word));
      const inHelp = ({ called }: Term) =>
        called.some((one) => [...words].some((word) => isAlike(word, one)));
      let [weight, empty] = [0, 0];
      const left: string[] = [];
      for (const term of asked) {
        if (inName(term) || isFiltered(term) || isObject(term)) weight += isPlain(term) ? 1 : 0.9;
        else if (isLabel(term)) weight += 0.9;
        else if (inHelp(term)) weight += 0.7;
        else if (!anything.has(term) && !isFailing(term)) empty += 1;
        else {
          const begun = isFailing(term) ? failures : begunIn(metric, term.word, said);
          if (begun === null && !isCall(term)) left.push(term.word);
          else weight += 0.7;
          if (begun !== null && !said.includes(begun)) said.push(begun);
        }
      }
      const of = ofThings(metric, things);
      const some = said.filter((one) => !isWhole(one));
      const filters = of === null || !isLimitedTo(of, some) ? some : [...some, of];
      // What is asked for has to be in what it measures: that it is of the right thing is not enough.
      const mayMean = ({ called }: Term) =>
        !isOfRuntime(metric.name) || !called.some((one) => OF_A_SERVICE.has(stem(one)));
      const isCounted = ({ word }: Term) => ofName.slice(1).includes(stem(word));
      const isOutcome = (term: Term) =>
        isFailing(term) ||
        isCall(term) ||
        said.some(
          ({ label, values }) => OUTCOME.test(label) && values.some((value) => isNamed(value, term.word)),
        );
      const isMeant =
        named.some(isCounted) ||
        own.some(
          (term) => mayMean(term) && (inName(term) || inHelp(term) || isLabel(term) || isOutcome(term)),
        );
      const isByName =
        own.length > 1 && own.every((term) => isFiltered(term) || ofName.includes(stem(term.word)));
      const isOwn = of !== null || things.some((one) => isNamedAfter(metric.name, one));
      const covered = isMeant ? weight / (asked.length - empty) : 0;
      return { metric, covered, left, isByName, isOwn, filters };
    }
  }
}

/** What a program runs on, whose metrics every program exports under its own job: their durations are no latency of it. */
const RUNTIMES = new Set(['nodejs', 'process', 'go', 'jvm', 'python', 'dotnet', 'ruby'].map(stem));
const OF_A_SERVICE = new Set(['latency', 'duration', 'request', 'error', 'version'].map(stem));

export function isOfRuntime(metric: string): boolean {
  return RUNTIMES.has(wordsOfName(metric)[0] ?? '');
}

/** Words that every name may have, and that say nothing of what is measured. */
const OF_ANY = new Set(
  'total byte second count global statu status info current number num'.split(' ').map(stem),
);
/** Words that make another quantity of the same thing: they have to be asked for. */
const OTHERS = new Set(
  'max min limit setting stddev mean p avg created client error failed failure gc scrape probe collector'
    .split(' ')
    .map(stem),
);
/** Asks for bytes, a time, a number. */
const UNIT =
  /\b(?:(how (?:big|large)|size|space|bytes|[kmgt]i?b)|(how (?:long|slow|fast))|(how many(?! ?%)))\b/iu;
const A_WORD = 0.03;
const ANOTHER = 0.25;
const OF_TIME = 0.2;
const OF_UNIT = 0.1;
/** What has its own metric for it is not asked for by another thing's. */
const OWN = 0.4;

function isUnitAsked(unit: string, question: string): boolean {
  const [, bytes, time, number] = UNIT.exec(question) ?? [];
  if (bytes !== undefined) return unit === 'By';
  if (time !== undefined) return unit === 's' || unit === 'ms';
  return number !== undefined && !['By', 's', 'ms', '1'].includes(unit);
}

/** How much of a name nobody asked for: of two that explain a question as well, the plainer one is meant. */
function unaskedIn(name: string, asked: readonly Term[]): number {
  const words = wordsOfName(name).filter(
    (word) => !OF_ANY.has(word) && !asked.some(({ called }) => called.some((one) => isAlike(word, one))),
  );
  const others = words.filter((word) => OTHERS.has(word) && !(word === 'p' && name.includes('p99')));
  return A_WORD * words.length + ANOTHER * Math.min(1, others.length);
}

/** The same word, or one that begins as the other does: `load` and `load1`, `unacked` and `unack`. */
function isAlike(word: string, asked: string): boolean {
  return (
    word === asked ||
    (asked.length >= 4 && word.startsWith(asked)) ||
    (word.length >= 5 && asked.startsWith(word)) ||
    // `numbackends`
    (asked.length >= 6 && word.endsWith(asked))
  );
}

/** The same but for its end or a slip: `readings`, `reading`; `mayfly`, `mayfyl`. */
function isSame(known: string, word: string): boolean {
  return (
    word.length >= 4 &&
    (known.startsWith(word) || (word.startsWith(known) && known.length >= 4) || isMistyped(word, known))
  );
}

/** The label by which a metric is one of these things, with its values; `null` if it has none. */
export function ofThings({ labels }: Pick<MetricInfo, 'labels'>, things: readonly string[]): Filter | null {
  const found = Object.entries(labels).flatMap(([label, values]): Filter[] => {
    const own = values.filter((value) => things.some((thing) => isPartOf(value, thing)));
    return own.length === 0 ? [] : [{ label, values: own }];
  });
  return found.find(({ label }) => JOB.test(label)) ?? found[0] ?? null;
}

/** What a pod has after the name of its workload. */
const OF_POD = /^(?:(?:-[a-z0-9]{6,10})?-[bcdfghjklmnpqrstvwxz2456789]{5}|-\d+)?(?::\d+)?$/u;

/** `page-renderer`, `web/page-renderer`, `page-renderer:8080`, `page-renderer-6d8f4c9-x2v9k`: what belongs to `page-renderer`. */
export function isPartOf(value: string, thing: string): boolean {
  const own = value.slice(value.lastIndexOf('/') + 1);
  return own.startsWith(thing) && OF_POD.test(own.slice(thing.length));
}

/** Whether a series is of the exporter that is scraped for a thing, and not of the thing: its own memory, its own processor. */
export function isOfExporter({ signal, service }: Series, catalog: Catalog | null): boolean {
  if (!isOfRuntime(signal.name)) return false;
  return [...(catalog?.metrics.values() ?? [])].some(
    (one) => one.name.endsWith('_exporter_build_info') && ofThings(one, [service]) !== null,
  );
}

/** Whether a metric's name begins as a thing is called: `platesender_spool_plates` is of `plate-sender`. */
export function isNamedAfter(metric: string, thing: string): boolean {
  const [first = '', second = ''] = metric.toLowerCase().split(/[_:]/u);
  const plain = thing.toLowerCase().replaceAll(/[^a-z0-9]/gu, '');
  return plain.length >= 3 && [first, first + second].includes(plain);
}

/** What the question names of a metric is enough to tell it, unless every program exports it under its own job. */
function isLimitedTo({ label }: Filter, said: readonly Filter[]): boolean {
  return said.length === 0 || (JOB.test(label) && !said.some((one) => JOB.test(one.label)));
}

/** Labels whose values are numbers: `code="402"`, `partition="3"`. */
function numberedBy(metrics: readonly MetricInfo[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [label, values] of metrics.flatMap(({ labels }) => Object.entries(labels)))
    for (const value of values.filter((one) => /^\d+$/u.test(one)))
      found.set(value, (found.get(value) ?? new Set()).add(stem(wordsOfName(label).at(-1) ?? '')));
  return found;
}

/** Numbers that name something: the status of a request, and what stands after its kind (`partition 3`). */
function numbersIn(question: string, numbered: ReadonlyMap<string, ReadonlySet<string>>): Term[] {
  const said = [
    ...question.toLowerCase().matchAll(/(?:(\p{L}+)\s+#?)?(?<![\w.:-])(\d+)(?:s\b)?(?![\w.:%]|-\d|\s*%)/gu),
  ];
  return said.flatMap(([, before = '', number = '']) => {
    const labels = numbered.get(number);
    const isStatus =
      Number(number) >= 100 &&
      Number(number) < 600 &&
      ['code', 'statu', 'status'].some((one) => labels?.has(one));
    return isStatus || labels?.has(stem(before)) ? [{ word: number, called: [number], isThing: true }] : [];
  });
}

/** A slip in a shorter word makes another word. */
const LEAST_SPELLED = 6;

/** The values of labels as they are, their parts, and every word of these, of names and of descriptions. */
function vocabularyOf(metrics: readonly MetricInfo[]) {
  const all = metrics.flatMap(({ labels }) => Object.values(labels).flat());
  const values = new Set(
    all.filter((value) => value.length <= LONGEST_VALUE).map((value) => value.toLowerCase()),
  );
  const texts = metrics.flatMap(({ name, help, labels }) => [name, help, ...Object.keys(labels)]);
  const parts = new Set([...values].flatMap((value) => value.match(/\p{L}{6,}/gu) ?? []));
  return { values, parts, words: new Set([...texts, ...values].flatMap(wordsOfName)) };
}

/** What exporters and jobs are called: `redis`, `node`, `orders`. */
function objectsOf(metrics: readonly MetricInfo[]): Set<string> {
  const names = metrics.flatMap(({ name, labels }) => [
    wordsOfName(name)[0] ?? '',
    ...Object.entries(labels).flatMap(([label, values]) =>
      JOB.test(label) ? values.flatMap(wordsOfName) : [],
    ),
  ]);
  return new Set(names.filter((name) => name.length >= 2));
}

/**
 * The values of labels that the question names. A word names one thing: what was scraped before a part of it. What the
 * name itself says is no value.
 */
function filtersOf({ labels }: MetricInfo, terms: readonly Term[], words: ReadonlySet<string>): Filter[] {
  // A label whose value is the word itself comes before one whose value begins with it.
  const isExact = (values: readonly string[]) =>
    values.some((value) => terms.some(({ word }) => word === value.toLowerCase()));
  const rankOf = ([label, values]: [string, readonly string[]]) =>
    2 * Number(JOB.test(label)) + Number(isExact(values));
  const ordered = Object.entries(labels).sort((a, b) => rankOf(b) - rankOf(a));
  const taken = new Set<string>();
  return ordered.flatMap(([label, values]) => {
    const by = terms.filter(
      ({ word }) =>
        !taken.has(word) &&
        values.some(
          (value) => isNamed(value, word) && (value.toLowerCase() === word || !words.has(stem(word))),
        ),
    );
    const named = values.filter((value) => by.some(({ word }) => isNamed(value, word)));
    if (named.length === 0) return [];
    for (const { word } of by) taken.add(word);
    return [{ label, values: named }];
  });
}

/** `/srv/uploads` is `uploads`; `orders` is `orders`; `db-a:9104` and `db-a-0:9104` are `db-a`. */
function isNamed(value: string, word: string): boolean {
  const [plain, bare] = [value.toLowerCase(), word.startsWith('/') ? word.slice(1) : word];
  if (plain === word) return true;
  // `5xx` is every one of them.
  if (word === `${plain[0]}xx` && plain.length === 3 && Number(plain) >= 100) return true;
  if (value.length > LONGEST_VALUE || bare.length < 3) return false;
  if (plain.startsWith(bare) && /^(?:-\d+)?(?::\d+)?$/u.test(plain.slice(bare.length))) return true;
  return (
    plain.split(/[/\\]/u).at(-1) === bare || (bare.length >= 4 && wordsOfName(plain).includes(stem(bare)))
  );
}

const LEAST_BEGUN = 4;

/** The values of a label in which a part begins as a word that nothing else explains: `auth` of `/authorize`. */
function begunIn({ labels }: MetricInfo, word: string, said: readonly Filter[]): Filter | null {
  if (word.length < LEAST_BEGUN) return null;
  const isBegun = (value: string) =>
    value.toLowerCase().startsWith(word) ||
    (value.toLowerCase().includes(word) && wordsOfName(value).some((part) => part.startsWith(word)));
  for (const [label, all] of Object.entries(labels)) {
    const isPart = !OF_SCRAPE.test(label) && !said.some((one) => one.label === label);
    const values = isPart ? all.filter(isBegun) : [];
    if (values.length > 0 && values.length < all.length) return { label, values };
  }
  return null;
}

const HOUR = 3_600_000;
/** New metrics appear with deploys: they can be asked for some minutes later. */
const KEPT_MS = 5 * 60_000;

const kept = new WeakMap<TelemetrySource, { until: number; catalog: Catalog }>();

/** The index of all metrics; `null` where no source lists them. Kept for some minutes. */
export async function openCatalog(
  telemetry: TelemetrySource,
  { now, budget }: { now: number; budget: Budget },
): Promise<Catalog | null> {
  const known = kept.get(telemetry);
  if (known !== undefined && known.until > now && known.until <= now + KEPT_MS) return known.catalog;
  const reading = await telemetry.catalog?.({ from: now - HOUR, to: now + 1 }, budget);
  if (!reading?.known || reading.value.length === 0) return null;
  const catalog = indexOf(reading.value);
  kept.set(telemetry, { until: now + KEPT_MS, catalog });
  return catalog;
}
