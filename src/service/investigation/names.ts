import type { Service } from '../telemetry/model.ts';
import type { IssueToInvestigate } from './types.ts';

/** Words common to many names count little, so `checkout` finds `checkout-api`. */
const COMMON: Readonly<Record<string, number>> = { api: 0.3, db: 0.7, service: 0.2, queue: 0.6, worker: 0.6 };

/** Other names of common components, used by people and products. */
const SYNONYMS: Readonly<Record<string, string>> = {
  postgres: 'db',
  postgresql: 'db',
  mysql: 'db',
  database: 'db',
  redis: 'cache',
  memcached: 'cache',
  kafka: 'queue',
  rabbitmq: 'queue',
  sqs: 'queue',
  frontend: 'web',
  storefront: 'web',
  ingress: 'gateway',
  nginx: 'gateway',
  catalog: 'catalogue',
};

/** Everyday words that resemble part of a name: a failed check is not about the checkout. */
const EVERYDAY: ReadonlySet<string> = new Set(['check', 'work']);

/** So many different words of a text are compared with the names: a description may be a whole log. */
const MOST_WORDS = 2_000;

/** Another word for a thing counts in what people write, not in the name of a host: `billing.example.com` is none of payments. */
interface Reading {
  synonyms: boolean;
}

/** How well a text names each of the given services, best first, without those it does not name. */
export function namedIn(
  text: string,
  services: readonly string[],
  reading: Reading = { synonyms: true },
): { service: string; score: number }[] {
  const words = text
    .replaceAll(/([a-z])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/u)
    .filter((word) => word.length > 1 && !EVERYDAY.has(word));
  const distinct = [...new Set(words)].slice(0, MOST_WORDS);
  const found = services
    .map((service) => ({ service, score: nearness(distinct, service, reading) }))
    .filter(({ score }) => score >= 0.5);
  return found
    .filter(
      ({ service, score }) => !found.some((other) => other.score >= score && holds(other.service, service)),
    )
    .sort((a, b) => b.score - a.score || positionOf(distinct, a.service) - positionOf(distinct, b.service));
}

/** The service that the fields name best; earlier fields weigh more. `null` if none is named. */
export function bestNamed(
  fields: readonly (string | null)[],
  services: readonly string[],
  reading: Reading = { synonyms: true },
): string | null {
  let best: { service: string; score: number } | null = null;
  for (const [index, text] of fields.entries()) {
    const first = text ? namedIn(text, services, reading)[0] : undefined;
    const score = first ? first.score * 0.8 ** index : 0;
    if (first && score > (best?.score ?? 0)) best = { service: first.service, score };
  }
  return best?.service ?? null;
}

function nearness(words: readonly string[], service: string, reading: Reading): number {
  let found = 0;
  let all = 0;
  for (const part of service.toLowerCase().split(/[^a-z]+/u)) {
    const weight = COMMON[part] ?? 1;
    all += weight;
    found += weight * Math.max(0, ...words.map((word) => alike(word, part, reading)));
  }
  return found / all;
}

function alike(word: string, part: string, { synonyms }: Reading): number {
  if (word === part) return 1;
  if (synonyms && SYNONYMS[word] === part) return 0.8;
  const [short, long] = word.length < part.length ? [word, part] : [part, word];
  return short.length >= 3 && part !== 'web' && long.startsWith(short) && long.length - short.length <= 5
    ? 0.85
    : 0;
}

/** Whether a name contains all parts of another, and more: `payments-db` does not mean `payments`. */
function holds(longer: string, shorter: string): boolean {
  const parts = longer.split('-');
  return longer !== shorter && shorter.split('-').every((part) => parts.includes(part));
}

function positionOf(words: readonly string[], service: string): number {
  const parts = service.toLowerCase().split(/[^a-z]+/u);
  const at = words.findIndex((word) => parts.some((part) => alike(word, part, { synonyms: true }) > 0));
  return at < 0 ? words.length : at;
}

type AlertLabels = Readonly<Record<string, string>>;

/**
 * Labels that name an alert's subject, the most specific first. Job and instance come last: for an exporter's metrics
 * about others, they name the exporter.
 */
