import { randomUUID } from 'node:crypto';
import { createRoute, z } from '@hono/zod-openapi';
import { answerQuestion } from '../../agent/answer.ts';
import { completeArtifact, referTo } from '../../investigation/artifacts.ts';
import { type QueryAnswer, QueryAnswer as QueryAnswerSchema, QueryBody } from '../../schema/query.ts';
import { createBudget } from '../../telemetry/budget.ts';
import { streamAnswer } from '../answer-stream.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ServiceApp } from '../env.ts';
import { invalid, notFound } from '../errors.ts';
import { failures, json } from './describe.ts';

const route = createRoute({
  method: 'post',
  path: '/query',
  summary: 'Ask the agent',
  request: { body: { content: json(QueryBody), required: true } },
  responses: {
    200: {
      description: 'The answer; with `stream`, server-sent events: `delta`, `artifact`, `done`',
      content: { ...json(QueryAnswerSchema), 'text/event-stream': { schema: z.string() } },
    },
    ...failures(404, 415),
  },
});

/** Contract 4.9. */
export function ask(app: ServiceApp, dependencies: Dependencies): void {
  app.openapi(route, async (c) => {
    const { question, conversation_id, stream } = c.req.valid('json');
    if (stream && !/\btext\/event-stream\b/iu.test(c.req.header('accept') ?? '')) {
      throw invalid('Streaming requires the header Accept: text/event-stream', {
        stream: 'requires Accept: text/event-stream',
      });
    }
    const answer = await answerIn(dependencies, c.get('organisation'), conversation_id, question);
    return stream ? streamAnswer(c, answer, dependencies) : c.json(answer, 200);
  });
}

/** Answers and stores the turn, before anything is sent. */
async function answerIn(
  { store, telemetry, limits, clock, closing, metrics }: Dependencies,
  organisation: string,
  conversation: string | undefined,
  question: string,
): Promise<QueryAnswer> {
  const history =
    conversation === undefined ? [] : await store.conversations.history(organisation, conversation);
  if (!history) throw notFound(`The conversation ${conversation}`);
  const now = clock.now();
  const context = { now, history, issues: store.briefs(organisation) };
  const budget = createBudget(limits, { clock, stop: closing });
  const found = await answerQuestion(question, context, telemetry, { id: randomUUID, budget })
    .catch((error: unknown) => {
      metrics.answered('failed');
      throw error;
    })
    .finally(() => {
      metrics.spent(budget.spent().requests, budget.spent().samples);
      budget.end();
    });
  metrics.answered('answered');
  const artifacts = found.artifacts.map((artifact) => completeArtifact(artifact, now));
  return await store.transaction(async (tx) => {
    await tx.artifacts.add(organisation, artifacts);
    const turn = { question, answer: found.answer };
    const conversation_id = await tx.conversations.add(organisation, conversation, turn, now);
    return { conversation_id, answer: found.answer, artifacts: artifacts.map(referTo) };
  });
}
