import { editsBetween } from '../../../lib/text.ts';
import { appOf, type Cluster, includes, isReady, labelsOf, matches, replicasOf } from '../cluster.ts';
import {
  about,
  aboutPod,
  type Check,
  commandsFor,
  type Finding,
  kubectl,
  named,
  pairs,
  quote,
} from '../finding.ts';
import { complaintsOf } from '../logs.ts';
import type { Pod, Service, Workload } from '../model.ts';

/** Why requests do not arrive. */
export const ROUTING: readonly Check[] = [
  (cluster) => cluster.objects.Service.flatMap((service) => selector(cluster, service)),
  (cluster) => cluster.objects.Service.flatMap((service) => ports(cluster, service)),
  addresses,
  policies,
  ingresses,
  dns,
  routes,
];

/** The workload that a Service is named after. */
function namesake(cluster: Cluster, { metadata }: Service): Workload | null {
  const inNamespace = cluster.workloads.filter(
    (workload) => workload.metadata.namespace === metadata.namespace && workload.kind !== 'Job',
  );
  return (
    inNamespace.find(
      (workload) => workload.metadata.name === metadata.name || appOf(workload) === metadata.name,
    ) ??
    inNamespace.find((workload) => Object.values(metadata.labels).includes(appOf(workload))) ??
    null
  );
}

const DAY_MS = 24 * 60 * 60_000;
/** What is left of the confidence in a mismatch that was always so. */
const ALWAYS_SO = 0.45;

/** A mismatch that has been there for a day, and that nobody complains of, is how things are, and not what is wrong. */
function sureOf(cluster: Cluster, confidence: number, workload: Workload, service: Service | null): number {
  const changed = [
    cluster.changedAt(workload),
    service?.metadata.creationTimestamp ?? 0,
    ...(service?.metadata.managedFields ?? []).map(({ time }) => time ?? 0),
  ];
  if (cluster.at - Math.max(...changed) < DAY_MS || cluster.alerts.length > 0) return confidence;
  const names = [service?.metadata.name ?? appOf(workload), service?.spec.clusterIP ?? appOf(workload)];
  const isFelt = cluster.workloads.some((one) =>
    complaintsOf(cluster, one).some(
      ({ complaint, line }) =>
        ['refused', 'timeout', 'unknown-host'].includes(complaint) &&
        (one === workload || names.some((name) => line.includes(name))),
    ),
  );
  return isFelt ? confidence : confidence * ALWAYS_SO;
}

/** How nearly a workload's labels are what a selector asks for: most of its pairs, or values that are alike. */
function nearest(cluster: Cluster, { metadata, spec }: Service): Workload | null {
  const scored = cluster.workloads
    .filter((workload) => workload.metadata.namespace === metadata.namespace && workload.kind !== 'Job')
    .map((workload) => {
      const labels = labelsOf(workload);
      const alike = Object.entries(spec.selector).map(([key, value]) =>
        labels[key] === value
          ? 1
          : isAlike(labels[key] ?? '', value) || Object.values(labels).includes(value)
            ? 0.8
            : 0,
      );
      return {
        workload,
        score: alike.reduce<number>((sum, one) => sum + one, 0) / Math.max(1, alike.length),
      };
    });
  const best = scored.toSorted((a, b) => b.score - a.score)[0];
  return best && best.score >= 0.5 ? best.workload : null;
}

/** Whether two names differ by a slip: one holds the other, or a letter or two differ. */
export function isAlike(a: string, b: string): boolean {
  if (a.length < 3 || b.length < 3 || a === b) return a === b && a !== '';
  if (a.startsWith(b) || b.startsWith(a)) return true;
  return Math.abs(a.length - b.length) <= 2 && editsBetween(a, b) <= 2;
}

