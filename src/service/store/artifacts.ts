import { Artifact } from '../schema/artifact.ts';
import type { Connection } from './database.ts';

export interface ArtifactStore {
  /** Keeps what an answer found. */
  add(organisation: string, artifacts: Artifact[]): void;
  /** Keeps what an investigation found, in place of what the same version found before; it goes with its issue. */
  replace(organisation: string, version: string, artifacts: Artifact[]): void;
  /** In the order of the ids, each once; ids that the organisation does not have are left out. */
  byIds(organisation: string, ids: string[]): Artifact[];
}

export function createArtifactStore(db: Connection): ArtifactStore {
  const insert = db.prepare<[string, string, string | null, string]>(
    'INSERT INTO artifacts (id, organisation, version, body) VALUES (?, ?, ?, ?)',
  );
  const clear = db.prepare<[string]>('DELETE FROM artifacts WHERE version = ?');
  const byId = db.prepare<[string, string], { body: string }>(
    'SELECT body FROM artifacts WHERE id = ? AND organisation = ?',
  );
  const replace = db.transaction((organisation: string, version: string | null, artifacts: Artifact[]) => {
    if (version !== null) clear.run(version);
    for (const artifact of artifacts) {
      insert.run(artifact.id, organisation, version, JSON.stringify(artifact));
    }
  });
  return {
    add: (organisation, artifacts) => replace.immediate(organisation, null, artifacts),
    replace: (organisation, version, artifacts) => replace.immediate(organisation, version, artifacts),
    byIds: (organisation, ids) =>
      [...new Set(ids)].flatMap((id) => {
        const row = byId.get(id, organisation);
        return row ? [Artifact.parse(JSON.parse(row.body))] : [];
      }),
  };
}
