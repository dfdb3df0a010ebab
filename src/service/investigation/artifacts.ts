import { Artifact, type QueryArtifact } from '../../contract/schema.ts';
import type { NewArtifact } from './types.ts';

/** Fills in the artifact fields (contract 2.8) that a finder may omit; `now` in milliseconds. */
export function completeArtifact(found: NewArtifact, now: number): Artifact {
  const at = new Date(now).toISOString();
  return Artifact.parse({ providerUrl: '', createdAt: at, updatedAt: at, ...found });
}

/** An answer's reference to an artifact (contract, 2.9). */
export function referTo({ id, type, provider, summary }: Artifact): QueryArtifact {
  return { id, tool_name: `fetch_${type}`, data_type: type, provider, summary };
}
