import { z } from 'zod';
import type { LogLine } from '../model.ts';
import { Metadata, type Streams } from './schema.ts';

type Labels = Readonly<Record<string, string>>;

const LEVELS = ['detected_level', 'level', 'severity', 'severity_text', 'lvl'];
const INSTANCES = ['pod', 'k8s_pod_name', 'pod_name', 'service_instance_id', 'instance', 'host', 'hostname'];
const TRACES = ['trace_id', 'traceID', 'traceId', 'traceid'];
const MESSAGES = ['message', 'msg', 'body', 'log', 'error'];

const JsonLine = z.record(z.string(), z.unknown());

/** The lines of a result, in the order of its streams. */
export function linesIn(
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
