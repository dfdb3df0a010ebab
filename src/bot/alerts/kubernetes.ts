/** The letters and digits of Kubernetes' generated names: no vowels, nothing that looks like another. */
const GENERATED = /^[bcdfghjklmnpqrstvwxz2456789]{4,10}$/u;

/**
 * The workload that a pod's name begins with: without the generated hash of its replica set and its own
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

/** A sentence whose words are pods and others, with each pod as its workload. */
export function withoutHashes(text: string): string {
  return text.replace(/[a-z\d][a-z\d.-]{2,252}/gu, (word) => workloadOf(word));
}

// A word of ordinary language has no digit in it.
function isHash(part: string): boolean {
  return GENERATED.test(part) && /\d/u.test(part);
}
