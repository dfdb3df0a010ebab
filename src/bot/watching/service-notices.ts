import type { ServiceHealth } from '../../contract/client/health.ts';
import type { Organization } from '../../lib/issue-number.ts';
import type { Blocker } from '../store/blockers.ts';

/** A service that is restarted, and one call that is refused, pass within that. */
const NOTICE_DELAY_MS = 60_000;
/** What Gumshoe does of its own: a key that may not delete is somebody's wish, and no trouble. */
const NEEDED = [
  'issues.create',
  'issues.page',
  'issues.get',
  'issues.results',
  'issues.update',
  'query.stream',
];
/** Each organisation's key is a service of its own: `service:key`, `private_service:key`. */
const PREFIXES: Record<Organization, string> = { default: 'service:', private: 'private_service:' };
const RIGHT = 'right:';
/** There are issues of the private organisation, and no key for it. */
export const MISSING_KEY = `${PREFIXES.private}missing_key`;

/** What a trouble of the service is: `key`, `right:<operation>` or `down`, and of which organisation's key. */
interface ServiceTrouble {
  organization: Organization;
  kind: string;
}

/** `null` where a trouble of the store is none of the service's. */
export function serviceTroubleOf(name: string): ServiceTrouble | null {
  const organization = name.startsWith(PREFIXES.private) ? 'private' : 'default';
  const prefix = PREFIXES[organization];
  return name.startsWith(prefix) ? { organization, kind: name.slice(prefix.length) } : null;
}

/** The operation that the key has no right to; `null` where a trouble is another one. */
export function rightOf(name: string): string | null {
  const kind = serviceTroubleOf(name)?.kind ?? '';
  return kind.startsWith(RIGHT) ? kind.slice(RIGHT.length) : null;
}

/** Whether the key itself is refused. */
export function isOfKey(name: string): boolean {
  return serviceTroubleOf(name)?.kind === 'key';
}

/** What is wrong with the service, as troubles of the store. */
export function wrong(
  { key, refused, filing, reading }: ServiceHealth,
  now: number,
  organization: Organization = 'default',
): Blocker[] {
  const prefix = PREFIXES[organization];
  // Nothing is sent while the key is refused, so all else that is known is old.
  if (key !== null)
    return [{ name: `${prefix}key`, reason: String(key.status), since: key.since, detail: '' }];
  const lasts = (since: number) => since <= now - NOTICE_DELAY_MS;
  const rights = [...refused]
    .filter(([operation, since]) => NEEDED.includes(operation) && lasts(since))
    .map(([operation, since]) => ({
      name: prefix + RIGHT + operation,
      reason: 'refused',
      since,
      detail: '',
    }));
  const failing = [filing, reading]
    .filter((one) => one !== null)
    .filter(({ since }) => lasts(since))
    .sort((a, b) => a.since - b.since);
  const down = failing
    .slice(0, 1)
    .map(({ reason, since }) => ({ name: `${prefix}down`, reason, since, detail: '' }));
  return [...rights, ...down];
}

/**
 * Whether a trouble is over: only a call that succeeded in this process proves it.
 *
 * @param waits alerts wait for the service: then it is back when it takes one
 */
export function mended(name: string, health: ServiceHealth, waits: boolean): boolean {
  const { key, working, filing, reading } = health;
  if (key !== null || working.size === 0) return false;
  if (isOfKey(name)) return true;
  const right = rightOf(name);
  if (right !== null) return working.has(right);
  if (filing !== null || reading !== null) return false;
  return !waits || working.has('issues.create');
}
