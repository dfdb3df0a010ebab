import { z } from 'zod';
import type { Organization } from '../../contract/client/client.ts';
import type { CallReport } from '../../contract/client/guard.ts';
import type { Clock } from '../../lib/clock.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { Problem } from '../problems/stored.ts';
import type { ServiceStatus } from '../render/admin/status.ts';

/** How the program is doing, as `/gumshoe status` and Home show it; moments in milliseconds, `null` for never. */
export interface RuntimeStatus {
  version: string;
  startedAt: number;
  /** Since when Slack delivers; `null` while it does not. */
  slackSince: number | null;
  /** Of each part of the service that was called: they fail, and are spared, by themselves. */
  service: ServiceStatus[];
  /** When the poller last looked. */
  polledAt: number | null;
  /** What does not work; see `sentencesFor`. */
  problems: readonly Problem[];
}

const StoredServiceStatus = z.object({
  part: z.string(),
  organization: z.enum(['default', 'private']).exactOptional(),
  state: z.enum(['answers', 'fails', 'held_back']),
  since: z.number(),
  calledAt: z.number().nullable(),
});
const Followed = z.object({ service: z.array(StoredServiceStatus), polledAt: z.number().nullable() });

export interface StatusTracker {
  slackConnected(connected: boolean): void;
  /** @param organization whose key it was made with; the default one's unless told */
  serviceCalled(call: CallReport, organization?: Organization): void;
  polled(): void;
  /** How the replica that leads is doing, as JSON of `shared`; `null` if this one leads, or nobody knows. */
  followed(status: string | null): void;
  /** What other replicas show of this one while it leads, as JSON. */
  shared(): string;
  read(): RuntimeStatus;
}

/** The outcome of a call that was not made, and of one that shows nothing about the service. */
const HELD_BACK = 'CircuitOpenError';
const CANCELLED = 'CancelledError';

export function createStatusTracker(options: {
  clock: Clock;
  version: string;
  problems: () => readonly Problem[];
}): StatusTracker {
  const { clock, version } = options;
  const startedAt = clock.now();
  let slackSince: number | null = null;
  let polledAt: number | null = null;
  let leader: z.infer<typeof Followed> | null = null;
  const service = new Map<string, ServiceStatus>();
  return {
    slackConnected: (connected) => {
      slackSince = connected ? (slackSince ?? clock.now()) : null;
    },
    serviceCalled: (call, organization = 'default') => {
      const state = stateAfter(call);
      if (state === null) return;
      const now = clock.now();
      const part = call.operation.split('.', 1)[0] ?? '';
      const key = `${organization}:${part}`;
      const before = service.get(key);
      service.set(key, {
        part,
        ...(organization === 'default' ? {} : { organization }),
        state,
        since: before?.state === state ? before.since : now,
        calledAt: state === 'held_back' ? (before?.calledAt ?? null) : now,
      });
    },
    polled: () => {
      polledAt = clock.now();
    },
    followed: (status) => {
      leader = status === null ? null : decodeStored(Followed, status);
    },
    shared: () => JSON.stringify({ service: [...service.values()], polledAt }),
    read: () => ({
      version,
      startedAt,
      slackSince,
      service: leader?.service ?? [...service.values()],
      polledAt: leader?.polledAt ?? polledAt,
      problems: options.problems(),
    }),
  };
}

/** A refusal is an answer: the service is there. */
function stateAfter({ outcome, status }: CallReport): ServiceStatus['state'] | null {
  if (outcome === HELD_BACK) return 'held_back';
  if (outcome === CANCELLED) return null;
  return outcome === 'ok' || (status !== null && status < 500) ? 'answers' : 'fails';
}
