import { createRoute, z } from '@hono/zod-openapi';
import { IssueDetail } from '../../schema/issue.ts';
import { integerParameter } from '../../schema/primitives.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ServiceApp } from '../env.ts';
import { notFound } from '../errors.ts';
import { failures, json } from './describe.ts';
import { detail } from './issue-of.ts';

const route = createRoute({
  method: 'get',
  path: '/issues/by_number/{number}',
  summary: 'Fetch an issue by its number in the organisation',
  request: { params: z.object({ number: integerParameter(Number.MAX_SAFE_INTEGER) }) },
  responses: { 200: { description: 'The issue', content: json(IssueDetail) }, ...failures(404) },
});

/** Contract 4.5. */
export function fetchIssueByNumber(app: ServiceApp, { store }: Dependencies): void {
  app.openapi(route, (c) => {
    const { number } = c.req.valid('param');
    const row = store.issues.byNumber(c.get('organisation'), number);
    if (!row) throw notFound(`Issue ${number}`);
    return c.json(detail(store, row), 200);
  });
}
