import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';

/** At the end of the description of every issue that we file. */
const REFERENCE = /Reference: gumshoe-([\w-]{1,64})\s*$/u;

/**
 * Our record of an issue that the service names: by its uuid, or by its reference where the record does not have
 * the uuid yet; `null` for one that was filed elsewhere.
 */
export async function ourIssue(
  { uuid, description }: { uuid: string; description?: string | undefined },
  { store }: { store: Store },
): Promise<Issue | null> {
  const known = await store.issues.byUuid(uuid);
  const reference = REFERENCE.exec(description ?? '')?.[1];
  return known ?? (reference === undefined ? null : store.issues.get(reference));
}
