import type { ServiceClient } from '../../contract/client/client.ts';
import type { ServiceHealth } from '../../contract/client/guard.ts';
import { type Clock, timeoutSignal } from '../../lib/clock.ts';
import type { Organization } from '../../lib/issue-number.ts';
import type { Logger } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import type { Blocker } from '../store/blockers.ts';
import type { Aggregates, Store } from '../store/open.ts';

const EVERY_MS = 5_000;
/** While all is well, the database is asked for what is pending no more often. */
const LOAD_EVERY_MS = 60_000;
/**
 * Probes with the cheapest read while something is wrong, so that a recovery is noticed even if nothing else calls the
 * service.
 */
const PROBE_EVERY_MS = 60_000;
const PROBE_MS = 10_000;
const TELL_AGAIN_MS = 15 * 60_000;

interface ServiceWatchOptions {
  store: Store;
  /** For the organization that is watched. */
  service: ServiceClient;
  organization: Organization;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  /**
   * Tells whoever can fix it, once.
   *
   * @returns false if nobody could be told
   */
  tell: (trouble: Blocker) => Promise<boolean>;
  /** Edits those messages once it is fixed. */
  replacePayload: (tx: Aggregates, trouble: Blocker, mendedAt: number) => Promise<void>;
}

interface ServiceWatch extends Worker {
  /** Sentences for `/readyz` and `/gumshoe status`. */
  degraded(): string[];
}

/** Stores the troubles with the service, reports each once, and notices when it is fixed. */
export function createServiceWatch(options: ServiceWatchOptions): ServiceWatch {
  const { store, service, clock, log, metrics, organization } = options;
  let open: Blocker[] = [];
  let pending = 0;
  let probedAt = Number.NEGATIVE_INFINITY;
  let loadedAt = Number.NEGATIVE_INFINITY;
  const toldAt = new Map<string, number>();

  function isWell(): boolean {
    const { key, filing, reading, refused } = service.health();
    return key === null && filing === null && reading === null && refused.size === 0 && open.length === 0;
  }

  async function probe(signal: AbortSignal): Promise<void> {
    if (isWell() || clock.now() < probedAt + PROBE_EVERY_MS) return;
    probedAt = clock.now();
    // The answer shows in the service's health.
    await service.issues.page({ limit: 1 }, timeoutSignal(PROBE_MS, signal)).catch(() => undefined);
  }

  async function begin(health: ServiceHealth): Promise<void> {
    for (const trouble of wrong(health, clock.now(), organization)) {
      if (open.some(({ name }) => name === trouble.name)) continue;
      await store.blockers.begin(trouble);
      const [kind = ''] = trouble.name.split(':').slice(1);
      metrics.count('gumshoe_service_troubles_total', { trouble: kind });
      log.warn({ trouble: trouble.name, reason: trouble.reason }, 'the investigation service has a problem');
    }
  }

  async function end(health: ServiceHealth): Promise<void> {
    const waits = (await store.waiting.lines(organization)).length > 0;
    for (const trouble of open.filter(({ name }) => mended(name, health, waits))) {
      await store.transaction(async (tx) => {
        const ended = await tx.blockers.end(trouble.name);
        if (ended !== null) await options.replacePayload(tx, ended, clock.now());
      });
      toldAt.delete(trouble.name);
      log.info({ trouble: trouble.name, since: trouble.since }, 'the investigation service has recovered');
    }
  }

  async function tell(): Promise<void> {
    for (const trouble of open.filter(({ name }) => isForAdmins(name))) {
      if ((toldAt.get(trouble.name) ?? 0) > clock.now() - TELL_AGAIN_MS) continue;
      const isNotified = await options.tell(trouble);
      toldAt.set(trouble.name, isNotified ? Number.POSITIVE_INFINITY : clock.now());
      if (!isNotified) log.warn({ trouble: trouble.name }, 'could not notify anybody of a problem');
    }
  }

  async function load(): Promise<void> {
    loadedAt = clock.now();
    const all = (await store.blockers.open()).flatMap((trouble) => {
      const of = serviceTroubleOf(trouble.name);
      return of === null ? [] : [{ trouble, isOurs: of.organization === organization }];
    });
    open = all.filter(({ isOurs }) => isOurs).map(({ trouble }) => trouble);
    pending = await store.issues.countPending(organization);
    metrics.gauge('gumshoe_service_troubles', all.length);
    metrics.gauge('gumshoe_issues_pending', await store.issues.countPending());
  }

  const rounds = createWorkerLoop({
    round: async (signal) => {
      if (isWell() && clock.now() < loadedAt + LOAD_EVERY_MS) return;
      await load();
      await probe(signal);
      if (signal.aborted) return;
      const now = service.health();
      // The issues that failed may have been withdrawn; then nothing tells whether filing would succeed.
      const health = pending === 0 ? { ...now, filing: null } : now;
      await end(health);
      await begin(health);
      await load();
      await tell();
    },
    rest: (signal) => clock.sleep(EVERY_MS, signal),
    onError: (error) => log.warn({ err: error }, 'could not record the health of the investigation service'),
  });

  return {
    start: rounds.start,
    stop: rounds.stop,
    degraded: () => sentences(service.health(), open, pending, organization),
  };
}

