import { ROUTE_LABELS } from '../../investigation/routes.ts';
import { GRPC_FAILED, isFailure } from '../../telemetry/exported/words.ts';
import type { MetricInfo } from '../../telemetry/model.ts';
import { OUTCOME, stem, wordsOfName } from './terms.ts';

/** What people ask to have something told apart by, and what its labels are usually called. */
export const DIMENSION_NAMES = ['route', 'customer', 'region', 'pod', 'status code'] as const;
export type DimensionName = (typeof DIMENSION_NAMES)[number];

export const DIMENSIONS: Readonly<Record<DimensionName, { words: RegExp; labels: readonly string[] }>> = {
  route: {
    words: /^(?:endpoint|route|path|url|handler|api|page|operation)s?$/iu,
    labels: ROUTE_LABELS,
  },
  customer: {
    words: /^(?:customer|tenant|user|people|ppl|account|client|org|organi[sz]ation)s?$/iu,
    labels: 'tenant tenant_id customer customer_id account account_id user org organization client'.split(
      ' ',
    ),
  },
  region: {
    words: /^(?:region|zone|az|dc|data ?cent(?:er|re)|cluster|countr)(?:s|y|ies)?$/iu,
    labels: 'region cloud_region zone availability_zone cloud_availability_zone datacenter dc cluster'.split(
      ' ',
    ),
  },
  pod: {
    words: /^(?:pod|instance|replica|host|node|machine|server)s?$/iu,
    labels: ['pod', 'instance', 'node', 'host'],
  },
  'status code': {
    words: /^(?:status|http|response|error) codes?$|^codes?$/iu,
    labels: 'http_response_status_code status_code response_code code status'.split(' '),
  },
};

/** What tells the parts of something apart in a question: `which codec`, `only one customer`, `by route`, `all labs`. */
const ASKED =
  /\b(?:which|what|whose|how many|per|by|each|every|single|one|only|just|all|any|some|certain|specific|same|other)\s+(?:of )?(?:the |our |my )?(?:(?:\d+|one|two|three|four) )?((?:\p{L}+[ -])?\p{L}+)/giu;

/** Labels of where it was scraped: what is called so there is no part of it. */
export const OF_SCRAPE =
  /^(?:job|service|service_name|app|application|instance|pod|container|namespace|node|deployment)$/u;

export interface Filter {
  label: string;
  values: readonly string[];
}

type Labels = Readonly<Record<string, readonly string[]>>;

export function askedBy(words: string): string[] {
  return [...words.matchAll(ASKED)].flatMap(([, noun = '']) => [noun, ...noun.split(/[ -]/u)]);
}

/** What a question splits something by, in people's words: `which endpoint`, `by region`, `only one pod`. */
export function dimensionIn(words: string): DimensionName | null {
  const nouns = askedBy(words);
  return DIMENSION_NAMES.find((name) => nouns.some((noun) => DIMENSIONS[name].words.test(noun))) ?? null;
}

/** The labels that a question asks for among those that there are: by their names, by what people call them, or by one of their values. */
export function labelsIn(question: string, labels: Labels): string[] {
  const several = Object.keys(labels).filter((label) => (labels[label]?.length ?? 0) > 1);
  const nouns = askedBy(question);
  const isCalled = (label: string) =>
    nouns.some((noun) => wordsOfName(label).at(-1) === stem(noun) || wordsOfName(label)[0] === stem(noun));
  const byPeople = Object.values(DIMENSIONS).flatMap(({ words, labels: usual }) =>
    nouns.some((noun) => words.test(noun)) ? usual.filter((label) => several.includes(label)) : [],
  );
  const said = new Set(question.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_./-]*[\p{L}\p{N}]/gu) ?? []);
  const byValue = several.filter(
    (label) => !OF_SCRAPE.test(label) && labels[label]?.some((value) => said.has(value.toLowerCase())),
  );
  return [...new Set([...several.filter(isCalled), ...byPeople, ...byValue])];
}

/** The labels that any metric has, with all their values: a value may be gone from one of them. */
export function labelsOf(catalog: { metrics: ReadonlyMap<string, MetricInfo> } | null): Labels {
  const all = new Map<string, readonly string[]>();
  for (const { labels } of catalog?.metrics.values() ?? [])
    for (const [label, values] of Object.entries(labels))
      all.set(label, [...new Set([...(all.get(label) ?? []), ...values])]);
  return Object.fromEntries(all);
}

/** What says by a number or by yes and no that it failed. */
const CODES = /^(?:5\d\d|5xx|ko|false)$/iu;
const OF_GRPC = new Set(GRPC_FAILED.flatMap((codes) => codes.split('|')));

/** The label that says how it went, with the values with which it failed; `null` where none tells that. */
export function outcomeOf({ labels }: { labels: Labels }): Filter | null {
  for (const [label, all] of Object.entries(labels)) {
    const isBad = (value: string) =>
      label.includes('grpc') ? OF_GRPC.has(value) : CODES.test(value) || isFailure(value);
    const values = OUTCOME.test(label) ? all.filter(isBad) : [];
    if (values.length > 0 && values.length < all.length) return { label, values };
  }
  return null;
}
