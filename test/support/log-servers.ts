import { z } from 'zod';
import type { LogLine } from '../../src/service/telemetry/model.ts';
import { Refusal, type Route } from './scripted-source.ts';

/*
 * Servers of logs that answer as their documents say, over the same lines, and refuse what those do not know.
 */

type Routes = Readonly<Record<string, Route>>;

const inWindow = (lines: readonly LogLine[], from: number, to: number) =>
  lines.filter(({ at }) => at >= from && at < to).toSorted((a, b) => b.at - a.at);
const servicesOf = (lines: readonly LogLine[]) => [...new Set(lines.map(({ service }) => service))];

/** Loki: https://grafana.com/docs/loki/latest/reference/loki-http-api */
export function lokiServer(lines: readonly LogLine[]): Routes {
  const found = ({ start = '', end = '', query = '' }: Record<string, string>) => {
    const [whole, service, failing] =
      /^\{service_name=(?:("(?:[^"\\]|\\.)*")|~"\.\+")\}(?: \|~ ("(?:[^"\\]|\\.)*"))?$/u.exec(query) ?? [];
    if (whole === undefined) return null;
    const pattern = new RegExp(
      failing === undefined ? '' : String(JSON.parse(failing)).replace('(?i)', ''),
      'iu',
    );
    return inWindow(lines, Number(start) / 1e6, Number(end) / 1e6).filter(
      (line) =>
        (service === undefined || line.service === JSON.parse(service)) &&
        pattern.test(`${line.level} ${line.message}`),
    );
  };
  const bad = new Refusal(400, '{"message":"parse error"}');
  return {
    '/loki/api/v1/labels': {
      parameters: ['start', 'end'],
      answer: () => ({ status: 'success', data: lines.length > 0 ? ['service_name', 'pod'] : [] }),
    },
    '/loki/api/v1/label/service_name/values': {
      parameters: ['start', 'end'],
      answer: () => ({ status: 'success', data: servicesOf(lines) }),
    },
    '/loki/api/v1/index/stats': {
      parameters: ['query', 'start', 'end'],
      answer: ({ parameters }) => {
        const all = found(parameters);
        return all === null ? bad : { streams: 1, chunks: 1, entries: all.length, bytes: all.length * 100 };
      },
    },
    '/loki/api/v1/query_range': {
      parameters: ['query', 'start', 'end', 'limit', 'direction'],
      answer: ({ parameters }) => {
        const all = found(parameters)?.slice(0, Number(parameters.limit));
        if (all === undefined) return bad;
        const result = all.map(({ at, service, instance, level, message, traceId }) => ({
          stream: {
            service_name: service,
            detected_level: level ?? 'unknown',
            ...(instance && { pod: instance }),
            ...(traceId && { trace_id: traceId }),
          },
          values: [[`${at}000000`, message]],
        }));
        return { status: 'success', data: { resultType: 'streams', result, stats: {} } };
      },
    },
  };
}

/** VictoriaLogs: https://docs.victoriametrics.com/victorialogs/querying */
export function victoriaLogsServer(lines: readonly LogLine[]): Routes {
  const field = 'kubernetes.container_name';
  const found = ({ start = '', end = '', query = '' }: Record<string, string>) => {
    const [whole, service, failing] =
      /^kubernetes\.container_name:(?:\*|=("(?:[^"\\]|\\.)*"))(?: \(_msg:~("(?:[^"\\]|\\.)*")(?: or [\w.]+:~"(?:[^"\\]|\\.)*")+\))?$/u.exec(
        query,
      ) ?? [];
    if (whole === undefined) return null;
    const pattern = new RegExp(
      failing === undefined ? '' : String(JSON.parse(failing)).replace('(?i)', ''),
      'iu',
    );
    return inWindow(lines, Date.parse(start), Date.parse(end)).filter(
      (line) =>
        (service === undefined || line.service === JSON.parse(service)) &&
        pattern.test(`${line.level} ${line.message}`),
    );
  };
  const bad = new Refusal(400, '{"error":"cannot parse query"}');
  const valuesOf = (values: readonly string[]) => ({ values: values.map((value) => ({ value, hits: 1 })) });
  return {
    '/select/logsql/stream_field_names': {
      parameters: ['query', 'start', 'end'],
      answer: () => valuesOf(lines.length > 0 ? [field, 'kubernetes.pod_namespace'] : []),
    },
    '/select/logsql/stream_field_values': {
      parameters: ['query', 'start', 'end', 'field', 'limit'],
      answer: ({ parameters }) => (parameters.field === field ? valuesOf(servicesOf(lines)) : valuesOf([])),
    },
    '/select/logsql/field_names': { parameters: ['query', 'start', 'end'], answer: () => valuesOf([]) },
    '/select/logsql/hits': {
      parameters: ['query', 'start', 'end', 'step'],
      answer: ({ parameters }) => {
        const total = found(parameters)?.length;
        if (total === undefined) return bad;
        return {
          hits: total === 0 ? [] : [{ fields: {}, timestamps: [parameters.start], values: [total], total }],
        };
      },
    },
    '/select/logsql/query': {
      parameters: ['query', 'start', 'end', 'limit'],
      answer: ({ parameters }) => {
        const all = found(parameters)?.slice(0, Number(parameters.limit));
        if (all === undefined) return bad;
        // Lines come as they are found.
        const texts = all.toReversed().map(({ at, service, instance, level, message, traceId }) =>
          JSON.stringify({
            _time: new Date(at).toISOString(),
            _msg: message,
            _stream: `{${field}=${JSON.stringify(service)}}`,
            [field]: service,
            ...(level && { 'log.level': level }),
            ...(instance && { 'kubernetes.pod_name': instance }),
            ...(traceId && { trace_id: traceId }),
          }),
        );
        return new Refusal(200, texts.map((text) => `${text}\n`).join(''));
      },
    },
  };
}

