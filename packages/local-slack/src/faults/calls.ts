import type { Block } from '../entities.ts';
import { SlackError } from '../slack-error.ts';
import { refusalFor } from '../validate/explain.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import type { Faults } from './state.ts';

/** `Retry-After` in seconds of an injected 429. */
const RETRY_AFTER = 1;

/** The ways in which a call can fail; each has its share in `PageFaults`. */
const HITS = ['rateLimited', 'serverErrors', 'resetsBefore', 'resetsAfter'] as const;
type Hit = (typeof HITS)[number];

/** The connection breaks instead of an answer. */
export class BrokenConnection extends Error {
  override name = 'BrokenConnection';
}

/** The call is answered 500. */
class InjectedServerError extends Error {
  override name = 'InjectedServerError';
}

/**
 * Makes a Web API call, subject to the current faults.
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
  // The app does not learn the result, whether success or failure.
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

/**
 * Refuses the types of blocks that this workspace is told not to have, as Slack does before it brings them.
 *
 * @throws SlackError `invalid_blocks`, with each of them.
 */
export function refuseBlocks({ faults }: Pick<WorkspaceContext, 'faults'>, blocks: readonly Block[]): void {
  const { refusedBlocks } = faults.now();
  const found = blocks.flatMap(({ type }, index) =>
    refusedBlocks.includes(type) ? [{ message: `unsupported type: ${type}`, path: [index, 'type'] }] : [],
  );
  if (found.length > 0) throw refusalFor('invalid_blocks', found, '/blocks');
}
