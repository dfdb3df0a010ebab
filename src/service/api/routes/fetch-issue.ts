import { createRoute } from '@hono/zod-openapi';
import { IssueDetail } from '../../schema/issue.ts';
import { IssuePath, VersionQuery } from '../../schema/primitives.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ServiceApp } from '../env.ts';
import { failures, json } from './describe.ts';
import { detail, issueOf, versionOf } from './issue-of.ts';

const route = createRoute({
  method: 'get',
  path: '/issues/{id}',
  summary: 'Fetch an issue',
  request: { params: IssuePath, query: VersionQuery },
  responses: { 200: { description: 'The issue', content: json(IssueDetail) }, ...failures(404) },
});

/** Contract 4.4. An issue's fields do not depend on the version; an unknown version is a 404. */
export function fetchIssue(app: ServiceApp, { store }: Dependencies): void {
  app.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const { version } = c.req.valid('query');
    const organisation = c.get('organisation');
    const found = await store.snapshot(async (tx) => {
      const row = await issueOf(tx, organisation, id);
      await versionOf(tx, row, version);
      return await detail(tx, row);
    });
    return c.json(found, 200);
  });
}
