import { z } from '@hono/zod-openapi';
import { Timestamp } from './primitives.ts';

/** Contract 2.8; the shape of `data` depends on `type`. */
export const Artifact = z
  .object({
    id: z.string(),
    provider: z.string(),
    providerUrl: z.string(),
    summary: z.string(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    type: z.string(),
    data: z.record(z.string(), z.unknown()),
  })
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