const Search = z.strictObject({
  size: z.number().max(10_000),
  track_total_hits: z.boolean().optional(),
  query: z.unknown(),
  sort: z.array(z.strictObject({ '@timestamp': z.strictObject({ order: z.literal('desc') }) })).optional(),
  _source: z.array(z.string()).optional(),
  docvalue_fields: z.array(z.strictObject({ field: z.string(), format: z.string() })).optional(),
  aggs: z
    .strictObject({
      services: z.strictObject({ terms: z.strictObject({ field: z.string(), size: z.number() }) }),
    })
    .optional(),
});
const Range = z.strictObject({
  range: z.strictObject({
    '@timestamp': z.strictObject({ gte: z.number(), lt: z.number(), format: z.literal('epoch_millis') }),
  }),
});
const Wildcard = z.strictObject({
  wildcard: z.strictObject({
    'log.level': z.strictObject({ value: z.string(), case_insensitive: z.literal(true) }),
  }),
});
const Match = z.strictObject({
  match: z.strictObject({ message: z.strictObject({ query: z.string(), operator: z.literal('or') }) }),
});
const Filters = z.strictObject({
  bool: z.strictObject({
    filter: z
      .tuple([
        Range,
        z.union([
          z.strictObject({ term: z.strictObject({ 'service.name': z.string() }) }),
          z.strictObject({ exists: z.strictObject({ field: z.literal('service.name') }) }),
        ]),
      ])
      .rest(
        z.strictObject({
          bool: z.strictObject({
            should: z.array(z.union([Match, Wildcard])),
            minimum_should_match: z.literal(1),
          }),
        }),
      ),
  }),
});

