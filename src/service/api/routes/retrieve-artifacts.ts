import { createRoute, z } from '@hono/zod-openapi';
import { Artifact, ArtifactsQuery } from '../../schema/artifact.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ServiceApp } from '../env.ts';
import { failures, json } from './describe.ts';

const route = createRoute({
  method: 'get',
  path: '/artifacts',
  summary: 'Retrieve artifacts by id',
  request: { query: ArtifactsQuery },
  responses: {
    200: { description: 'The artifacts that exist', content: json(z.array(Artifact)) },
    ...failures(),
  },
});

/** Contract 4.8. Unknown ids are left out. */
export function retrieveArtifacts(app: ServiceApp, { store }: Dependencies): void {
  app.openapi(route, async (c) =>
    c.json(await store.artifacts.byIds(c.get('organisation'), c.req.valid('query').id), 200),
  );
}
