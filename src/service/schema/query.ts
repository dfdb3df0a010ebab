import { z } from '@hono/zod-openapi';

/** Contract 4.9. */
export const QueryBody = z
  .object({
    question: z.string().min(1),
    conversation_id: z.uuid().toLowerCase().optional(),
    stream: z.boolean().default(false),
  })
  .openapi('QueryBody');

const QueryArtifact = z.object({
  id: z.string(),
  tool_name: z.string(),
  data_type: z.string(),
  provider: z.string(),
  summary: z.string(),
});
export type QueryArtifact = z.infer<typeof QueryArtifact>;

/** Contract 2.9. */
export const QueryAnswer = z
  .object({ conversation_id: z.uuid(), answer: z.string(), artifacts: z.array(QueryArtifact) })
  .openapi('QueryAnswer');
export type QueryAnswer = z.infer<typeof QueryAnswer>;