function selector(cluster: Cluster, service: Service): Finding | [] {
  const { metadata, spec } = service;
  if (Object.keys(spec.selector).length === 0 || spec.type === 'ExternalName') return [];
  const selected = cluster.selectedBy(service);
  const meant = namesake(cluster, service);
  const mismatch = (workload: Workload, explanation: string, confidence: number): Finding => ({
    ...about(workload),
    ...commandsFor('service', metadata),
    cause: 'service_selector_mismatch',
    sentence: `Service ${named(metadata.name)} selects ${pairs(spec.selector)}; ${explanation}.`,
    evidence: [
      `the selector of Service ${named(metadata.name)} is ${pairs(spec.selector)}`,
      `the pods of ${named(workload.metadata.name)} have ${pairs(labelsOf(workload))}`,
      ...(cluster.endpointsOf(service)?.ready === 0 ? ['the Service has no endpoint'] : []),
    ],
    confidence: sureOf(cluster, confidence, workload, service),
  });
  if (selected.length > 0) {
    // It has pods, of another workload than the one that it is named after and that has no Service now.
    if (!meant || meant.metadata.name !== metadata.name || includes(labelsOf(meant), spec.selector))
      return [];
    if (cluster.servicesFor(meant).length > 0 || replicasOf(meant).wanted === 0) return [];
    const others = [...new Set(selected.map((pod) => cluster.workloadOf(pod)).filter((one) => one !== null))];
    return mismatch(
      meant,
      `these are the pods of ${others.map((one) => named(appOf(one))).join(', ')}`,
      0.85,
    );
  }
  const workload = meant ?? nearest(cluster, service);
  // Nothing was ever there for it, or what is there is scaled to zero or short of pods for another reason.
  if (!workload || includes(labelsOf(workload), spec.selector)) return [];
  const { wanted } = replicasOf(workload);
  if (wanted === 0) return [];
  return mismatch(workload, `the pods have ${pairs(differing(labelsOf(workload), spec.selector))}`, 0.96);
}

/** The labels with the keys of a selector, or all of them. */
function differing(labels: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>) {
  const same = Object.entries(labels).filter(([key]) => key in wanted);
  return Object.fromEntries(same.length > 0 ? same : Object.entries(labels));
}

function ports(cluster: Cluster, service: Service): Finding[] {
  const { metadata, spec } = service;
  const pods = cluster.selectedBy(service);
  const [pod] = pods;
  const workload = pod
    ? cluster.workloadOf(pod)
    : cluster.workloads.find(
        (one) =>
          includes(labelsOf(one), spec.selector) &&
          one.metadata.namespace === metadata.namespace &&
          Object.keys(spec.selector).length > 0,
      );
  const meant = namesake(cluster, service);
  // What selects another's pods has the wrong selector, not the wrong ports.
  if (!workload || (meant !== workload && meant?.metadata.name === metadata.name)) return [];
  const containers = workload.spec.template.spec.containers;
  const declared = containers.flatMap((container) => container.ports);
  const podPorts = pod?.spec.containers.flatMap((container) => container.ports) ?? [];
  const all = [...declared, ...podPorts];
  if (all.length === 0) return [];
  const listening = portsInLogs(cluster, workload);
  return spec.ports.flatMap(({ port, targetPort, protocol = 'TCP', name }) => {
    const target = targetPort ?? port;
    const isNamed = typeof target === 'string' && !/^\d+$/u.test(target);
    const names = all.map((one) => one.name).filter((one) => one !== undefined);
    const hit = all.find((one) => (isNamed ? one.name === target : one.containerPort === Number(target)));
    const finding = (cause: string, explanation: string, confidence: number): Finding => ({
      ...about(workload),
      ...commandsFor('service', metadata),
      cause,
      sentence: `Service ${named(metadata.name)} sends port ${port} to ${explanation}.`,
      evidence: [
        `the target port of ${named(name ?? String(port))} is ${named(`${target}/${protocol}`)}`,
        `the containers of ${named(workload.metadata.name)} have ${named([...new Set(all.map((one) => `${one.name ? `${one.name}:` : ''}${one.containerPort ?? '?'}/${one.protocol ?? 'TCP'}`))].join(', '))}`,
      ],
      confidence: sureOf(cluster, confidence, workload, service),
    });
    if (!hit) {
      // Names of ports may not be recorded: that no endpoint follows from Ready pods shows it.
      const unrouted = cluster.endpointsOf(service)?.ready === 0 && pods.some(isReady);
      if (isNamed && names.length === 0 && !unrouted) return [];
      if (!isNamed && listening.has(Number(target))) return [];
      // A container may listen on a port that it does not declare.
      return finding(
        'service_port_mapping_mismatch',
        isNamed
          ? `the port ${named(target)}, which its pods do not name`
          : `port ${target}, on which its pods do not listen`,
        isNamed || unrouted ? 0.95 : 0.9,
      );
    }
    if ((hit.protocol ?? 'TCP') !== protocol)
      return finding(
        'service_protocol_mismatch',
        `${target}/${protocol}, and its pods listen on ${hit.protocol ?? 'TCP'}`,
        0.92,
      );
    const spoken = pod && meshProtocol(pod, workload, hit.containerPort);
    const announced = /^(?<protocol>http|grpc)(?:-|$)/u.exec(name ?? '')?.groups?.protocol;
    return spoken && announced && spoken !== announced
      ? finding(
          'service_protocol_mismatch',
          `a port that speaks ${spoken}, and its name ${named(name ?? '')} tells the mesh otherwise`,
          0.8,
        )
      : [];
  });
}

