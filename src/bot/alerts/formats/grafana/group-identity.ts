import { fingerprintOf } from '../../fingerprint.ts';

/** The UID of a rule in the address of its page. */
export function ruleUidIn(link: string): string | null {
  return /\/alerting\/(?:grafana\/)?([\w-]+)\/(?:view|edit)/u.exec(link)?.[1] ?? null;
}

/**
 * The identity of a message of Grafana's unified alerting: its rule, if all of its pages are of the same one, and the
 * labels (`name=value`) that all of its alerts share; the name where they share none.
 */
export function groupFingerprint(links: readonly string[], shared: readonly string[], name: string): string {
  const uids = new Set(links.flatMap((link) => ruleUidIn(link) ?? []));
  const rest = shared.length > 0 ? shared.toSorted().join('\n') : name;
  return fingerprintOf('grafana', 'unified', uids.size === 1 ? [...uids].join() : '', rest);
}
