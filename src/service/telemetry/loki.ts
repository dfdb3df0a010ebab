import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { askJson, createSourceClient, type SourceSettings } from './http.ts';
import {
  anyCase,
  createLogSource,
  FAILURE_PATTERN,
  fieldAmong,
  type LogQuery,
  lineOf,
  noServiceField,
  SERVICE_FIELDS,
} from './logs.ts';
import { known, type LogLine, mapped, unknown, type Window } from './model.ts';
import type { Explore } from './prometheus/client.ts';
import { publicAddress } from './public-address.ts';
import { inExplore, pageOf } from './shown.ts';
import type { OpenSource } from './source.ts';

const QUERY_RANGE = '/loki/api/v1/query_range';

export function createLokiSource(
  settings: SourceSettings,
  { clock, explore = null }: { clock: Clock; explore?: Explore | null },
): OpenSource {
  const address = { title: 'Loki', variable: 'LOKI', ...settings };
  const http = createSourceClient(address, clock);
  const source = { http, address };
  const selectorOf = (field: string, service: string | null) =>
    `{${field}${service === null ? '=~".+"' : `=${JSON.stringify(service)}`}}`;

  const expressionOf = ({ field, service, failuresOnly, text }: LogQuery) =>
    [
      selectorOf(field, service),
      ...(failuresOnly ? [`|~ ${JSON.stringify(FAILURE_PATTERN)}`] : []),
      ...(text === undefined ? [] : [`|~ ${JSON.stringify(anyCase(text))}`]),
    ].join(' ');
  // It has no pages of its own.
  const open = settings.publicUrl === undefined ? null : publicAddress(http.base, settings.publicUrl);

  return createLogSource(address.title, {
    name: 'loki',
    http,
    clock,
    services: async (window, budget) => {
      const values = (path: string) =>
        askJson(source, { path: `/loki/api/v1/${path}`, parameters: between(window) }, Values, budget);
      const labels = await values('labels');
      if (!labels.known) return labels;
      const all = labels.value.data ?? [];
      if (all.length === 0) return known({ field: null, services: [] }, labels.caveats);
      const field = fieldAmong(SERVICE_FIELDS, all);
      if (field === undefined) return unknown(noServiceField(address.title, http.base));
      const services = await values(`label/${field}/values`);
      return mapped(services, ({ data }) => ({ field, services: data ?? [] }));
    },
    count: async ({ field, service, window }, budget) => {
      const parameters = [['query', selectorOf(field, service)], ...between(window)] as const;
      const reading = await askJson(source, { path: '/loki/api/v1/index/stats', parameters }, Stats, budget);
      return mapped(reading, ({ entries }) => entries);
    },
    shown: (wanted) => {
      const query = expressionOf(wanted);
      const asked = { query, ...Object.fromEntries(between(wanted.window)) };
      const url = inExplore(explore, { expr: query }, wanted.window) ?? pageOf(open, QUERY_RANGE, asked);
      return { query, url };
    },
    read: async (wanted, budget) => {
      const { field, service, window, limit } = wanted;
      const parameters = [
        ['query', expressionOf(wanted)],
        ...between(window),
        ['limit', String(limit)],
        ['direction', 'backward'],
      ] as const;
      const reading = await askJson(source, { path: QUERY_RANGE, parameters }, Streams, budget);
      return mapped(reading, (streams) => linesIn(streams, field, service));
    },
  });
}

/** Loki's end is exclusive, like ours. */
function between({ from, to }: Window): readonly (readonly [string, string])[] {
  return [
    ['start', `${Math.floor(from)}000000`],
    ['end', `${Math.floor(to)}000000`],
  ];
}

/** The lines of a result, in the order of its streams. */
function linesIn({ data }: z.infer<typeof Streams>, field: string, service: string | null): LogLine[] {
  return data.result.flatMap(({ stream, values }) =>
    values.flatMap(([nanoseconds, text, extra]) => {
      // Nanoseconds since the epoch do not fit in a number.
      if (!/^\d{7,}$/u.test(nanoseconds)) return [];
      const metadata = Metadata.safeParse(extra ?? {});
      const labels = { ...stream, ...(metadata.success ? metadata.data : {}) };
      return [lineOf(Number(nanoseconds.slice(0, -6)), text, labels, { field, service })];
    }),
  );
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