/** What a port speaks by its own probes, where a sidecar goes by the names of Services' ports. */
function meshProtocol(pod: Pod, workload: Workload, port: number | undefined): string | null {
  if (!pod.spec.containers.some(({ name }) => name === 'istio-proxy' || name === 'linkerd-proxy'))
    return null;
  const probes = workload.spec.template.spec.containers.flatMap(({ readinessProbe, livenessProbe }) => [
    readinessProbe,
    livenessProbe,
  ]);
  if (probes.some((probe) => probe?.grpc && probe.grpc.port === port)) return 'grpc';
  return probes.some((probe) => probe?.httpGet && probe.httpGet.port === port) ? 'http' : null;
}

/** Ports on which a program says that it listens. */
function portsInLogs(cluster: Cluster, workload: Workload): Set<number> {
  return new Set(
    cluster
      .logsOf(workload)
      .flatMap((line) => /listen\w* (?:on|at)\D{0,20}(\d{2,5})\b/iu.exec(line)?.[1] ?? [])
      .map(Number),
  );
}

interface Address {
  workload: Workload;
  variable: string;
  host: string;
  port: number | null;
}

const PLACES = /(?<=^|[\s,;/@=(])([a-z][a-z0-9.-]{0,252}):(\d{2,5})(?=$|[\s,;/?)])/gu;

/** The `host:port` pairs in the variables of workloads. */
function addressesIn(cluster: Cluster): Address[] {
  return cluster.workloads.flatMap((workload) =>
    workload.spec.template.spec.containers.flatMap(({ env }) =>
      env.flatMap(({ name: variable, value = '' }) =>
        [...value.matchAll(PLACES)].map(([, host = '', port]) => ({
          workload,
          variable,
          host,
          port: port === undefined ? null : Number(port),
        })),
      ),
    ),
  );
}

/** Who calls whom, as their variables say. */
export function callsIn(cluster: Cluster): { caller: string; callee: string }[] {
  return addressesIn(cluster).flatMap((address) => {
    const service = serviceAt(cluster, address);
    const callee = service
      ? (cluster.workloads.find((workload) => cluster.servicesFor(workload).includes(service)) ?? null)
      : null;
    return callee ? [{ caller: appOf(address.workload), callee: appOf(callee) }] : [];
  });
}

/** The Service that a host names, by the rules of cluster DNS; undefined where it is no name of this cluster's. */
function serviceAt(cluster: Cluster, { workload, host }: Address): Service | null | undefined {
  const [name = '', namespace = workload.metadata.namespace, kind] = host.split('.');
  const isLocal = kind === undefined || kind === 'svc';
  if (!isLocal || host === 'localhost') return undefined;
  const found = cluster.objects.Service.find(
    ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
  );
  if (found) return found;
  // `name.namespace` may as well be a host elsewhere; another namespace may not have been read.
  return host.includes('.') &&
    !cluster.objects.Service.some(({ metadata }) => metadata.namespace === namespace)
    ? undefined
    : null;
}

/** The hosts that workloads look for and no Service has. */
export function missingAddresses(cluster: Cluster): Set<string> {
  return new Set(
    addressesIn(cluster)
      .filter((address) => serviceAt(cluster, address) === null)
      .map(({ host }) => host.split('.')[0] ?? ''),
  );
}

