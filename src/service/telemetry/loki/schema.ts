import { z } from 'zod';

/** The parts that are read of Loki's answers. */
export const Values = z.looseObject({ data: z.array(z.string()).nullish() });

export const Stats = z.looseObject({ entries: z.number(), bytes: z.number() });

const Texts = z.record(z.string(), z.string());

/** A line has a third part if it carries structured metadata: a plain object, or one inside `structuredMetadata`. */
export const Streams = z.looseObject({
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

export const Metadata = z.union([
  z.looseObject({ structuredMetadata: Texts }).transform(({ structuredMetadata }) => structuredMetadata),
  Texts,
]);
