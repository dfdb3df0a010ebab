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

/** Contract 4.4. What an issue is does not depend on the version; one that it does not have is a 404. */
export function fetchIssue(app: ServiceApp, { store }: Dependencies): void {
  app.openapi(route, (c) => {
    const row = issueOf(store, c.get('organisation'), c.req.valid('param').id);
    versionOf(store, row, c.req.valid('query').version);
    return c.json(detail(store, row), 200);
  });
}
