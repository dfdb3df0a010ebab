import { createRoute } from '@hono/zod-openapi';
import { nothingYet } from '../../investigation/stages.ts';
import { IssuePath, VersionQuery } from '../../schema/primitives.ts';
import { Findings, Results } from '../../schema/results.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ServiceApp } from '../env.ts';
import { failures, json } from './describe.ts';
import { issueOf, versionOf } from './issue-of.ts';

const route = createRoute({
  method: 'get',
  path: '/issues/{id}/results',
  summary: 'Fetch what an investigation has found so far',
  request: { params: IssuePath, query: VersionQuery },
  responses: { 200: { description: 'The findings', content: json(Results) }, ...failures(404) },
});

/** Contract 4.6. */
export function fetchResults(app: ServiceApp, { store }: Dependencies): void {
  app.openapi(route, async (c) => {
    const row = await issueOf(store, c.get('organisation'), c.req.valid('param').id);
    const version = await versionOf(store, row, c.req.valid('query').version);
    const findings =
      version.findings === null ? nothingYet(version.uuid) : Findings.parse(JSON.parse(version.findings));
    return c.json({ sessionUuid: version.sessionUuid, ...findings }, 200);
  });
}
