import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { Budget } from './budget.ts';
import { mergeAnswers, partialSource } from './combined.ts';
import { askJson, createSourceClient, type SourceAddress } from './http.ts';
import { type Answer, known, type LogLine, type Service, unknown, type Window } from './model.ts';
import { oncePerBudget, type TelemetrySource } from './source.ts';

const NAME = 'loki';
/** Labels that name a service: the one that Loki derives, then those that it derives it from, in its order. */
const SERVICE_LABELS = [
  'service_name',
  'service',
  'app',
  'application',
  'app_name',
  'name',
  'app_kubernetes_io_name',
  'container',
  'container_name',
  'k8s_container_name',
  'component',
  'workload',
  'job',
  'k8s_job_name',
];
/** Loki's default limit of lines per query (`max_entries_limit_per_query`). */
const MOST_LINES = 5_000;
/** If there are more, this many parts of the window are sampled equally, so that their counts are comparable. */
const PARTS = 8;
/** Words in log lines about failures. */
const TELLS_OF_FAILURE =
  '(?i)(error|warn|fatal|panic|exception|critical|fail|timeout|timed out|refused|denied|exhausted|unavailable|killed|expired)';

/** Log lines from Loki: services and lines only. */
export function createLokiSource(
  settings: Omit<SourceAddress, 'title' | 'variable'>,
  { clock }: { clock: Clock },
): TelemetrySource & { close(): Promise<void> } {
  const address = { ...settings, title: 'Loki', variable: 'LOKI' };
  const http = createSourceClient(address);
  const source = { http, address };

  const values = (path: string, window: Window, budget: Budget) =>
    askJson(source, { path: `/loki/api/v1/${path}`, parameters: between(window) }, Values, budget);

  /** The label that names services in this Loki, and its values. */
  const named = oncePerBudget(async (key, budget): Promise<Answer<Named>> => {
    const [from = 0, to = 0] = key.split(' ').map(Number);
    const labels = await values('labels', { from, to }, budget);
    if (!labels.known) return labels;
    const label = SERVICE_LABELS.find((candidate) => labels.value.data?.includes(candidate));
    if (label === undefined)
      return labels.value.data?.length
        ? unknown(
            `Loki at ${http.base} has no label that names a service: give its streams one, such as service_name or app.`,
          )
        : known({ label: null, services: [] }, [`Loki at ${http.base} holds no lines of this time.`]);
    const services = await values(`label/${label}/values`, { from, to }, budget);
    return services.known ? known({ label, services: services.value.data ?? [] }) : services;
  });
  const namedIn = (window: Window, budget: Budget) => named(`${window.from} ${window.to}`, budget);

  async function read(
    query: string,
    window: Window,
    limit: number,
    budget: Budget,
    label: string,
    service: string | null,
  ): Promise<Answer<LogLine[]>> {
    const parameters = [
      ['query', query],
      ...between(window),
      ['limit', String(limit)],
      ['direction', 'backward'],
    ] as const;
    const answer = await askJson(source, { path: '/loki/api/v1/query_range', parameters }, Streams, budget);
    if (!answer.known) return answer;
    const lines = linesIn(answer.value, label, service).filter(
      ({ at }) => at >= window.from && at < window.to,
    );
    return budget.takeSamples(lines.length)
      ? known(lines)
      : unknown('More log lines than an investigation may read: some are missing.');
  }

  async function logs(service: string | null, window: Window, budget: Budget): Promise<Answer<LogLine[]>> {
    const naming = await namedIn(window, budget);
    if (!naming.known) return naming;
    const { label, services } = naming.value;
    if (label === null || (service !== null && !services.includes(service))) return known([], naming.caveats);
    const selector = `{${label}${service === null ? '=~".+"' : `=${JSON.stringify(service)}`}}`;
    const stats = await askJson(
      source,
      { path: '/loki/api/v1/index/stats', parameters: [['query', selector], ...between(window)] },
      Stats,
      budget,
    );
    // If the index statistics are unavailable, assume many.
    const entries = stats.known ? stats.value.entries : Number.POSITIVE_INFINITY;
    if (entries <= MOST_LINES)
      return ordered(await read(selector, window, MOST_LINES, budget, label, service));
    const query = `${selector} |~ ${JSON.stringify(TELLS_OF_FAILURE)}`;
    const limit = MOST_LINES / PARTS;
    const parts = await Promise.all(
      partsOf(window).map((part) => read(query, part, limit, budget, label, service)),
    );
    const isCut = parts.some((part) => part.known && part.value.length >= limit);
    const merged = mergeAnswers(parts);
    if (!merged.known) return merged;
    return ordered(
      known(merged.value, [
        ...merged.caveats,
        ...(isCut
          ? [
              `${service ?? 'The system'} writes more lines than can be read: of those that tell of failures, the newest of each eighth of the time were read.`,
            ]
          : []),
      ]),
    );
  }

  return {
    ...partialSource({
      name: NAME,
      services: async (window, budget) => {
        const naming = await namedIn(window, budget);
        return naming.known ? known(naming.value.services.map(serviceCalled), naming.caveats) : naming;
      },
      logs,
      check: async (budget) => {
        const now = clock.now();
        const naming = await namedIn({ from: now - 3_600_000, to: now }, budget);
        if (!naming.known) return { name: NAME, ok: false, summary: naming.reason, details: [] };
        const { label, services } = naming.value;
        return {
          name: NAME,
          ok: true,
          summary: `Loki at ${http.base} answers: ${services.length} services write lines.`,
          details: label === null ? naming.caveats : [`Services are named by the label ${label}.`],
        };
      },
    }),
    close: http.close,
  };
}

