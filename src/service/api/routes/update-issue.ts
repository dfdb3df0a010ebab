import { createRoute } from '@hono/zod-openapi';
import { IssueDetail, UpdateIssueBody } from '../../schema/issue.ts';
import { IssuePath } from '../../schema/primitives.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ServiceApp } from '../env.ts';
import { notFound } from '../errors.ts';
import { failures, json } from './describe.ts';
import { detail, issueOf } from './issue-of.ts';

const route = createRoute({
  method: 'patch',
  path: '/issues/{id}',
  summary: 'Set the status of an issue; `investigating` begins its next version',
  request: { params: IssuePath, body: { content: json(UpdateIssueBody), required: true } },
  responses: {
    200: { description: 'The issue as it is now', content: json(IssueDetail) },
    ...failures(404, 415),
  },
});

/** Contract 4.3. A running investigation is not started twice. */
export function updateIssue(app: ServiceApp, { store, runner, clock }: Dependencies): void {
  app.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const { status } = c.req.valid('json');
    const organisation = c.get('organisation');
    const now = clock.now();
    const { begins, updated } = await store.transaction(async (tx) => {
      if (!(await tx.issues.lock(organisation, id))) throw notFound(`The issue ${id}`);
      const isNew =
        status === 'investigating' && (await tx.versions.find(id, undefined))?.status !== 'RUNNING';
      if (isNew) await tx.versions.start(id, now);
      else await tx.issues.setStatus(id, status, now);
      return { begins: isNew, updated: await detail(tx, await issueOf(tx, organisation, id)) };
    });
    if (begins) runner.wake();
    return c.json(updated, 200);
  });
}
