import { createRoute } from '@hono/zod-openapi';
import { IssueList, ListIssuesQuery } from '../../schema/issue.ts';
import type { Start } from '../../store/listing.ts';
import type { Aggregates } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ServiceApp } from '../env.ts';
import { invalid } from '../errors.ts';
import { summaryOf } from '../responses.ts';
import { failures, json } from './describe.ts';

const route = createRoute({
  method: 'get',
  path: '/issues',
  summary: 'List issues, newest first',
  request: { query: ListIssuesQuery },
  responses: { 200: { description: 'A page of issues', content: json(IssueList) }, ...failures() },
});

/** Contract 4.1. */
export function listIssues(app: ServiceApp, { store }: Dependencies): void {
  app.openapi(route, async (c) => {
    const { limit = 10, startingAfter, endingBefore, ...filter } = c.req.valid('query');
    const organisation = c.get('organisation');
    const page = await store.snapshot(async (tx) => {
      const start = await startOf(tx, organisation, startingAfter, endingBefore);
      return await tx.list(organisation, filter, start, limit);
    });
    const first = page.issues.at(0);
    const last = page.issues.at(-1);
    return c.json(
      {
        object: 'list' as const,
        data: page.issues.map(summaryOf),
        has_more: startingAfter === undefined && endingBefore !== undefined ? page.newer : page.older,
        ...(page.older && last && { after: last.uuid }),
        ...(page.newer && first && { before: first.uuid }),
      },
      200,
    );
  });
}

async function startOf(
  store: Aggregates,
  organisation: string,
  after?: string,
  before?: string,
): Promise<Start> {
  if (after !== undefined) return { after: await placeOf(store, organisation, 'startingAfter', after) };
  if (before !== undefined) return { before: await placeOf(store, organisation, 'endingBefore', before) };
  return null;
}

async function placeOf(
  store: Aggregates,
  organisation: string,
  field: string,
  cursor: string,
): Promise<number> {
  const row = await store.issues.byId(organisation, cursor);
  if (!row)
    throw invalid(`${field} does not match any issue; it may have been deleted`, {
      [field]: 'does not match any issue',
    });
  return row.id;
}
