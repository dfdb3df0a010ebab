import { createRoute } from '@hono/zod-openapi';
import { IssuePath } from '../../schema/primitives.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ServiceApp } from '../env.ts';
import { notFound } from '../errors.ts';
import { failures } from './describe.ts';

const route = createRoute({
  method: 'delete',
  path: '/issues/{id}',
  summary: 'Delete an issue and everything that belongs to it',
  request: { params: IssuePath },
  responses: { 204: { description: 'Deleted' }, ...failures(404) },
});

/** Contract 4.7; also erases what conversations say about the issue. */
export function deleteIssue(app: ServiceApp, { store }: Dependencies): void {
  app.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const organisation = c.get('organisation');
    await store.transaction(async (tx) => {
      const number = await tx.issues.delete(organisation, id);
      if (number === undefined) throw notFound(`The issue ${id}`);
      await tx.conversations.forget(organisation, number);
    });
    return c.body(null, 204);
  });
}
