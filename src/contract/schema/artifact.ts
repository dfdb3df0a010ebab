import { z } from 'zod';
import { openEnum, Timestamp } from './primitives.ts';

const List = z.looseObject({ values: z.array(z.unknown()).optional() });

/** Contract 2.8: an attribute, in OpenTelemetry's JSON form; 64-bit integers are strings. */
export const KeyValue = z.looseObject({
  key: z.string().optional(),
  value: z
    .looseObject({
      stringValue: z.string().optional(),
      boolValue: z.boolean().optional(),
      intValue: z.string().optional(),
      doubleValue: z.number().optional(),
      arrayValue: List.optional(),
      kvlistValue: List.optional(),
      bytesValue: z.string().optional(),
    })
    .optional(),
});
export type KeyValue = z.infer<typeof KeyValue>;

/** Contract 2.8: a sample that names its trace. */
export const Exemplar = z.looseObject({
  filteredAttributes: z.array(KeyValue).optional(),
  timeUnixNano: z.string().optional(),
  asDouble: z.number().optional(),
  asInt: z.string().optional(),
  spanId: z.string().optional(),
  traceId: z.string().optional(),
});
export type Exemplar = z.infer<typeof Exemplar>;

/** Contract 2.8: one value; times are nanoseconds since the epoch, as strings. */
export const DataPoint = z.looseObject({
  attributes: z.array(KeyValue).optional(),
  startTimeUnixNano: z.string().optional(),
  timeUnixNano: z.string().optional(),
  asDouble: z.number().optional(),
  asInt: z.string().optional(),
  exemplars: z.array(Exemplar).optional(),
  flags: z.number().optional(),
});
export type DataPoint = z.infer<typeof DataPoint>;

/** Contract 2.8: the `data` of an artifact whose `type` is `metric`. */
export const MetricData = z.looseObject({
  metricType: z.string().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  unit: z.string().optional(),
  dataPoints: z.array(DataPoint).optional(),
});
export type MetricData = z.infer<typeof MetricData>;

/** Contract 2.8. The shape of `data` depends on `type`; only that of `metric` is known (`MetricData`). */
export const Artifact = z.looseObject({
  id: z.string().optional(),
  provider: z.string().optional(),
  providerUrl: z.string().optional(),
  summary: z.string().optional(),
  createdAt: Timestamp.optional(),
  updatedAt: Timestamp.optional(),
  type: openEnum(['metric']).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
});
export type Artifact = z.infer<typeof Artifact>;
