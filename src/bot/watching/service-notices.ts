import type { ServiceHealth } from '../../contract/client/guard.ts';
import type { Organization } from '../../lib/issue-number.ts';
import type { Blocker } from '../store/blockers.ts';

/** A service restart, or a single rejected call, is over within this time. */
const NOTICE_DELAY_MS = 60_000;
/** What Gumshoe does on its own: a key without permission to delete may be intended, and is no trouble. */
const NEEDED = [
  'issues.create',
  'issues.page',
  'issues.get',
  'issues.results',
  'issues.update',
  'query.stream',
];
/** Each organisation's key is tracked separately: `service:key`, `private_service:key`. */
const PREFIXES: Record<Organization, string> = { default: 'service:', private: 'private_service:' };
const RIGHT = 'right:';
/** There are issues of the private organisation, but no key for it. */
export const MISSING_KEY = `${PREFIXES.private}missing_key`;

/** A trouble with the service: `key`, `right:<operation>` or `down`, and which organisation's key it concerns. */
interface ServiceTrouble {
  organization: Organization;
  kind: string;
}

/** `null` if a stored trouble is not about the service. */
export function serviceTroubleOf(name: string): ServiceTrouble | null {
  const organization = name.startsWith(PREFIXES.private) ? 'private' : 'default';
  const prefix = PREFIXES[organization];
  return name.startsWith(prefix) ? { organization, kind: name.slice(prefix.length) } : null;
}

/** The operation that the key has no permission for; `null` for other troubles. */
export function rightOf(name: string): string | null {
  const kind = serviceTroubleOf(name)?.kind ?? '';
  return kind.startsWith(RIGHT) ? kind.slice(RIGHT.length) : null;
}

/** Whether the key itself is rejected. */
export function isOfKey(name: string): boolean {
  return serviceTroubleOf(name)?.kind === 'key';
}

/** The current troubles with the service. */
export function wrong(
  { key, refused, filing, reading }: ServiceHealth,
  now: number,
  organization: Organization = 'default',
): Blocker[] {
  const prefix = PREFIXES[organization];
  // Nothing is sent while the key is rejected, so everything else that is known is out of date.
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
 * Whether a trouble is over: only a successful call in this process proves it.
 *
 * @param waits whether alerts are queued for the service; it is then back when it accepts one
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
