import type { Standing } from '../service/standing.ts';
import type { Trouble } from '../store/troubles.ts';

/** A service that is restarted, and one call that is refused, pass within that. */
const PATIENCE_MS = 60_000;
/** What Gumshoe does of its own: a key that may not delete is somebody's wish, and no trouble. */
const NEEDED = [
  'issues.create',
  'issues.page',
  'issues.get',
  'issues.results',
  'issues.update',
  'query.stream',
];
const RIGHT = 'service:right:';

/** Whether a trouble of the store is the service's. */
export function isOfService(name: string): boolean {
  return name.startsWith('service:');
}

/** The operation that the key has no right to; `null` where a trouble is another one. */
export function rightOf(name: string): string | null {
  return name.startsWith(RIGHT) ? name.slice(RIGHT.length) : null;
}

/** What is wrong with the service, as troubles of the store. */
export function wrong({ key, refused, filing, reading }: Standing, now: number): Trouble[] {
  // Nothing is sent while the key is refused, so all else that is known is old.
  if (key !== null)
    return [{ name: 'service:key', reason: String(key.status), since: key.since, detail: '' }];
  const lasts = (since: number) => since <= now - PATIENCE_MS;
  const rights = [...refused]
    .filter(([operation, since]) => NEEDED.includes(operation) && lasts(since))
    .map(([operation, since]) => ({ name: RIGHT + operation, reason: 'refused', since, detail: '' }));
  const failing = [filing, reading]
    .filter((one) => one !== null)
    .filter(({ since }) => lasts(since))
    .sort((a, b) => a.since - b.since);
  const down = failing
    .slice(0, 1)
    .map(({ reason, since }) => ({ name: 'service:down', reason, since, detail: '' }));
  return [...rights, ...down];
}

/**
 * Whether a trouble is over: only a call that succeeded in this process proves it.
 *
 * @param waits alerts wait for the service: then it is back when it takes one
 */
export function mended(name: string, standing: Standing, waits: boolean): boolean {
  const { key, working, filing, reading } = standing;
  if (key !== null || working.size === 0) return false;
  if (name === 'service:key') return true;
  const right = rightOf(name);
  if (right !== null) return working.has(right);
  if (filing !== null || reading !== null) return false;
  return !waits || working.has('issues.create');
}
