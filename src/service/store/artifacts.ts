import { Artifact } from '../../contract/schema.ts';
import type { Database } from './database.ts';

export interface ArtifactStore {
  add(organization: string, artifacts: Artifact[], now: number): Promise<void>;
  /** Stores what an investigation found, replacing earlier artifacts of the version; deleted with its issue. */
  replace(organization: string, version: string, artifacts: Artifact[], now: number): Promise<void>;
  /** In the order of the ids, each once; leaves out ids that the organization does not have. */
  byIds(organization: string, ids: string[]): Promise<Artifact[]>;
}

export function createArtifactStore(db: Database): ArtifactStore {
  const replace = (organization: string, version: string | null, artifacts: Artifact[], addedAt: number) =>
    db.transaction(async ({ query }) => {
      if (version !== null) await query.deleteFrom('artifacts').where('version', '=', version).execute();
      for (const artifact of artifacts) {
        const body = JSON.stringify(artifact);
        await query
          .insertInto('artifacts')
          .values({ id: artifact.id, organization, version, body, addedAt })
          .execute();
      }
    });
  return {
    add: (organization, artifacts, now) => replace(organization, null, artifacts, now),
    replace,
    byIds: async (organization, ids) => {
      // An empty list is invalid SQL.
      if (ids.length === 0) return [];
      const rows = await db.query
        .selectFrom('artifacts')
        .select(['id', 'body'])
        .where('id', 'in', ids)
        .where('organization', '=', organization)
        .execute();
      const bodies = new Map(rows.map(({ id, body }) => [id, body]));
      return [...new Set(ids)].flatMap((id) => {
        const body = bodies.get(id);
        return body === undefined ? [] : [Artifact.parse(JSON.parse(body))];
      });
    },
  };
}
