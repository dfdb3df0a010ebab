import { z } from '@hono/zod-openapi';

const Nanoseconds = z.string().regex(/^\d+$/);
const List = z.object({ values: z.array(z.unknown()) });

const KeyValue = z
  .object({
    key: z.string(),
    value: z.object({
      stringValue: z.string().optional(),
      boolValue: z.boolean().optional(),
      intValue: z.string().optional(),
      doubleValue: z.number().optional(),
      arrayValue: List.optional(),
      kvlistValue: List.optional(),
      bytesValue: z.string().optional(),
    }),
  })
  .openapi('KeyValue');

const Exemplar = z
  .object({
    filteredAttributes: z.array(KeyValue),
    timeUnixNano: Nanoseconds,
    asDouble: z.number().optional(),
    asInt: z.string().optional(),
    spanId: z.string(),
    traceId: z.string(),
  })
  .openapi('Exemplar');

const DataPoint = z
  .object({
    attributes: z.array(KeyValue),
    startTimeUnixNano: Nanoseconds,
    timeUnixNano: Nanoseconds,
    asDouble: z.number().optional(),
    asInt: z.string().optional(),
    exemplars: z.array(Exemplar).default([]),
    flags: z.int(),
  })
  .openapi('DataPoint');

/** Contract 2.8: the `data` of a metric, in OpenTelemetry's JSON form; a value is a double or an integer. */
export const MetricData = z
  .object({
    metricType: z.string(),
    name: z.string(),
    description: z.string(),
    unit: z.string(),
    dataPoints: z.array(DataPoint),
  })
  .openapi('MetricData');