const NAMING_LABELS = [
  'deployment',
  'statefulset',
  'daemonset',
  'cronjob',
  'workload',
  'destination_workload',
  'destination_service_name',
  'consumergroup',
  'consumer_group',
  'queue',
  'persistentvolumeclaim',
  'pod',
  'kubernetes_pod_name',
  'k8s_pod_name',
  'service_name',
  'app',
  'app_kubernetes_io_name',
  'application',
  'k8s_deployment_name',
  'server',
  'service',
  'exported_service',
  'container',
  'topic',
  'target',
  'job',
  'instance',
  'host',
  'node',
  'nodename',
] as const;
const IS_NAMING: ReadonlySet<string> = new Set([
  ...NAMING_LABELS,
  'alertname',
  'priority',
  'state',
  'status',
]);
const NAMESPACES = ['namespace', 'exported_namespace', 'kubernetes_namespace', 'k8s_namespace_name'] as const;

/** An alert's labels: tags such as `namespace:grid`, and the fields of the context. */
export function labelsOf({ service, context }: IssueToInvestigate): AlertLabels {
  const labels: Record<string, string> = {};
  for (const tag of Array.isArray(context.tags) ? context.tags : []) {
    const [, name, value] =
      typeof tag === 'string' ? (/^([A-Za-z_][\w.]*)[:=]\s*(.+)$/u.exec(tag) ?? []) : [];
    if (name !== undefined && value !== undefined) labels[name.replaceAll('.', '_')] ??= value;
  }
  // Of a Prometheus that scrapes another, these are the series' own labels.
  if (labels.exported_job !== undefined)
    for (const [name, value] of Object.entries(labels))
      if (name.startsWith('exported_')) labels[name.slice('exported_'.length)] = value;
  if (service !== null) labels.service ??= service;
  if (typeof context.service === 'string') labels.service ??= context.service;
  if (typeof context.host === 'string') labels.instance ??= context.host;
  return labels;
}

/** The service that labels name exactly, by one of its names, its pods or its addresses, or `null`. */
export function namedByLabels(labels: AlertLabels, services: readonly Service[]): string | null {
  const names = new Map<string, string>();
  const instances = new Map<string, string>();
  for (const { name, aliases, instances: own = [] } of services) {
    for (const one of [name, ...aliases]) names.set(one.toLowerCase(), names.get(one.toLowerCase()) ?? name);
    for (const one of own) instances.set(one, name);
  }
  for (const { name } of services) names.set(name.toLowerCase(), name);
  const namespace = NAMESPACES.map((label) => labels[label]).find((value) => value !== undefined);
  // Any label may name it, whatever an exporter calls it; where it was scraped says least.
  const scraped = NAMING_LABELS.indexOf('job');
  const others = Object.keys(labels).filter((label) => !IS_NAMING.has(label) && !AROUND.test(label));
  for (const label of [...NAMING_LABELS.slice(0, scraped), ...others, ...NAMING_LABELS.slice(scraped)]) {
    const value = labels[label];
    if (value === undefined) continue;
    for (const spelling of spellingsOf(value)) {
      const found = names.get(`${namespace}/${spelling}`.toLowerCase()) ?? names.get(spelling.toLowerCase());
      if (found !== undefined) return found;
    }
    const owner = instances.get(value);
    if (owner !== undefined) return owner;
  }
  return null;
}

const POD_SUFFIX = /(?:-[0-9a-f]{6,10}-[0-9a-z]{5}|-[0-9a-z]{5}|-[0-9]+)$/u;

