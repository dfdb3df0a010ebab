import { SlackError } from '../slack-error.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import type { Faults } from './state.ts';

/** Seconds that a call is to wait which was refused without a reason of its own. */
const RETRY_AFTER = 1;

/** How a call can be hit; each has its share in `PageFaults`. */
const HITS = ['rateLimited', 'serverErrors', 'resetsBefore', 'resetsAfter'] as const;
type Hit = (typeof HITS)[number];

/** The call is not answered: its connection breaks. */
export class BrokenConnection extends Error {
  override name = 'BrokenConnection';
}

/** The call is answered 500. */
class InjectedServerError extends Error {
  override name = 'InjectedServerError';
}

/**
 * Makes a call of the Web API with whatever goes wrong with it now.
 *
 * @throws SlackError `ratelimited`, and whatever `call` is refused with.
 * @throws BrokenConnection before `call` is made, or after it.
 * @throws InjectedServerError
 */
export async function throughFaults<T>(
  { faults, jobs }: WorkspaceContext,
  method: string,
  call: () => Promise<T>,
): Promise<T> {
  const { latencyMs, methods } = faults.now();
  if (methods.length > 0 && !methods.includes(method)) return call();
  if (latencyMs > 0) await jobs.wait(latencyMs);
  const hit = drawHit(faults);
  if (hit === 'rateLimited') throw new SlackError('ratelimited', {}, RETRY_AFTER);
  if (hit === 'serverErrors') throw new InjectedServerError();
  if (hit === 'resetsBefore') throw new BrokenConnection();
  if (hit === undefined) return call();
  // Refused or not: the app does not hear of it.
  await Promise.allSettled([call()]);
  throw new BrokenConnection();
}

function drawHit(faults: Faults): Hit | undefined {
  const shares = faults.now();
  const possible = HITS.filter((hit) => shares[hit] > 0);
  if (possible.length === 0) return undefined;
  let drawn = faults.draw();
  return possible.find((hit) => {
    drawn -= shares[hit];
    return drawn < 0;
  });
}