interface Named {
  /** `null` if there are no lines at all. */
  label: string | null;
  services: string[];
}

function serviceCalled(name: string): Service {
  const path = /^[\w-]+\/([\w.-]+)$/u.exec(name);
  return { name, kind: 'unknown', aliases: path?.[1] === undefined ? [] : [path[1]], workload: null };
}

/** Loki's end is exclusive, like ours. */
function between({ from, to }: Window): readonly (readonly [string, string])[] {
  return [
    ['start', `${Math.floor(from)}000000`],
    ['end', `${Math.floor(to)}000000`],
  ];
}

function partsOf({ from, to }: Window): Window[] {
  const length = (to - from) / PARTS;
  return Array.from({ length: PARTS }, (_, i) => ({
    from: Math.floor(from + i * length),
    to: i === PARTS - 1 ? to : Math.floor(from + (i + 1) * length),
  }));
}

function ordered(answer: Answer<LogLine[]>): Answer<LogLine[]> {
  return answer.known
    ? known(
        answer.value.sort((a, b) => a.at - b.at),
        answer.caveats,
      )
    : answer;
}

type Labels = Readonly<Record<string, string>>;

const LEVELS = ['detected_level', 'level', 'severity', 'severity_text', 'lvl'];
const INSTANCES = ['pod', 'k8s_pod_name', 'pod_name', 'service_instance_id', 'instance', 'host', 'hostname'];
const TRACES = ['trace_id', 'traceID', 'traceId', 'traceid'];
const MESSAGES = ['message', 'msg', 'body', 'log', 'error'];

const JsonLine = z.record(z.string(), z.unknown());

/** The lines of a result, in the order of its streams. */
function linesIn(
  { data }: z.infer<typeof Streams>,
  serviceLabel: string,
  fallback: string | null,
): LogLine[] {
  return data.result.flatMap(({ stream, values }) =>
    values.flatMap(([nanoseconds, text, extra]) => {
      // Nanoseconds since the epoch do not fit in a number.
      if (!/^\d{7,}$/u.test(nanoseconds)) return [];
      const at = Number(nanoseconds.slice(0, -6));
      const metadata = Metadata.safeParse(extra ?? {});
      const labels: Labels = { ...stream, ...(metadata.success ? metadata.data : {}) };
      const fields = fieldsOf(text);
      return [
        {
          at,
          service: labels[serviceLabel] ?? fallback ?? 'unknown',
          instance: first(labels, INSTANCES),
          level: levelIn(labels) ?? levelIn(fields),
          message: first(fields, MESSAGES) ?? text,
          traceId: first(labels, TRACES) ?? first(fields, TRACES),
        },
      ];
    }),
  );
}

/** Loki says `unknown` if it found no level. */
function levelIn(labels: Labels): string | null {
  const level = first(labels, LEVELS)?.toLowerCase() ?? null;
  return level === 'unknown' ? null : level;
}

function first(labels: Labels, names: readonly string[]): string | null {
  return names.map((name) => labels[name] ?? '').find((value) => value !== '') ?? null;
}

/** The string fields of a line that is a JSON object. */
function fieldsOf(text: string): Labels {
  if (!text.startsWith('{')) return {};
  try {
    const parsed = JsonLine.safeParse(JSON.parse(text));
    const entries = parsed.success ? Object.entries(parsed.data) : [];
    return Object.fromEntries(
      entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
    );
  } catch {
    // A line that only looks like JSON is shown as is.
    return {};
  }
}

/** The parts that are read of Loki's answers. */
const Values = z.looseObject({ data: z.array(z.string()).nullish() });

const Stats = z.looseObject({ entries: z.number(), bytes: z.number() });

const Texts = z.record(z.string(), z.string());

/** A line has a third part if it carries structured metadata: a plain object, or one inside `structuredMetadata`. */
const Streams = z.looseObject({
  data: z.looseObject({
    resultType: z.string(),
    result: z.array(
      z.looseObject({
        stream: Texts,
        values: z.array(z.tuple([z.string(), z.string()]).rest(z.unknown())),
      }),
    ),
  }),
});

const Metadata = z.union([
  z.looseObject({ structuredMetadata: Texts }).transform(({ structuredMetadata }) => structuredMetadata),
  Texts,
]);