/** `grid/ledger`, `ledger:9100`, `https://ledger.example.org/path`, `ledger-7d9f8b6c5d-x2x4z`. */
function spellingsOf(value: string): string[] {
  const address = value.replace(/^\w+:\/\//u, '');
  return [
    value,
    address.replace(/[:/]\d*.*$/u, ''),
    value.replace(/^[\w-]+\//u, ''),
    value.replace(POD_SUFFIX, ''),
  ];
}

/** Names of exporters and the like, which report about others. */
const REPORTER =
  /exporter|blackbox|^(?:kube-state-metrics|kubelet|node|prometheus|alertmanager|cadvisor|envoy-stats)$/iu;
/** Names of alerts about the exporter itself. */
const ABOUT_SCRAPING = /down|absent|scrape|unreachable/iu;

/**
 * Leaves out services that only report about others, unless the alert is about one: `KubeStateMetricsDown`,
 * `TargetDown`.
 */
function withoutReporters(services: readonly Service[], title: string): Service[] {
  const letters = title.toLowerCase().replaceAll(/[^a-z]/gu, '');
  const isMeant = (name: string) =>
    ABOUT_SCRAPING.test(title) || letters.startsWith(name.toLowerCase().replaceAll(/[^a-z]/gu, ''));
  return services.filter(({ name }) => !REPORTER.test(name) || isMeant(name));
}

/**
 * The service that a word of a text names exactly, by pod, name, or address. Alertmanager's default title has label
 * values without label names.
 */
function namedByWords(text: string, services: readonly Service[]): string | null {
  const words = text.split(/[\s,;()[\]{}"'`<>|]+/u).filter((word) => word.length > 1);
  const owners = new Map(services.flatMap(({ name, instances = [] }) => instances.map((one) => [one, name])));
  const names = new Map(
    services.flatMap(({ name, aliases }) => [name, ...aliases].map((one) => [one, name])),
  );
  const pods = words.flatMap((word) =>
    word.includes(':')
      ? []
      : (owners.get(word) ??
        (POD_SUFFIX.test(word) ? names.get(word.replace(POD_SUFFIX, '')) : undefined) ??
        []),
  );
  const named = words.flatMap((word) => names.get(word) ?? []);
  const addressed = words.flatMap((word) => (word.includes(':') ? (owners.get(word) ?? []) : []));
  return [...pods, ...named, ...addressed][0] ?? null;
}

/** The service in telemetry that an issue is about, by its alert's labels or its text, or `null`. */
export function namedService(issue: IssueToInvestigate, all: readonly Service[]): string | null {
  const services = withoutReporters(all, issue.title);
  const labelled = namedByLabels(labelsOf(issue), services);
  if (labelled !== null) return labelled;
  if (issue.service === null) {
    const worded = namedByWords(issue.title, services);
    if (worded !== null) return worded;
  }
  const fields = fieldsOf(issue);
  const subject = unknownSubject(issue);
  const byName = new Map(
    services.flatMap(({ name, aliases }) => [name, ...aliases].map((one) => [one, name])),
  );
  for (const field of fields) {
    const exact = field === null ? undefined : byName.get(field);
    if (exact !== undefined) return exact;
  }
  // Where the alert says what it is about, words elsewhere that resemble a name are about something else.
  const best =
    subject === null
      ? bestNamed(fields, [...byName.keys()])
      : (bestNamed([subject], [...byName.keys()], { synonyms: false }) ??
        namedIn(issue.title, [...byName.keys()], { synonyms: false }).find(({ score }) => score >= WHOLLY)
          ?.service ??
        null);
  return best === null ? null : (byName.get(best) ?? null);
}

/** `CertExpiring` names a part of `cert-manager`, but is not about it. */
const WHOLLY = 0.8;

/**
 * What an issue is about, in its own words, if telemetry knows nothing by that name: a label that names a subject, a
 * host. `null` if the issue names nothing in particular.
 */
export function unknownSubject(issue: IssueToInvestigate): string | null {
  const labels = labelsOf(issue);
  const labelled = NAMING_LABELS.map((label) => labels[label]).find(
    (value) => value !== undefined && !REPORTER.test(value),
  );
  return labelled ?? HOST.exec(issue.title)?.[0] ?? null;
}

/** `billing.example.com`, `db-7`: what people call things, as opposed to words. */
const HOST = /(?<![\w.-])(?:[a-z0-9-]+(?:\.[a-z0-9-]+)+|[a-z][a-z0-9]*(?:-[a-z0-9]+)*-\d+)(?![\w-])/iu;

/** Labels for where something runs, not what it is. */
const AROUND =
  /^(?:(?:exported_|kubernetes_|k8s_)?namespace|cluster|prometheus|endpoint|team|region|zone|env(?:ironment)?|severity)\b/iu;

/** Fields that may name an issue's service, the most specific first. */
function fieldsOf({ service, title, description, context }: IssueToInvestigate): (string | null)[] {
  const text = (name: string) => {
    const value = context[name];
    return typeof value === 'string' ? value : null;
  };
  const tags = Array.isArray(context.tags)
    ? context.tags.filter((tag) => typeof tag === 'string' && !AROUND.test(tag)).join(' ')
    : null;
  const prose = description.replaceAll(QUERIED_LINK, '');
  return [service ?? text('service'), title, text('host'), tags, text('errorMessage'), prose];
}

/** A link to a query names all that it compares. */
const QUERIED_LINK = /https?:\/\/\S*\?\S*/giu;
