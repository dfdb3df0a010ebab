import { appOf, type Cluster } from './cluster.ts';
import type { Workload } from './model.ts';

/** What a program's own last lines say is wrong. */
export type Complaint =
  | 'credentials'
  | 'connections'
  | 'read-only'
  | 'unknown-host'
  | 'refused'
  | 'timeout'
  | 'port-taken'
  | 'permission'
  | 'memory'
  | 'disk'
  | 'command'
  | 'configuration'
  | 'database'
  | 'rights';

/** Most telling first: a refused connection is what remains when nothing else is said. */
const PATTERNS: readonly [Complaint, RegExp][] = [
  [
    'connections',
    /too many connections|too many clients already|remaining connection slots|max_connections|connection pool (?:is )?exhausted/iu,
  ],
  [
    'read-only',
    /--?read[-_ ]only (?:option|mode)|super[-_]read[-_]only|read-only transaction|READONLY You can't write|not master and slaveOk|database is (?:in )?read[- ]only/iu,
  ],
  [
    'credentials',
    /access denied for user '[^']+'@'[^']*' \(using password: YES\)|access denied for user|password authentication failed|authentication failed|\bWRONGPASS\b|\bNOAUTH\b|invalid (?:username|password|credentials)|login failed for user|ACCESS_REFUSED/iu,
  ],
  ['database', /unknown database|database "[^"]+" does not exist/iu],
  ['rights', /system:serviceaccount:\S+"? cannot|is forbidden: User/iu],
  [
    'unknown-host',
    /UnknownHostException|no such host|ENOTFOUND|EAI_AGAIN|name or service not known|temporary failure in name resolution|could not resolve host|getaddrinfo|nodename nor servname/iu,
  ],
  ['port-taken', /address already in use|EADDRINUSE|port \d+ (?:is already|was already) in use/iu],
  ['disk', /no space left on device|ENOSPC|disk quota exceeded/iu],
  ['memory', /OutOfMemoryError|out of memory|cannot allocate memory|ENOMEM|heap limit/iu],
  [
    'permission',
    /permission denied|EACCES|operation not permitted|read-only file system|EROFS|not writable|can't (?:open|create|chown)/iu,
  ],
  [
    'command',
    /executable file not found|exec format error|command not found|cannot find module|unknown (?:flag|option)|unrecognized (?:option|argument)|no such file or directory: ?['"]?\/(?:app|usr|bin)/iu,
  ],
  [
    'configuration',
    /(?:environment variable|env var|config(?:uration)?|property) \S* ?(?:is )?(?:not set|missing|required|undefined)|could not resolve placeholder|missing required/iu,
  ],
  [
    'refused',
    /connection refused|ECONNREFUSED|communications link failure|actively refused|UnableToConnect/iu,
  ],
  [
    'timeout',
    /i\/o timeout|connection timed out|ETIMEDOUT|connect timeout|ConnectTimeout|deadline exceeded/iu,
  ],
];

/** Most lines complain of nothing, and are looked at once. */
const ANY = new RegExp(PATTERNS.map(([, { source }]) => source).join('|'), 'iu');

export interface Complained {
  complaint: Complaint;
  line: string;
}

/** What the lines complain of, the most telling first, each with its newest line. */
export function complaintsIn(lines: readonly string[]): Complained[] {
  const complaining = lines.filter((line) => ANY.test(line));
  return PATTERNS.flatMap(([complaint, pattern]) => {
    const line = complaining.findLast((one) => pattern.test(one));
    return line === undefined ? [] : [{ complaint, line }];
  });
}

const recent = new WeakMap<Cluster, Map<Workload, readonly Complained[]>>();

/** What the lines of a workload's last minutes complain of. Several checks ask, and the lines are many. */
export function complaintsOf(cluster: Cluster, workload: Workload): readonly Complained[] {
  const all = recent.get(cluster) ?? new Map<Workload, readonly Complained[]>();
  recent.set(cluster, all);
  const known = all.get(workload) ?? complaintsIn(recentLines(cluster.logsOf(workload), cluster.at));
  all.set(workload, known);
  return known;
}

const WITHIN_MS = 15 * 60_000;

/** The lines of the last minutes, as far as they have a time; those without one stay. */
function recentLines(lines: readonly string[], at: number): string[] {
  return lines.filter((line) => {
    const stamp = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?/u.exec(line)?.[0];
    const time = stamp?.endsWith('Z') ? Date.parse(stamp) : Number.NaN;
    return Number.isNaN(time) || at - time <= WITHIN_MS;
  });
}

/** Stores by the words that images, variables and drivers use of them, and their port. */
const STORES: readonly { name: string; words: RegExp; port: number }[] = [
  { name: 'mysql', words: /mysql|mariadb|percona|jdbc:mysql/iu, port: 3306 },
  { name: 'postgres', words: /postgres|psycopg|pgbouncer|\bpg_|timescale/iu, port: 5432 },
  { name: 'mongodb', words: /mongo/iu, port: 27017 },
  { name: 'redis', words: /redis|valkey/iu, port: 6379 },
  { name: 'rabbitmq', words: /rabbit|amqp/iu, port: 5672 },
  { name: 'kafka', words: /kafka/iu, port: 9092 },
  { name: 'elasticsearch', words: /elasticsearch|opensearch/iu, port: 9200 },
  { name: 'cassandra', words: /cassandra/iu, port: 9042 },
];

export function storeIn(text: string): string | null {
  return STORES.find(({ words }) => words.test(text))?.name ?? null;
}

/** The names of a workload's variables, Secrets and ConfigMaps, with the values that are not secret. */
export function settingsOf(cluster: Cluster, workload: Workload): string[] {
  const { namespace } = workload.metadata;
  return workload.spec.template.spec.containers.flatMap(({ env, envFrom }) => [
    ...env.map(({ name, value, valueFrom }) => `${name}=${value ?? valueFrom?.secretKeyRef?.name ?? ''}`),
    ...envFrom.flatMap(({ secretRef, configMapRef }) => [
      ...cluster.objects.Secret.filter(
        ({ metadata }) => metadata.namespace === namespace && metadata.name === secretRef?.name,
      ).flatMap(({ data }) => data.map((key) => `${key}=`)),
      ...cluster.objects.ConfigMap.filter(
        ({ metadata }) => metadata.namespace === namespace && metadata.name === configMapRef?.name,
      ).flatMap(({ data }) => Object.entries(data).map(([key, value]) => `${key}=${value}`)),
    ]),
  ]);
}

/** The workload that runs a store, as its clients name it: by their lines, by events, by what they mention most. */
export function storeWorkload(cluster: Cluster, store: string | null, text: string): Workload | null {
  const kinds = STORES.filter(({ name }) => store === null || name === store);
  const running = cluster.workloads.filter(({ metadata, spec }) =>
    spec.template.spec.containers.some(
      ({ image, ports }) =>
        kinds.some(({ words }) => words.test(`${metadata.name} ${image ?? ''}`)) ||
        ports.some(({ containerPort }) => kinds.some(({ port }) => port === containerPort)),
    ),
  );
  const scored = running.map((workload) => ({ workload, score: mentions(cluster, workload, text) }));
  return (
    scored.toSorted(
      (a, b) =>
        b.score - a.score ||
        // Of two that nothing sets apart, what was changed last is the more likely to have the problem.
        (b.workload.metadata.creationTimestamp ?? 0) - (a.workload.metadata.creationTimestamp ?? 0),
    )[0]?.workload ?? null
  );
}

function mentions(cluster: Cluster, workload: Workload, text: string): number {
  const names = [
    appOf(workload),
    workload.metadata.name,
    ...cluster.servicesFor(workload).map(({ metadata }) => metadata.name),
  ];
  const isNamed = names.some((name) => text.includes(name));
  const warnings = cluster
    .podsOf(workload)
    .filter((pod) =>
      cluster
        .eventsOn('Pod', pod.metadata)
        .some(
          (event) =>
            event.type === 'Warning' && cluster.isRecent(event) && complaintsIn([event.message]).length > 0,
        ),
    );
  return (isNamed ? 4 : 0) + (warnings.length > 0 ? 3 : 0);
}