function addresses(cluster: Cluster): Finding[] {
  if (cluster.objects.Service.length === 0) return [];
  return addressesIn(cluster).flatMap((address) => {
    const { workload, variable, host, port } = address;
    const service = serviceAt(cluster, address);
    if (service === undefined) return [];
    const isFelt = complaintsOf(cluster, workload).some(
      ({ complaint, line }) =>
        ['refused', 'unknown-host', 'timeout'].includes(complaint) && line.includes(host),
    );
    const mismatch = (explanation: string, theirs: string, confidence: number): Finding => ({
      ...about(workload),
      cause: 'service_env_var_address_mismatch',
      sentence: `${named(appOf(workload))} looks for ${named(`${host}:${port ?? ''}`)}, and ${explanation}.`,
      evidence: [`${named(variable)} is ${named(`${host}:${port ?? ''}`)}`, theirs],
      confidence: sureOf(cluster, confidence, workload, null),
    });
    if (service) {
      const offered = service.spec.ports.map((one) => one.port);
      if (
        port === null ||
        offered.length === 0 ||
        offered.includes(port) ||
        service.spec.clusterIP === 'None'
      )
        return [];
      return mismatch(
        `Service ${named(service.metadata.name)} has no port ${port}`,
        `the ports of Service ${named(service.metadata.name)} are ${named(offered.join(', '))}`,
        0.93,
      );
    }
    const near = cluster.objects.Service.find(
      ({ metadata, spec }) =>
        metadata.namespace === workload.metadata.namespace &&
        (isAlike(metadata.name, host) ||
          (host.startsWith(metadata.name.slice(0, 5)) && spec.ports.some((one) => one.port === port))),
    );
    // A workload of that name that nothing serves: its Service is what is missing.
    const absent = cluster.workloads.find(
      (one) => one.metadata.name === host && one.metadata.namespace === workload.metadata.namespace,
    );
    if (absent)
      return {
        ...about(absent),
        cause: 'missing_service',
        sentence: `${named(appOf(absent))} has no Service, and ${named(appOf(workload))} looks for it at ${named(`${host}:${port ?? ''}`)}.`,
        evidence: [`${named(variable)} of ${named(appOf(workload))} is ${named(`${host}:${port ?? ''}`)}`],
        show: kubectl`get services -n ${absent.metadata.namespace}`,
        mend: kubectl`expose ${absent.kind.toLowerCase()} ${host} -n ${absent.metadata.namespace} --port=${port ?? 80}`,
        confidence: 0.75,
        explains: [`app/${appOf(workload)}`],
      };
    return mismatch(
      near ? `there is only Service ${named(near.metadata.name)}` : 'no Service has this name',
      near ? `a Service is called ${named(near.metadata.name)}` : `no Service is called ${named(host)}`,
      // Names of services that were never installed stay in variables for years.
      isFelt ? 0.9 : near ? 0.8 : 0.2,
    );
  });
}

/** So many pods that nothing owns are named for one policy. */
const MOST_BARE = 5;

