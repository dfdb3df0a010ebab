import { z } from 'zod';
import { Artifact } from '../../schema/artifact.ts';
import type { Http } from '../http.ts';

/** Evidence by id. */
export interface Artifacts {
  /**
   * Contract 4.8. Any number of ids: asked for in batches of 100, each once. The artifacts come in the order of
   * the ids; one that the service does not know is missing. Rejects with a `ServiceError`.
   */
  get(ids: readonly string[], signal?: AbortSignal): Promise<Artifact[]>;
}

const BATCH = 100;

export function createArtifacts(http: Http): Artifacts {
  return {
    async get(ids, signal) {
      const wanted = [...new Set(ids)].filter((id) => id !== '');
      const found = new Map<string, Artifact>();
      for (let start = 0; start < wanted.length; start += BATCH) {
        const query = wanted.slice(start, start + BATCH).map((id) => ['id', id] as const);
        const batch = await http.json(
          { operation: 'artifacts.get', method: 'GET', path: '/artifacts', query, signal },
          z.array(Artifact),
        );
        for (const artifact of batch) if (artifact.id !== undefined) found.set(artifact.id, artifact);
      }
      return wanted.map((id) => found.get(id)).filter((artifact) => artifact !== undefined);
    },
  };
}
