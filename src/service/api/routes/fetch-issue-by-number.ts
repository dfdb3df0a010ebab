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
  app.openapi(route, async (c) => {
    const { number } = c.req.valid('param');
    const organisation = c.get('organisation');
    const found = await store.snapshot(async (tx) => {
      const row = await tx.issues.byNumber(organisation, number);
      if (!row) throw notFound(`Issue ${number}`);
      return await detail(tx, row);
    });
    return c.json(found, 200);
  });
}
