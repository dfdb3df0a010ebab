import { createRoute } from '@hono/zod-openapi';
import { CreateIssueBody, IssueCreated } from '../../schema/issue.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ServiceApp } from '../env.ts';
import { createdOf } from '../responses.ts';
import { failures, json } from './describe.ts';

const route = createRoute({
  method: 'post',
  path: '/issues',
  summary: 'Create an issue; its investigation begins',
  request: { body: { content: json(CreateIssueBody), required: true } },
  responses: { 201: { description: 'The new issue', content: json(IssueCreated) }, ...failures(415) },
});

/** Contract 4.2. */
export function createIssue(app: ServiceApp, { store, runner, clock }: Dependencies): void {
  app.openapi(route, async (c) => {
    const { triggeredAt, context = {}, ...body } = c.req.valid('json');
    const now = clock.now();
    const organisation = c.get('organisation');
    const issue = {
      ...body,
      number: await store.issues.takeNumber(organisation),
      context,
      triggeredAt: triggeredAt === undefined ? now : Date.parse(triggeredAt),
    };
    const { row, version } = await store.transaction(async (tx) => {
      const created = await tx.issues.create(organisation, issue, now);
      return { row: created, version: await tx.versions.start(created.uuid, now) };
    });
    runner.wake();
    return c.json(createdOf(row, version.version), 201);
  });
}
