import { z } from 'zod';

/** `system.json`: what was recorded, and a description of its metrics. */
export const SystemFile = z.looseObject({
  name: z.string(),
  description: z.string().default(''),
  step: z.number().positive().default(60),
  metrics: z
    .record(z.string(), z.looseObject({ unit: z.string().default(''), kind: z.string().default('') }))
    .default({}),
});

/** `cases.json`: alerts as a monitoring tool sends them. */
export const CasesFile = z.array(
  z.looseObject({
    id: z.string(),
    triggeredAt: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
    service: z.string().nullish().default(null),
    title: z.string().default(''),
    description: z.string().default(''),
  }),
);

export type RecordedCase = z.infer<typeof CasesFile>[number];

const seconds = z.union([
  z.number(),
  z.iso.datetime({ offset: true }).transform((text) => Date.parse(text) / 1000),
]);

export const LogRow = z.object({
  time: seconds,
  service: z.string(),
  instance: z.string().nullish(),
  level: z.string().nullish(),
  message: z.string(),
  traceId: z.string().nullish(),
});

export const SpanRow = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().nullish(),
  service: z.string(),
  operation: z.string(),
  start: seconds,
  durationSeconds: z.number(),
  error: z.boolean().nullish(),
  message: z.string().nullish(),
});

export const CommitRow = z.object({
  time: seconds,
  ref: z.string(),
  author: z.string().nullish(),
  title: z.string(),
  files: z.array(z.string()).nullish(),
  diff: z.string().nullish(),
});