function policies(cluster: Cluster): Finding[] {
  return cluster.objects.NetworkPolicy.flatMap(({ metadata, spec }) => {
    const inNamespace = cluster.podsIn(metadata.namespace);
    const shut = inNamespace.filter((pod) => matches(pod.metadata.labels, spec.podSelector));
    const types = spec.policyTypes.length > 0 ? spec.policyTypes : ['Ingress'];
    const [first] = shut;
    if (first === undefined) return [];
    const workload = cluster.workloadOf(first);
    const lets = (
      rules: readonly {
        podSelector: Parameters<typeof matches>[1];
        namespaceSelector: unknown;
        ipBlock: unknown;
      }[],
    ) =>
      rules.length === 0 ||
      rules.some(
        ({ podSelector, namespaceSelector, ipBlock }) =>
          namespaceSelector !== null ||
          ipBlock !== null ||
          inNamespace.some((pod) => !shut.includes(pod) && matches(pod.metadata.labels, podSelector)),
      );
    const others = cluster.objects.NetworkPolicy.filter(
      (one) =>
        one.metadata.namespace === metadata.namespace &&
        one.metadata.name !== metadata.name &&
        matches(first.metadata.labels, one.spec.podSelector),
    );
    const isOpened = others.some(
      (one) => one.spec.ingress.some(({ from }) => lets(from)) || one.spec.egress.some(({ to }) => lets(to)),
    );
    const ingress = types.includes('Ingress') && !spec.ingress.some(({ from }) => lets(from));
    const egress = types.includes('Egress') && !spec.egress.some(({ to }) => lets(to));
    if ((!ingress && !egress) || isOpened) return [];
    const names = workload ? cluster.servicesFor(workload).map((service) => service.metadata.name) : [];
    const felt = cluster.workloads.some((one) =>
      complaintsOf(cluster, one).some(
        ({ complaint, line }) =>
          complaint === 'timeout' && (egress ? one === workload : names.some((name) => line.includes(name))),
      ),
    );
    const isNew = cluster.ageOf(metadata.creationTimestamp) <= 60 * 60_000;
    const selected = pairs(spec.podSelector?.matchLabels ?? {}) || 'all pods of its namespace';
    const rule = `${named(metadata.name)} selects ${selected} and has no ${ingress ? 'ingress' : 'egress'} rule that lets others through`;
    // What nothing owns is as shut as what a workload owns.
    const bare = shut.filter((pod) => cluster.workloadOf(pod) === null).slice(0, MOST_BARE);
    return (workload ? [first] : bare).map((pod) => {
      const subject = aboutPod(cluster, pod);
      const app = named(subject.object.slice('app/'.length));
      return {
        ...subject,
        cause: 'network_policy_block',
        sentence: `The network policy ${named(metadata.name)} lets ${ingress ? `no other pod reach ${app}` : `${app} reach nothing, not even DNS`}.`,
        evidence: [rule],
        ...commandsFor('networkpolicy', metadata),
        // Not every network plug-in enforces policies, so that it is there proves little.
        confidence: felt ? 0.85 : isNew ? 0.5 : 0.15,
      };
    });
  });
}

function ingresses(cluster: Cluster): Finding[] {
  return cluster.objects.Ingress.flatMap(({ metadata, spec }) => {
    const backends = [
      { path: '/', backend: spec.defaultBackend },
      ...spec.rules.flatMap(
        ({ http }) => http?.paths.map(({ path = '/', backend }) => ({ path, backend })) ?? [],
      ),
    ];
    return backends.flatMap(({ path, backend }) => {
      const name = backend?.service?.name;
      if (name === undefined || !cluster.read.has('Service')) return [];
      const service = cluster.objects.Service.find(
        (one) => one.metadata.name === name && one.metadata.namespace === metadata.namespace,
      );
      const wanted = backend?.service?.port;
      const hasPort = service?.spec.ports.some(
        ({ port, name: is }) =>
          (wanted?.number === undefined || wanted.number === port) &&
          (wanted?.name === undefined || wanted.name === is),
      );
      if (service && hasPort !== false) return [];
      const near = cluster.workloads.find(
        (one) =>
          one.metadata.namespace === metadata.namespace &&
          (one.metadata.name === name || isAlike(one.metadata.name, name)),
      );
      const base = near ? about(near) : { object: `app/${name}`, namespace: metadata.namespace };
      return {
        ...base,
        cause: 'ingress_backend_mismatch',
        sentence: `The Ingress ${named(metadata.name)} sends ${named(path)} to ${service ? `a port that Service ${named(name)} does not have` : `Service ${named(name)}, which does not exist`}.`,
        evidence: [
          `the backend is ${named(`${name}:${wanted?.number ?? wanted?.name ?? ''}`)}`,
          service
            ? `the ports of the Service are ${named(service.spec.ports.map(({ port }) => port).join(', '))}`
            : `namespace ${named(metadata.namespace)} has no Service ${named(name)}`,
        ],
        ...commandsFor('ingress', metadata),
        confidence: 0.88,
      };
    });
  });
}

