import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { Budget } from './budget.ts';
import { askJson, createSourceClient, type SourceSettings } from './http.ts';
import {
  createLogSource,
  FAILURE_WORDS,
  fieldAmong,
  first,
  flattened,
  INSTANCE_FIELDS,
  LEVEL_FIELDS,
  type LogQuery,
  lineOf,
  MESSAGE_FIELDS,
  noServiceField,
  SERVICE_FIELDS,
  TRACE_FIELDS,
} from './logs.ts';
import { known, mapped, type Reading, unknown, type Window } from './model.ts';
import { type OpenSource, oncePerBudget } from './source.ts';

/** Where collectors write logs, if no index is configured. */
const USUAL_INDICES = 'logs-*,filebeat-*,fluent-bit-*,fluentd-*,logstash-*,vector-*';
const TIME_FIELDS = ['@timestamp', 'timestamp', 'time', 'ts'];
const READ_FIELDS = [
  ...SERVICE_FIELDS,
  ...LEVEL_FIELDS,
  ...MESSAGE_FIELDS,
  ...INSTANCE_FIELDS,
  ...TRACE_FIELDS,
  // What says of which copy of a system a line is, under whatever prefix.
  ...['cluster', 'region', 'environment', 'env', 'tenant', '*cluster.name', '*cloud.region', '*.environment'],
];
const MOST_SERVICES = 1_000;
/** What collectors and ECS map texts to, for exact comparison. */
const KEYWORD = '.keyword';

/** Log lines from Elasticsearch or OpenSearch, by the field names of ECS and of common collectors. */
export function createElasticsearchSource(
  { index = USUAL_INDICES, ...settings }: SourceSettings & { index?: string | undefined },
  { clock }: { clock: Clock },
): OpenSource {
  const address = { title: 'Elasticsearch', variable: 'ELASTICSEARCH', ...settings };
  const http = createSourceClient(address, clock);
  const source = { http, address };

  const fields = oncePerBudget(async (_key, budget): Promise<Reading<Fields>> => {
    const names = [...SERVICE_FIELDS, ...LEVEL_FIELDS, ...MESSAGE_FIELDS, ...TIME_FIELDS];
    const parameters = [
      ['fields', [...names, ...SERVICE_FIELDS.map((name) => `${name}${KEYWORD}`)].join(',')],
      ['ignore_unavailable', 'true'],
      ['allow_no_indices', 'true'],
    ] as const;
    const path = `/${encodeURIComponent(index)}/_field_caps`;
    const reading = await askJson(source, { path, parameters }, FieldCaps, budget);
    if (!reading.known) return reading;
    const types = new Map(
      Object.entries(reading.value.fields).map(([name, byType]) => [name, Object.entries(byType)] as const),
    );
    const having = (is: (type: string, caps: z.infer<typeof Caps>) => boolean) =>
      [...types].filter(([, all]) => all.some(([type, caps]) => is(type, caps))).map(([name]) => name);
    const message = fieldAmong(MESSAGE_FIELDS, types.keys());
    const exact = SERVICE_FIELDS.flatMap((name) => [name, `${name}${KEYWORD}`]);
    return known(
      {
        isEmpty: types.size === 0,
        time: fieldAmong(
          TIME_FIELDS,
          having((type) => type.startsWith('date')),
        ),
        service: fieldAmong(
          exact,
          having((_type, { aggregatable }) => aggregatable),
        ),
        level: fieldAmong(LEVEL_FIELDS, types.keys()),
        message,
        isMessageText: types.get(message ?? '')?.every(([type]) => type.endsWith('text')) ?? false,
      },
      reading.caveats,
    );
  });

  /** One search. Through Grafana, `_msearch` is all that may be posted. */
  const search = async (body: object, budget: Budget): Promise<Reading<z.infer<typeof Found>>> => {
    const head = { index, ignore_unavailable: true, allow_no_indices: true };
    const text = `${JSON.stringify(head)}\n${JSON.stringify(body)}\n`;
    const request = { path: '/_msearch', body: { type: 'application/x-ndjson', text } };
    const reading = await askJson(source, request, Responses, budget);
    if (!reading.known) return reading;
    const [found] = reading.value.responses;
    if (found === undefined)
      return unknown(
        [`${address.title} at ${http.base} did not answer a search.`, ...reading.caveats].join(' '),
      );
    if ('error' in found) {
      const { reason = 'no reason given', type = '' } = found.error;
      return unknown(
        `${address.title} at ${http.base} could not search (${type || found.status}): ${reason.slice(0, 300)}`,
      );
    }
    return known(found, [...reading.caveats, ...partsMissing(found)]);
  };

  const partsMissing = ({
    _shards: { failed, total, failures },
    timed_out,
  }: z.infer<typeof Found>): string[] => {
    const why = failures?.[0]?.reason?.reason ?? 'no reason given';
    return [
      ...(failed > 0
        ? [
            `${failed} of ${total} shards of ${address.title} failed (${why.slice(0, 200)}): some lines are missing.`,
          ]
        : []),
      ...(timed_out
        ? [`A search of ${address.title} took too long and was cut short: some lines are missing.`]
        : []),
    ];
  };

  const filterOf = ({ field, service, window, failuresOnly, text }: LogQuery, known_: Fields) => ({
    bool: {
      filter: [
        rangeOf(known_.time ?? '', window),
        service === null ? { exists: { field } } : { term: { [field]: service } },
        ...(failuresOnly ? [failuresIn(known_)] : []),
        ...(text === undefined ? [] : [{ multi_match: { query: text, type: 'phrase', lenient: true } }]),
      ],
    },
  });

  return createLogSource(address.title, {
    name: 'elasticsearch',
    http,
    clock,
    services: async (window, budget) => {
      const all = await fields('', budget);
      if (!all.known) return all;
      const { isEmpty, time, service: field } = all.value;
      if (isEmpty) return known({ field: null, services: [] }, [...all.caveats, noIndex(index)]);
      if (field === undefined || time === undefined)
        return unknown(
          field === undefined
            ? noServiceField(address.title, http.base)
            : `${address.title} at ${http.base} has no field of a time, such as @timestamp, in ${index}: check ${address.variable}_INDEX.`,
        );
      const reading = await search(
        {
          size: 0,
          query: rangeOf(time, window),
          aggs: { services: { terms: { field, size: MOST_SERVICES } } },
        },
        budget,
      );
      return mapped(reading, ({ aggregations }) => ({
        field,
        services: (aggregations?.services.buckets ?? []).map(({ key }) => String(key)),
      }));
    },
    count: async (query, budget) => {
      const all = await fields('', budget);
      if (!all.known) return all;
      const body = { size: 0, track_total_hits: true, query: filterOf(query, all.value) };
      return mapped(await search(body, budget), ({ hits }) => hits.total?.value ?? Number.POSITIVE_INFINITY);
    },
    read: async (query, budget) => {
      const all = await fields('', budget);
      if (!all.known) return all;
      const time = all.value.time ?? '';
      const body = {
        size: query.limit,
        query: filterOf(query, all.value),
        _source: READ_FIELDS,
        sort: [{ [time]: { order: 'desc' } }],
        // In milliseconds, whatever the field's own format.
        docvalue_fields: [{ field: time, format: 'epoch_millis' }],
      };
      return mapped(await search(body, budget), ({ hits }) =>
        hits.hits.flatMap(({ _source, fields: values }) => {
          const at = Number(values?.[time]?.[0]);
          const texts = flattened(_source ?? {});
          const text = first(texts, MESSAGE_FIELDS) ?? '';
          const service = texts[query.field.replace(/\.keyword$/u, '')] ?? query.service ?? 'unknown';
          const named = { ...texts, [query.field]: service };
          return Number.isFinite(at) ? [lineOf(Math.floor(at), text, named, query)] : [];
        }),
      );
    },
    version: async (budget) => {
      const reading = await askJson(source, { path: '/' }, Root, budget);
      if (!reading.known) return null;
      const { number, distribution } = reading.value.version;
      return `${distribution === 'opensearch' ? 'OpenSearch' : 'Elasticsearch'} ${number}`;
    },
  });
}

