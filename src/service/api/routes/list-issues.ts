import { createRoute } from '@hono/zod-openapi';
import { IssueList, ListIssuesQuery } from '../../schema/issue.ts';
import type { Start } from '../../store/listing.ts';
import type { Store } from '../../store/store.ts';
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
  app.openapi(route, (c) => {
    const { limit = 10, startingAfter, endingBefore, ...filter } = c.req.valid('query');
    const organisation = c.get('organisation');
    const start = startOf(store, organisation, startingAfter, endingBefore);
    const page = store.list(organisation, filter, start, limit);
    const first = page.issues.at(0);
    const last = page.issues.at(-1);
    return c.json(
      {
        object: 'list' as const,
        data: page.issues.map(summaryOf),
        has_more: start !== null && 'before' in start ? page.newer : page.older,
        ...(page.older && last && { after: last.uuid }),
        ...(page.newer && first && { before: first.uuid }),
      },
      200,
    );
  });
}

function startOf(store: Store, organisation: string, after?: string, before?: string): Start {
  if (after !== undefined) return { after: placeOf(store, organisation, 'startingAfter', after) };
  if (before !== undefined) return { before: placeOf(store, organisation, 'endingBefore', before) };
  return null;
}

function placeOf(store: Store, organisation: string, field: string, cursor: string): number {
  const row = store.issues.byId(organisation, cursor);
  if (!row)
    throw invalid(`${field} does not match any issue; it may have been deleted`, {
      [field]: 'does not match any issue',
    });
  return row.id;
}
