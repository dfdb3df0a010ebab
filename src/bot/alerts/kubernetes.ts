/** The alphabet of Kubernetes' generated names: no vowels and no look-alikes. */
const GENERATED = /^[bcdfghjklmnpqrstvwxz2456789]{4,10}$/u;

/**
 * The workload of a pod: its name without the generated suffixes of the replica set and the pod
 * (`api-7d4b9c6f8d-xkzqp` and `api-7d9f` become `api`). A stateful set's number stays.
 */
export function workloadOf(pod: string): string {
  const parts = pod.split('-');
  const last = parts.at(-1) ?? '';
  const before = parts.at(-2) ?? '';
  if (parts.length > 2 && last.length === 5 && GENERATED.test(last) && isHash(before))
    return parts.slice(0, -2).join('-');
  return parts.length > 1 && isHash(last) ? parts.slice(0, -1).join('-') : pod;
}

/** Replaces each pod name in a text with its workload. */
export function withoutPodHashes(text: string): string {
  return text.replace(/[a-z\d][a-z\d.-]{2,252}/gu, (word) => workloadOf(word));
}

// An ordinary word has no digit.
function isHash(part: string): boolean {
  return GENERATED.test(part) && /\d/u.test(part);
}
