import { z } from 'zod';

/** The parts that are read of the answers of Jaeger's query service. Times are in microseconds. */
export const Services = z.looseObject({ data: z.array(z.string()).nullish() });

export const Dependencies = z.looseObject({
  data: z.array(z.looseObject({ parent: z.string(), child: z.string() })).nullish(),
});

const Tags = z.array(z.looseObject({ key: z.string(), value: z.unknown() })).nullish();

export const Traces = z.looseObject({
  data: z
    .array(
      z.looseObject({
        traceID: z.string(),
        spans: z.array(
          z.looseObject({
            spanID: z.string(),
            operationName: z.string(),
            references: z.array(z.looseObject({ refType: z.string(), spanID: z.string() })).nullish(),
            startTime: z.number(),
            duration: z.number(),
            tags: Tags,
            logs: z.array(z.looseObject({ fields: Tags })).nullish(),
            processID: z.string(),
          }),
        ),
        processes: z.record(z.string(), z.looseObject({ serviceName: z.string() })),
      }),
    )
    .nullish(),
});
