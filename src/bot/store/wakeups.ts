import type { Organization } from '../../lib/issue-number.ts';
import { createWakeup, type Wakeup } from '../../lib/worker-loop.ts';

/** Ends the wait of each worker that processes a queue in the store. */
export interface Wakeups {
  /** Something is to be posted in Slack. */
  outbox: Wakeup;
  /** A question is waiting for the agent, or somebody stopped its answer. */
  asked: Wakeup;
  /** A picture is to be drawn. */
  pictures: Wakeup;
  /** Evidence is to be fetched. */
  artifacts: Wakeup;
  /** A webhook, or the decision on an alert it delivered, is waiting. */
  webhooks: Wakeup;
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
 * Wakes the worker of a queue once the write beside it is committed. Delayed and finished work wakes nobody: workers also
 * poll now and then.
 */
export type Wake = (queue: Queue) => void;

/** For a store that only reads. */
export const wakeNobody: Wake = () => undefined;

export function createWakeups(): Wakeups {
  const ofEach = () => ({ default: createWakeup(), private: createWakeup() });
  return {
    outbox: createWakeup(),
    asked: createWakeup(),
    pictures: createWakeup(),
    artifacts: createWakeup(),
    webhooks: createWakeup(),
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
