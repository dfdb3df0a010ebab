import { z } from 'zod';
import type { PageFaults, PageStage } from '../../page-stage.ts';

const pageFaults = z.object({
  latencyMs: z.number(),
  rateLimited: z.number(),
  serverErrors: z.number(),
  resetsBefore: z.number(),
  resetsAfter: z.number(),
  methods: z.array(z.string()),
  twins: z.boolean(),
  shuffleMs: z.number(),
  token: z.string().nullable(),
  withheldScopes: z.array(z.string()),
}) satisfies z.ZodType<PageFaults>;

/** Answer of `GET /page-api/stage`, and what its event tells. */
export const pageStage = z.object({
  scenarios: z.array(z.object({ name: z.string(), title: z.string(), about: z.string() })),
  tools: z.array(z.object({ id: z.string(), name: z.string(), recovers: z.boolean() })),
  shop: z
    .object({
      faults: z.array(z.object({ kind: z.string(), title: z.string(), services: z.array(z.string()) })),
      broken: z.array(z.object({ kind: z.string(), service: z.string(), since: z.number() })),
    })
    .nullable(),
  service: z.object({ down: z.boolean() }).nullable(),
  bot: z.object({ state: z.enum(['running', 'starting', 'stopping', 'down']) }).nullable(),
  faults: pageFaults,
}) satisfies z.ZodType<PageStage>;