/** Elasticsearch with documents in ECS: https://www.elastic.co/docs/api/doc/elasticsearch */
export function elasticsearchServer(
  lines: readonly LogLine[],
  {
    failedShards = 0,
    version = { number: '9.2.1' },
  }: { failedShards?: number; version?: { number: string; distribution?: string } } = {},
): Routes {
  const caps = (type: string, aggregatable: boolean) => ({
    [type]: { type, metadata_field: false, searchable: true, aggregatable },
  });
  const failing = (should: z.infer<typeof Match | typeof Wildcard>[], line: LogLine) =>
    should.some((one) =>
      'match' in one
        ? one.match.message.query.split(' ').some((word) =>
            line.message
              .toLowerCase()
              .split(/[^a-z]+/u)
              .includes(word),
          )
        : new RegExp(one.wildcard['log.level'].value.replaceAll('*', '.*'), 'iu').test(line.level ?? ''),
    );
  const found = (query: unknown) => {
    const range = Range.safeParse(query);
    const [
      {
        range: {
          '@timestamp': { gte, lt },
        },
      },
      subject,
      ...more
    ] = range.success ? ([range.data, null] as const) : Filters.parse(query).bool.filter;
    const service = subject !== null && 'term' in subject ? subject.term['service.name'] : null;
    return inWindow(lines, gte, lt).filter(
      (line) =>
        (service === null || line.service === service) &&
        more.every(({ bool: { should } }) => failing(should, line)),
    );
  };
  const answer = (body: unknown) => {
    const { size, aggs, query, docvalue_fields } = Search.parse(body);
    const all = found(query);
    const failures = [
      { shard: 0, index: 'logs-app', reason: { type: 'node_not_connected', reason: 'node left' } },
    ];
    return {
      took: 3,
      timed_out: false,
      _shards: {
        total: 5,
        successful: 5 - failedShards,
        skipped: 0,
        failed: failedShards,
        ...(failedShards > 0 && { failures }),
      },
      hits: {
        total: { value: all.length, relation: 'eq' },
        max_score: null,
        hits: all.slice(0, size).map(({ at, service, instance, level, message, traceId }) => ({
          _index: 'logs-app',
          _id: `${at}`,
          _source: {
            '@timestamp': new Date(at).toISOString(),
            message,
            service: { name: service },
            ...(level && { log: { level } }),
            ...(instance && { kubernetes: { pod: { name: instance } } }),
            ...(traceId && { 'trace.id': traceId }),
          },
          fields: Object.fromEntries((docvalue_fields ?? []).map(({ field }) => [field, [String(at)]])),
          sort: [at],
        })),
      },
      ...(aggs && {
        aggregations: {
          services: {
            doc_count_error_upper_bound: 0,
            sum_other_doc_count: 0,
            buckets: servicesOf(all).map((key) => ({ key, doc_count: 1 })),
          },
        },
      }),
      status: 200,
    };
  };
  return {
    '/': { answer: () => ({ name: 'node', cluster_name: 'logs', version, tagline: 'You Know, for Search' }) },
    '/logs-*/_field_caps': {
      parameters: ['fields', 'ignore_unavailable', 'allow_no_indices'],
      answer: () => ({
        indices: ['logs-app'],
        fields:
          lines.length === 0
            ? {}
            : {
                '@timestamp': caps('date', true),
                'service.name': caps('keyword', true),
                'log.level': caps('keyword', true),
                message: caps('match_only_text', false),
              },
      }),
    },
    '/_msearch': {
      method: 'POST',
      answer: ({ body, headers }) => {
        if (headers['content-type'] !== 'application/x-ndjson' || !body.endsWith('\n'))
          return new Refusal(400);
        const [head = '', search = '', ...more] = body.trimEnd().split('\n');
        z.strictObject({
          index: z.literal('logs-*'),
          ignore_unavailable: z.boolean(),
          allow_no_indices: z.boolean(),
        }).parse(JSON.parse(head));
        if (more.length > 0) return new Refusal(400);
        return { took: 3, responses: [answer(JSON.parse(search))] };
      },
    },
  };
}
