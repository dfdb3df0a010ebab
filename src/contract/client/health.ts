import type { Clock } from '../../lib/clock.ts';
import type { CallReport } from './call-report.ts';
import type { KeyRefusal } from './key-guard.ts';

/** Since when something does not work, in milliseconds since the epoch. */
interface Failing {
  since: number;
  reason: 'unreachable' | 'silent' | 'failing' | 'busy' | 'unreadable';
}

/** How the service stands to us, from the calls of this process. */
export interface ServiceHealth {
  /** It refuses our key: nothing is sent. */
  key: KeyRefusal | null;
  /** Operations that it refuses although the key is good, each with since when. */
  refused: ReadonlyMap<string, number>;
  /** Operations whose last call succeeded. */
  working: ReadonlySet<string>;
  /** It takes no new issues; cannot be read. `null` if it does, or if that is not known. */
  filing: Failing | null;
  reading: Failing | null;
}

export interface ServiceHealthTracker {
  called(call: CallReport): void;
  /** The key is refused: what succeeded or was refused before says nothing any more. */
  keyRefused(): void;
  read(key: KeyRefusal | null): ServiceHealth;
}

const READS = ['issues.page', 'issues.get', 'issues.byNumber', 'issues.results'];
/** Calls whose address is always there: that it is not says that ours is wrong. */
const ALWAYS_THERE = ['issues.page', 'issues.create'];
const REASONS: Record<string, Failing['reason']> = {
  UnreachableError: 'unreachable',
  TimedOutError: 'silent',
  RateLimitedError: 'busy',
  UnreadableAnswerError: 'unreadable',
};

/** Hears of every call, and answers how things stand. Questions and evidence fail by themselves, and count for nothing here. */
export function createServiceHealth(clock: Clock): ServiceHealthTracker {
  const refused = new Map<string, number>();
  const working = new Set<string>();
  let filing: Failing | null = null;
  let reading: Failing | null = null;

  const keep = (operation: string, of: (before: Failing | null) => Failing | null): void => {
    if (operation === 'issues.create') filing = of(filing);
    if (READS.includes(operation)) reading = of(reading);
  };

  return {
    called: (call) => {
      const { operation, outcome, status } = call;
      const reason = reasonOf(call);
      if (reason !== null) {
        working.delete(operation);
        keep(operation, (before) => ({ since: before?.since ?? clock.now(), reason }));
      } else if (status === 401 || status === 403) {
        working.delete(operation);
        if (!refused.has(operation)) refused.set(operation, clock.now());
      } else if (status !== null) {
        // Any other answer, a refusal of what was said too, shows that it works.
        refused.delete(operation);
        keep(operation, () => null);
        if (outcome === 'ok') working.add(operation);
      }
    },
    keyRefused: () => {
      refused.clear();
      working.clear();
    },
    read: (key) => ({ key, refused, working, filing, reading }),
  };
}

function reasonOf({ operation, outcome, status }: CallReport): Failing['reason'] | null {
  const known = Object.hasOwn(REASONS, outcome) ? REASONS[outcome] : undefined;
  if (known !== undefined) return known;
  if (status === null) return null;
  if (status >= 500 || status === 408) return 'failing';
  if (status >= 300 && status < 400) return 'unreadable';
  return [404, 405, 410].includes(status) && ALWAYS_THERE.includes(operation) ? 'unreadable' : null;
}
