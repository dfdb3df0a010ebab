import { z } from '@hono/zod-openapi';
import { MetricData } from './metric.ts';
import { Timestamp } from './primitives.ts';

const common = {
  id: z.string(),
  provider: z.string(),
  providerUrl: z.string(),
  summary: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

/** Contract 2.8; the shape of `data` depends on `type`, and the contract defines it for `metric`. */
export const Artifact = z
  .discriminatedUnion('type', [
    z.object({ ...common, type: z.literal('metric'), data: MetricData }),
    z.object({
      ...common,
      type: z.enum(['logs', 'trace', 'change']),
      data: z.record(z.string(), z.unknown()),
    }),
  ])
  .openapi('Artifact');
export type Artifact = z.infer<typeof Artifact>;

/** Contract 4.8: `id`, once per artifact, at most 100. */
export const ArtifactsQuery = z.object({
  id: z
    .union([z.string().transform((id) => [id]), z.array(z.string())])
    .refine((ids) => ids.length <= 100, { error: 'at most 100 ids' })
    .default([])
    .openapi({ type: 'array', items: { type: 'string' }, maxItems: 100 }),
});