interface Fields {
  isEmpty: boolean;
  time: string | undefined;
  service: string | undefined;
  level: string | undefined;
  message: string | undefined;
  /** Whether its words are indexed. */
  isMessageText: boolean;
}

function noIndex(index: string): string {
  return `No index matches ${index}, or none has a known field: set ELASTICSEARCH_INDEX to where your logs are.`;
}

function rangeOf(time: string, { from, to }: Window): object {
  return { range: { [time]: { gte: Math.floor(from), lt: Math.floor(to), format: 'epoch_millis' } } };
}

/** Lines whose message has one of the words, or whose level is one. */
function failuresIn({ message, isMessageText, level }: Fields): object {
  const holding = (field: string) =>
    FAILURE_WORDS.map((word) => ({ wildcard: { [field]: { value: `*${word}*`, case_insensitive: true } } }));
  return {
    bool: {
      should: [
        ...(message === undefined
          ? []
          : isMessageText
            ? [{ match: { [message]: { query: FAILURE_WORDS.join(' '), operator: 'or' } } }]
            : holding(message)),
        ...(level === undefined ? [] : holding(level)),
      ],
      minimum_should_match: 1,
    },
  };
}

/** The parts that are read of its answers. */
const Caps = z.looseObject({ aggregatable: z.boolean() });
const FieldCaps = z.looseObject({ fields: z.record(z.string(), z.record(z.string(), Caps)) });

const Reason = z.looseObject({ type: z.string().optional(), reason: z.string().optional() });
const Found = z.object({
  timed_out: z.boolean().optional(),
  _shards: z.looseObject({
    total: z.number(),
    failed: z.number(),
    failures: z.array(z.looseObject({ reason: Reason.nullish() })).nullish(),
  }),
  hits: z.looseObject({
    total: z.looseObject({ value: z.number() }).nullish(),
    hits: z.array(
      z.looseObject({
        _source: z.record(z.string(), z.unknown()).nullish(),
        fields: z.record(z.string(), z.array(z.unknown())).nullish(),
      }),
    ),
  }),
  aggregations: z
    .looseObject({
      services: z.looseObject({
        buckets: z.array(z.looseObject({ key: z.union([z.string(), z.number()]) })),
      }),
    })
    .nullish(),
});
const Failed = z.looseObject({ error: Reason, status: z.number().optional() });
const Responses = z.looseObject({ responses: z.array(z.union([Failed, Found])) });
const Root = z.looseObject({
  version: z.looseObject({ number: z.string(), distribution: z.string().optional() }),
});