function dns(cluster: Cluster): Finding[] {
  const own = cluster.workloads.flatMap((workload): Finding | [] => {
    const { dnsPolicy, dnsConfig } = workload.spec.template.spec;
    const servers = dnsConfig?.nameservers ?? [];
    if (dnsPolicy !== 'None' && dnsPolicy !== 'Default') return [];
    const clusterDns = cluster.objects.Service.filter(({ metadata }) => /dns/u.test(metadata.name)).map(
      ({ spec }) => spec.clusterIP,
    );
    if (servers.some((server) => clusterDns.includes(server))) return [];
    const pods = cluster.podsOf(workload);
    const isWell = pods.length > 0 && pods.every(isReady);
    const complaint = complaintsOf(cluster, workload).find(({ complaint }) => complaint === 'unknown-host');
    // Who asks other name servers and is well, does so on purpose.
    if (isWell && !complaint) return [];
    return {
      ...about(workload),
      cause: 'service_dns_resolution_failure',
      sentence: `${named(appOf(workload))} cannot resolve the names of this cluster: its own DNS settings leave the cluster's DNS out.`,
      evidence: [
        `dnsPolicy is ${named(dnsPolicy)}, with the name servers ${named(servers.join(', ') || 'of the node')}`,
        ...(complaint ? [`it says: ${quote(complaint.line)}`] : []),
      ],
      confidence: complaint || dnsPolicy === 'None' ? 0.95 : 0.6,
      explains: [],
    };
  });
  const servers = cluster.workloads.filter(
    ({ metadata }) => metadata.namespace === 'kube-system' && /^(?:core|kube-)dns$/u.test(metadata.name),
  );
  const down = servers.flatMap((server): Finding | [] =>
    replicasOf(server).ready > 0
      ? []
      : {
          ...about(server),
          cause: 'cluster_dns_unavailable',
          sentence: `The cluster's DNS (${named(server.metadata.name)}) has no ready replica: no name resolves.`,
          evidence: [`${replicasOf(server).ready} of ${replicasOf(server).wanted} replicas are ready`],
          confidence: 0.9,
          explains: cluster.workloads.filter((one) => one !== server).map((one) => `app/${appOf(one)}`),
        },
  );
  return [...own, ...down];
}

interface Route {
  id: string;
  target: string;
  path: string;
}

/** Routes in a gateway's configuration (`id`, `uri`, `Path=`), as Spring Cloud Gateway and its like have them. */
function routesIn(text: string): Route[] {
  return text
    .split(/^\s*- id:/mu)
    .slice(1)
    .flatMap((part) => {
      const id = /^\s*(\S+)/u.exec(part)?.[1];
      const uri = /\buri:\s*\S+?:\/\/(?:\$\{[^:}]*:)?([a-z0-9.-]+)/u.exec(part)?.[1];
      const path = /Path=(\S+)/u.exec(part)?.[1] ?? '';
      return id === undefined || uri === undefined ? [] : [{ id, target: uri.split('.')[0] ?? uri, path }];
    });
}

/** A route is wrong if it is named after a Service that no route leads to, and leads to another. */
function routes(cluster: Cluster): Finding[] {
  return cluster.objects.ConfigMap.flatMap(({ metadata, data }) =>
    Object.entries(data).flatMap(([key, text]) => {
      const all = routesIn(text);
      if (all.length < 3) return [];
      const reached = new Set(all.map(({ target }) => target));
      const orphans = cluster.workloads.filter(
        (workload) =>
          workload.metadata.namespace === metadata.namespace && !reached.has(workload.metadata.name),
      );
      return all.flatMap((route) => {
        const meant = orphans.find((workload) => isNamedAfter(route, workload.metadata.name, all));
        if (!meant || meant.metadata.name === route.target) return [];
        const isFelt = cluster.alerts.some(
          (alert) => alert.kind === 'request' && alert.url.startsWith(route.path.replace(/\*.*$/u, '')),
        );
        return {
          ...about(meant),
          cause: 'gateway_misroute',
          sentence: `The gateway's route ${named(route.id)} (${named(route.path)}) leads to ${named(route.target)}, not to ${named(meant.metadata.name)}.`,
          evidence: [
            `${named(key)} in ConfigMap ${named(metadata.name)} sends ${named(route.path)} to ${named(route.target)}`,
            `no route leads to ${named(meant.metadata.name)}`,
          ],
          ...commandsFor('configmap', metadata),
          confidence: isFelt ? 0.93 : 0.85,
        };
      });
    }),
  );
}

/** `route` and `ts-route-service`, where the other routes are related to their Services in the same way. */
function isNamedAfter({ id, target }: Route, service: string, all: readonly Route[]): boolean {
  if (!service.includes(id) || target.includes(id)) return false;
  const shape = service.replace(id, '*');
  return (
    all.filter((other) => other.target.replace(other.id, '*') === shape).length * 2 >= all.length ||
    shape === '*'
  );
}
