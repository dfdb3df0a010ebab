import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { Budget } from './budget.ts';
import { askJson, createSourceClient, type SourceSettings } from './http.ts';
import {
  anyCase,
  createLogSource,
  FAILURE_PATTERN,
  fieldAmong,
  first,
  LEVEL_FIELDS,
  type LogQuery,
  lineOf,
  MESSAGE_FIELDS,
  noServiceField,
  SERVICE_FIELDS,
} from './logs.ts';
import { known, type LogLine, mapped, type Reading, unknown, type Window } from './model.ts';
import type { Explore } from './prometheus/client.ts';
import { publicAddress } from './public-address.ts';
import { inExplore, pageOf } from './shown.ts';
import type { OpenSource } from './source.ts';

/** Log lines from VictoriaLogs. Services are named by a field of its streams, or else by another field. */
export function createVictoriaLogsSource(
  settings: SourceSettings,
  { clock, explore = null }: { clock: Clock; explore?: Explore | null },
): OpenSource {
  const address = { title: 'VictoriaLogs', variable: 'VICTORIALOGS', ...settings };
  const http = createSourceClient(address, clock);
  const source = { http, address };
  type Parameters = readonly (readonly [string, string])[];

  const values = async (path: string, window: Window, budget: Budget, more: Parameters = []) => {
    const parameters = [['query', '*'], ...between(window), ...more] as const;
    const reading = await askJson(source, { path: `/select/logsql/${path}`, parameters }, Values, budget);
    return mapped(reading, (found) => (found.values ?? []).map(({ value }) => value));
  };

  const open = explore?.datasource === undefined ? publicAddress(http.base, settings.publicUrl) : null;

  return createLogSource(address.title, {
    name: 'victorialogs',
    http,
    clock,
    services: async (window, budget) => {
      let kind = 'stream_field';
      let fields: Reading<string[]> = await values(`${kind}_names`, window, budget);
      if (fields.known && fieldAmong(SERVICE_FIELDS, fields.value) === undefined) {
        kind = 'field';
        fields = await values(`${kind}_names`, window, budget);
      }
      if (!fields.known) return fields;
      if (fields.value.length === 0) return known({ field: null, services: [] }, fields.caveats);
      const field = fieldAmong(SERVICE_FIELDS, fields.value);
      if (field === undefined) return unknown(noServiceField(address.title, http.base));
      const services = await values(`${kind}_values`, window, budget, [
        ['field', field],
        ['limit', MOST_SERVICES],
      ]);
      return mapped(services, (names) => ({ field, services: names }));
    },
    count: async (query, budget) => {
      const { from, to } = query.window;
      const step = `${Math.max(1, Math.ceil((to - from) / 1000))}s`;
      const parameters = [['query', expressionOf(query)], ...between(query.window), ['step', step]] as const;
      const reading = await askJson(source, { path: '/select/logsql/hits', parameters }, Hits, budget);
      return mapped(reading, ({ hits }) => (hits ?? []).reduce((sum, { total }) => sum + total, 0));
    },
    shown: (wanted) => {
      const query = expressionOf(wanted);
      const { from, to } = wanted.window;
      const asked = {
        query,
        'g0.range_input': `${Math.max(1, Math.round((to - from) / 1000))}s`,
        'g0.end_input': new Date(to).toISOString().slice(0, 19),
        'g0.relative_time': 'none',
      };
      return { query, url: inExplore(explore, { expr: query }, wanted.window) ?? pageOf(open, UI, asked) };
    },
    read: async (query, budget) => {
      const parameters = [
        ['query', expressionOf(query)],
        ...between(query.window),
        ['limit', String(query.limit)],
      ] as const;
      const request = { path: '/select/logsql/query', parameters, lines: true };
      const reading = await askJson(source, request, z.array(Line), budget);
      return mapped(reading, (lines) => lines.flatMap((line) => lineIn(line, query)));
    },
  });
}

const MOST_SERVICES = '1000';
const UI = '/select/vmui/#/';

/** Its end is exclusive, like ours. */
function between({ from, to }: Window): readonly (readonly [string, string])[] {
  return [
    ['start', new Date(Math.floor(from)).toISOString()],
    ['end', new Date(Math.floor(to)).toISOString()],
  ];
}

/** LogsQL. A field may be one of a stream or not: both can be compared. */
function expressionOf({ field, service, failuresOnly, text }: LogQuery): string {
  const whose = service === null ? `${nameOf(field)}:*` : `${nameOf(field)}:=${JSON.stringify(service)}`;
  if (text !== undefined) return `${whose} _msg:~${JSON.stringify(anyCase(text))}`;
  if (!failuresOnly) return whose;
  const failed = ['_msg', ...LEVEL_FIELDS].map(
    (name) => `${nameOf(name)}:~${JSON.stringify(FAILURE_PATTERN)}`,
  );
  return `${whose} (${failed.join(' or ')})`;
}

function nameOf(field: string): string {
  return /^[\w.]+$/u.test(field) ? field : JSON.stringify(field);
}

function lineIn(line: z.infer<typeof Line>, query: LogQuery): LogLine[] {
  const at = Date.parse(line._time);
  const text = first(line, ['_msg', ...MESSAGE_FIELDS]) ?? '';
  return Number.isNaN(at) ? [] : [lineOf(at, text, line, query)];
}

/** The parts that are read of its answers. All values of a line are texts. */
const Values = z.looseObject({ values: z.array(z.looseObject({ value: z.string() })).nullish() });
const Hits = z.looseObject({ hits: z.array(z.looseObject({ total: z.number() })).nullish() });
const Line = z.object({ _time: z.string() }).catchall(z.string());
