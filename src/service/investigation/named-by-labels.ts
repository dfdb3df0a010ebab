import type { Service } from '../telemetry/model.ts';
import type { IssueToInvestigate } from './types.ts';

/** Labels of an alert by name, from its context. */
export type AlertLabels = Readonly<Record<string, string>>;

/**
 * Labels that name an alert's subject, the most specific first. Job and instance come last: for an exporter's metrics
 * about others, they name the exporter.
 */
const TELLING = [
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
const NAMESPACES = ['namespace', 'exported_namespace', 'kubernetes_namespace', 'k8s_namespace_name'] as const;

/** An alert's labels: tags such as `namespace:grid`, and the fields of the context. */
export function labelsOf({ service, context }: IssueToInvestigate): AlertLabels {
  const labels: Record<string, string> = {};
  for (const tag of Array.isArray(context.tags) ? context.tags : []) {
    const [, name, value] =
      typeof tag === 'string' ? (/^([A-Za-z_][\w.]*)[:=]\s*(.+)$/u.exec(tag) ?? []) : [];
    if (name !== undefined && value !== undefined) labels[name.replaceAll('.', '_')] ??= value;
  }
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
  for (const label of TELLING) {
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
  /exporter|^(?:kube-state-metrics|kubelet|node|prometheus|alertmanager|blackbox|cadvisor|envoy-stats)$/iu;
/** Names of alerts about the exporter itself. */
const ABOUT_SCRAPING = /down|absent|scrape|unreachable/iu;

/**
 * Leaves out services that only report about others, unless the alert is about one: `KubeStateMetricsDown`,
 * `TargetDown`.
 */
export function withoutReporters(services: readonly Service[], title: string): Service[] {
  const said = title.toLowerCase().replaceAll(/[^a-z]/gu, '');
  const isMeant = (name: string) =>
    ABOUT_SCRAPING.test(title) || said.startsWith(name.toLowerCase().replaceAll(/[^a-z]/gu, ''));
  return services.filter(({ name }) => !REPORTER.test(name) || isMeant(name));
}

/**
 * The service that a word of a text names exactly, by pod, name, or address. Alertmanager's default title has label
 * values without label names.
 */
export function namedByWords(text: string, services: readonly Service[]): string | null {
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
