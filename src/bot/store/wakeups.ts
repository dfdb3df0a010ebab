import type { Organization } from '../../contract/client/client.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { createWakeup, type Wakeup } from '../../lib/worker-loop.ts';

/** Ends the wait of each worker that processes a queue in the store. */
export interface Wakeups {
  /** Something is to be posted in Slack. */
  outbox: Wakeup;
  /** A question is waiting for the agent, or somebody stopped its answer. */
  asked: Wakeup;
  /** Evidence is to be fetched. */
  artifacts: Wakeup;
  /** A webhook, or the decision on an alert it delivered, is waiting. */
  webhooks: Wakeup;
  /** An issue is pending, or an alert is held: something will have to be done once time has passed. */
  timers: Wakeup;
  /** A thread's agent session is to show other work. */
  sessions: Wakeup;
  /** An issue waits to be created. */
  filed: Record<Organization, Wakeup>;
  /** A status is to be sent to the service. */
  status: Record<Organization, Wakeup>;
  /** An investigation began. */
  young: Record<Organization, Wakeup>;
}

/** Those of which each organization has its own. */
type OfEach = 'filed' | 'status' | 'young';

/** The queues by name; the names are the same in every replica. */
export type Queue = Exclude<keyof Wakeups, OfEach> | `${OfEach}.${Organization}`;

/**
 * Wakes the worker of a queue once the write beside it is committed. What a worker delays or finishes itself wakes nobody: it
 * sleeps until the store says that the next is due.
 */
export type Wake = (queue: Queue) => void;

/** For a store that only reads. */
export const wakeNobody: Wake = () => undefined;

export function createWakeups(clock: Clock = systemClock): Wakeups {
  const one = () => createWakeup(clock);
  const ofEach = () => ({ default: one(), private: one() });
  return {
    outbox: one(),
    asked: one(),
    artifacts: one(),
    webhooks: one(),
    timers: one(),
    sessions: one(),
    filed: ofEach(),
    status: ofEach(),
    young: ofEach(),
  };
}

/** Wakeups by the names of their queues, also as another replica sends them. */
export function namedWakeups({ filed, status, young, ...others }: Wakeups): Map<string, Wakeup> {
  return new Map([
    ...Object.entries(others),
    ['filed.default', filed.default],
    ['filed.private', filed.private],
    ['status.default', status.default],
    ['status.private', status.private],
    ['young.default', young.default],
    ['young.private', young.private],
  ]);
}
