import { z } from 'zod';

/** Contract 4.9: the body of a question; the client sets `stream` itself. */
export const QueryRequest = z.object({
  question: z.string().min(1),
  conversation_id: z.string().optional(),
  stream: z.boolean().optional(),
});
export type QueryRequest = z.infer<typeof QueryRequest>;

/** Contract 2.9: something that the agent found on the way to its answer. */
export const QueryArtifact = z.looseObject({
  id: z.string().optional(),
  tool_name: z.string().optional(),
  data_type: z.string().optional(),
  provider: z.string().optional(),
  summary: z.string().optional(),
});
export type QueryArtifact = z.infer<typeof QueryArtifact>;

/** Contract 2.9: an answer; `conversation_id` goes into the next question of the same conversation. */
export const QueryResponse = z.looseObject({
  conversation_id: z.string().optional(),
  answer: z.string().optional(),
  artifacts: z.array(QueryArtifact).optional(),
});
export type QueryResponse = z.infer<typeof QueryResponse>;
