import type { Clock } from '../../lib/clock.ts';
import { KeyRefusedError, type KeyVariable, RejectedError } from './errors.ts';

/** Often enough that a fixed key is noticed within a minute, and no burden to a service that refuses us. */
const PROVE_EVERY_MS = 60_000;

/** The service does not take our key. */
export interface KeyRefusal {
  status: 401 | 403;
  /** Milliseconds since the epoch. */
  since: number;
}

export interface KeyGuard {
  /** Runs a call; rejects at once with `KeyRefusedError` while the key is refused. */
  run<T>(operation: string, call: () => Promise<T>): Promise<T>;
  refusal(): KeyRefusal | null;
}

/**
 * Stops every call while the service refuses the key (401 and 403; contract, section 5). One refused call is no proof:
 * a key may lack the right to delete and be good for all else. So what is refused is followed by the cheapest read
 * there is; only if that is refused too does everything stop, until it succeeds. It is tried again once a minute,
 * when somebody calls.
 *
 */
export function createKeyGuard({
  clock,
  prove,
  onRefused,
  keyVariable,
}: {
  clock: Clock;
  /** The cheapest read, once; rejects with the call's error. */
  prove: () => Promise<unknown>;
  onRefused: () => void;
  keyVariable: KeyVariable;
}): KeyGuard {
  let refusal: KeyRefusal | null = null;
  let provedAt = Number.NEGATIVE_INFINITY;
  let proving: Promise<void> | null = null;

  /** What the proof says of the key is kept; a service that does not answer says nothing of it. */
  async function proof(): Promise<void> {
    try {
      await prove();
      refusal = null;
    } catch (error) {
      const status = refusalOf(error);
      if (status !== null) refuse(status);
    } finally {
      provedAt = clock.now();
    }
  }

  function proveOnce(): Promise<void> {
    proving ??= proof().finally(() => {
      proving = null;
    });
    return proving;
  }

  function refuse(status: KeyRefusal['status']): void {
    refusal = { status, since: refusal?.since ?? clock.now() };
    onRefused();
  }

  async function suspect(status: KeyRefusal['status']): Promise<void> {
    if (refusal !== null) return;
    // A right that lacks is asked for again and again: the key itself is not proved again for each.
    if (status === 403 && clock.now() - provedAt < PROVE_EVERY_MS) return;
    await proveOnce();
  }

  return {
    refusal: () => refusal,
    async run(operation, call) {
      if (refusal !== null && clock.now() - provedAt >= PROVE_EVERY_MS) await proveOnce();
      if (refusal !== null) {
        const { status } = refusal;
        const retryAfterMs = Math.max(0, provedAt + PROVE_EVERY_MS - clock.now());
        throw new KeyRefusedError({ operation, refusal: status, retryAfterMs, keyVariable });
      }
      try {
        return await call();
      } catch (error) {
        const status = refusalOf(error);
        if (status !== null) await suspect(status);
        throw error;
      }
    },
  };
}

function refusalOf(error: unknown): KeyRefusal['status'] | null {
  if (!(error instanceof RejectedError)) return null;
  return error.status === 401 || error.status === 403 ? error.status : null;
}