function sentences(
  health: ServiceHealth,
  open: readonly Blocker[],
  pending: number,
  organization: Organization,
): string[] {
  const said = open.map(({ name, reason, since }) => serviceSentence(name, reason, since));
  // Before it is stored, and while it cannot be.
  if (!open.some(({ name }) => isOfKey(name))) {
    const refused = wrong(health, 0, organization).filter(({ name }) => isOfKey(name));
    said.push(...refused.map(({ name, reason, since }) => serviceSentence(name, reason, since)));
  }
  if (said.length === 0 || pending === 0) return said;
  return [
    ...said,
    pending === 1 ? '1 issue waits to be filed' : `${pending} issues wait to be filed, in order`,
  ];
}

/** What an operator has to fix, and is told about; a service that is down recovers on its own. */
function isForAdmins(name: string): boolean {
  return isOfKey(name) || rightOf(name) !== null;
}

const DOWN: Record<string, string> = {
  unreachable: 'has been unreachable',
  silent: 'has been timing out',
  failing: 'has been failing',
  busy: 'has been rate-limiting me',
  unreadable: 'has been sending answers I cannot read; check ISSUE_SERVICE_URL',
};

/** A trouble with the service in a sentence for operators, without markup; `since` in milliseconds. */
export function serviceSentence(name: string, reason: string, since: number): string {
  const at = `since ${new Date(since).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const isPrivate = serviceTroubleOf(name)?.organization === 'private';
  const key = isPrivate ? 'the API key for private channels' : 'the API key';
  const variable = isPrivate ? 'ISSUE_SERVICE_PRIVATE_API_KEY' : 'ISSUE_SERVICE_API_KEY';
  if (name === MISSING_KEY) {
    return `issues of private channels have been unreachable ${at}: no API key for their organization; set ${variable}`;
  }
  if (isOfKey(name)) {
    return reason === '401'
      ? `the investigation service has rejected ${key} ${at}; check ${variable}`
      : `${key} has had no permissions at the investigation service ${at}; check them, or ${variable}`;
  }
  const right = rightOf(name);
  if (right !== null) {
    return `${key} has not been allowed ${right} at the investigation service ${at}; check its permissions`;
  }
  const down = (Object.hasOwn(DOWN, reason) && DOWN[reason]) || 'has been down';
  return `the investigation service ${down}${isPrivate ? ' for private channels' : ''} ${at}`;
}

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
/** A key that is not even allowed this, and nothing else, has no permissions at all. */
const PLAIN_READ = 'issues.page';
/** Each organization's key is tracked separately: `service:key`, `private_service:key`. */
const PREFIXES: Record<Organization, string> = { default: 'service:', private: 'private_service:' };
const RIGHT = 'right:';
/** There are issues of the private organization, but no key for it. */
export const MISSING_KEY = `${PREFIXES.private}missing_key`;

/** A trouble with the service: `key`, `right:<operation>` or `down`, and which organization's key it concerns. */
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
  { key, refused, working, filing, reading }: ServiceHealth,
  now: number,
  organization: Organization = 'default',
): Blocker[] {
  const prefix = PREFIXES[organization];
  // Nothing is sent while the key is rejected, so everything else that is known is out of date.
  if (key !== null) return [{ name: `${prefix}key`, reason: '401', since: key.since, detail: '' }];
  const lasts = (since: number) => since <= now - NOTICE_DELAY_MS;
  const unread = refused.get(PLAIN_READ);
  if (unread !== undefined && working.size === 0) {
    return lasts(unread) ? [{ name: `${prefix}key`, reason: '403', since: unread, detail: '' }] : [];
  }
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

/**
 * At startup: without the private organization's key, its remaining issues cannot be reached. That is stored as a
 * trouble, and their cards say so until there is a key again.
 */
export function lookForPrivateKey({ store, clock }: { store: Store; clock: Clock }): Promise<void> {
  return store.transaction(async (tx) => {
    const names = (await tx.blockers.open()).map(({ name }) => name);
    const isOpen = names.includes(MISSING_KEY);
    const affected = await tx.issues.unended('private');
    const isMissing = !tx.hasPrivateOrganization && affected.length > 0;
    if (!tx.hasPrivateOrganization) await endOthers(tx, names);
    if (isMissing === isOpen) return;
    if (isMissing) {
      await tx.blockers.begin({ name: MISSING_KEY, reason: 'missing', since: clock.now(), detail: '' });
    } else await tx.blockers.end(MISSING_KEY);
    for (const { id } of affected) await tx.outbox.refreshCards(id);
  });
}

/** A key that is no longer configured is no longer rejected. */
async function endOthers(tx: Aggregates, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (name !== MISSING_KEY && serviceTroubleOf(name)?.organization === 'private')
      await tx.blockers.end(name);
  }
}
