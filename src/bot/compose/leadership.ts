import type { ServiceClient, Services } from '../../contract/client/client.ts';
import { type Clock, withTimeout } from '../../lib/clock.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import type { Deps } from '../deps.ts';
import { LEAD_VALID_MS, type Replicas } from '../store/dialects/postgres-replicas.ts';

/** How often to look whether nobody leads, and to renew the lead. */
const LOOK_MS = 2_000;
const ANSWER_MS = 3_000;

/** Something that only the leader does was about to be done by a replica that leads no longer. */
class NotLeaderError extends Error {
  override name = 'NotLeaderError';
  constructor() {
    super(
      'not done: this replica was frozen, or without the database, for so long that another one leads by now',
    );
  }
}

export interface Leadership extends Worker {
  /**
   * Checks right before anything that only the leader does: a process that was frozen in between would go on where it
   * was. Costs nothing, as it only looks at how long ago the lead was renewed.
   *
   * @throws NotLeaderError
   */
  assertLeads(): void;
}

export interface LeadershipOptions {
  replicas: Pick<Replicas, 'takeLead' | 'renewLead' | 'leaveLead'>;
  clock: Pick<Clock, 'sleep'>;
  /** Leads until the signal, and resolves once nothing of that is under way. */
  lead: (signal: AbortSignal) => Promise<void>;
  onFailure: (error: unknown) => void;
}

/**
 * Leads while it holds the lead in the database, which it renews every two seconds, also while it finishes what it began. Its
 * own time for that ends before the database's does: the next leader finds none of its work still running.
 */
export function createLeadership({ replicas, clock, lead, onFailure }: LeadershipOptions): Leadership {
  /** By the process's monotonic clock, which keeps running while the process is frozen. */
  let validUntil = Number.NEGATIVE_INFINITY;

  async function ask(question: () => Promise<boolean>): Promise<boolean> {
    const askedAt = performance.now();
    const isHeld = await withTimeout(question(), {
      ms: ANSWER_MS,
      clock,
      onTimeout: () => {
        throw new Error('the database did not answer in time');
      },
    });
    validUntil = isHeld ? askedAt + LEAD_VALID_MS : Number.NEGATIVE_INFINITY;
    return isHeld;
  }

  async function renew(lost: AbortController, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await clock.sleep(LOOK_MS, ended).catch(() => undefined);
      if (ended.aborted) return;
      try {
        if (!(await ask(replicas.renewLead))) return lost.abort();
      } catch (error) {
        onFailure(error);
        if (performance.now() >= validUntil) lost.abort();
      }
    }
  }

  async function round(signal: AbortSignal): Promise<void> {
    if (!(await ask(replicas.takeLead))) return;
    const lost = new AbortController();
    const ended = new AbortController();
    const work = lead(AbortSignal.any([signal, lost.signal])).finally(() => ended.abort());
    try {
      await Promise.all([work, renew(lost, ended.signal)]);
    } finally {
      validUntil = Number.NEGATIVE_INFINITY;
      await replicas.leaveLead();
    }
  }

  const { start, stop } = createWorkerLoop({
    round,
    rest: (signal) => clock.sleep(LOOK_MS, signal),
    onError: onFailure,
  });
  return {
    start,
    stop,
    assertLeads: () => {
      if (performance.now() >= validUntil) throw new NotLeaderError();
    },
  };
}

/** What the leader's workers are given: a check before every statement, post, and call that changes something at the service. */
export function checkedDeps(deps: Deps, assertLeads: () => void): Deps {
  const checked = <W extends unknown[], R>(call: (...words: W) => R) => {
    return (...words: W): R => {
      assertLeads();
      return call(...words);
    };
  };
  const ofService = (service: ServiceClient): ServiceClient => ({
    ...service,
    issues: {
      ...service.issues,
      create: checked(service.issues.create),
      update: checked(service.issues.update),
    },
    query: { ask: checked(service.query.ask), stream: checked(service.query.stream) },
  });
  const services: Services = {
    ...deps.services,
    for: (organization) => ofService(deps.services.for(organization)),
  };
  return {
    ...deps,
    assertLeads,
    store: deps.store.checkedBy(assertLeads),
    services,
    organizations: deps.organizations.map((one) => ({ ...one, service: ofService(one.service) })),
  };
}
