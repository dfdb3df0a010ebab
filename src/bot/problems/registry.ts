import type { Clock } from '../../lib/clock.ts';
import { createWakeup, type Wakeup } from '../../lib/worker-loop.ts';
import type { Metrics } from '../shared/metrics.ts';
import { problemNow } from '../store/intents/channel-intents.ts';
import { problemPrefix } from '../store/intents/keys.ts';
import type { Aggregates, Store } from '../store/open.ts';
import type { StoredProblem } from '../store/problems.ts';
import type { FixedBy, Problem } from './stored.ts';
import { isOfSlack, problemOf, serviceProblemOf } from './stored.ts';

/** A part of the program that knows by itself whether something is wrong with it. */
export interface Source {
  name: string;
  fixedBy: FixedBy;
  stopsDeliveries?: boolean;
  /** What is wrong, in one sentence without markup; `null` while nothing is. Called on each read. */
  sentence: () => string | null;
}

/**
 * The one place that knows what does not work: health checks, metrics, the status, direct messages and cards read it. What
 * somebody has to be notified of once is stored; everything else is asked of its source.
 */
export interface Problems {
  /** What does not work, as far as this process knows. */
  read(): Problem[];
  /** Adds a source; the result removes it again. */
  watch(source: Source): () => void;
  /**
   * Stores a problem, or its new reason.
   *
   * @param also done in the same transaction, before it is stored; returns its details, if it has any
   * @returns false if it was stored with this reason already
   */
  begin(
    problem: Pick<StoredProblem, 'name' | 'reason'> & { since?: number },
    also?: (tx: Aggregates) => Promise<string | undefined>,
  ): Promise<boolean>;
  /**
   * A stored problem is over. The messages about it say so.
   *
   * @param also done in the same transaction
   * @returns what it was, or `null` if it was not open
   */
  end(
    name: string,
    also?: (tx: Aggregates, ended: StoredProblem) => Promise<void>,
  ): Promise<StoredProblem | null>;
  /** The stored ones, oldest first. */
  open(): readonly StoredProblem[];
  isOpen(name: string): boolean;
  /** Reads what other processes have stored. */
  load(): Promise<void>;
  /** Woken once there is a new one. */
  wakeup: Wakeup;
}

export function createProblems({
  store,
  clock,
  metrics,
}: {
  store: Store;
  clock: Clock;
  metrics: Metrics;
}): Problems {
  const sources = new Map<Source, number | null>();
  const open = new Map<string, StoredProblem>();
  /** How often this process has changed what is stored. */
  let changes = 0;
  const wakeup = createWakeup();

  function show(): void {
    const names = [...open.keys()];
    metrics.gauge('gumshoe_slack_troubles', names.filter(isOfSlack).length);
    metrics.gauge('gumshoe_service_troubles', names.filter((name) => serviceProblemOf(name) !== null).length);
  }

  /** A source does not know since when, so that it was first seen counts. */
  function watched(): Problem[] {
    return [...sources].flatMap(([source, seenAt]) => {
      const sentence = open.has(source.name) ? null : source.sentence();
      const since = sentence === null ? null : (seenAt ?? clock.now());
      sources.set(source, since);
      if (sentence === null || since === null) return [];
      const { name, fixedBy, stopsDeliveries = false } = source;
      return [{ name, since, fixedBy, sentence, channel: null, stopsDeliveries }];
    });
  }

  return {
    wakeup,
    read: () => [...[...open.values()].map(problemOf), ...watched()],
    watch: (source) => {
      sources.set(source, null);
      return () => void sources.delete(source);
    },
    open: () => [...open.values()],
    isOpen: (name) => open.has(name),
    load: async () => {
      const before = changes;
      const stored = await store.problems.open();
      // What was read before a change of our own is out of date; the next load has it.
      if (changes !== before) return;
      open.clear();
      for (const problem of stored) open.set(problem.name, problem);
      show();
    },
    begin: async ({ name, reason, since = clock.now() }, also) => {
      if (open.get(name)?.reason === reason) return false;
      const { problem, isNew } = await store.transaction(async (tx) => {
        const before = await tx.problems.get(name);
        if (before?.reason === reason) return { problem: before, isNew: false };
        const detail = (await also?.(tx)) ?? '';
        const now = { name, reason, since: before?.since ?? since, detail };
        await tx.problems.begin(now);
        await revise(tx, now, null);
        return { problem: now, isNew: true };
      });
      changes += 1;
      open.set(name, problem);
      show();
      if (isNew) wakeup.wake();
      return isNew;
    },
    end: async (name, also) => {
      // There is rarely anything to end, and idle workers come by here every second.
      const isStored = open.has(name) || (await store.problems.get(name)) !== null;
      const ended = isStored
        ? await store.transaction(async (tx) => {
            const was = await tx.problems.end(name);
            if (was === null) return null;
            await revise(tx, was, clock.now());
            await also?.(tx, was);
            return was;
          })
        : null;
      if (isStored) {
        changes += 1;
        open.delete(name);
        show();
      }
      return ended;
    },
  };
}

/** Updates the messages about a problem: it has another reason now, or is fixed. */
async function revise(tx: Aggregates, problem: StoredProblem, fixedAt: number | null): Promise<void> {
  for (const { key } of await tx.outbox.keyed(problemPrefix(problem))) {
    await tx.outbox.replacePayload(problemNow(key, problem, fixedAt));
  }
}
