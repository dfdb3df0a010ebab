import type { Jobs } from './clock.ts';
import type { Ack, Transport } from './deliver.ts';
import type { Block } from './entities.ts';
import { SlackError } from './errors.ts';
import type { Random } from './ids.ts';
import type { PageFaults } from './page-panel.ts';
import { refusalFor } from './validate/explain.ts';

export const NO_FAULTS: PageFaults = {
  latencyMs: 0,
  rateLimited: 0,
  serverErrors: 0,
  resetsBefore: 0,
  resetsAfter: 0,
  methods: [],
  twins: false,
  shuffleMs: 0,
  token: null,
  withheldScopes: [],
  refusedBlocks: [],
};

/** The current faults between the local Slack and the app. Kept in memory: a restarted workspace has none. */
export interface Faults {
  now(): PageFaults;
  /** Absent faults stay as they are. */
  change(change: Partial<PageFaults>): void;
  /** A number from 0 to below 1, drawn with the workspace's randomness. */
  draw(): number;
}

/** `onChange` is called after each change. */
export function createFaults(random: Random, onChange: (faults: PageFaults) => void): Faults {
  let faults = NO_FAULTS;
  return {
    now: () => faults,
    change: (change) => {
      faults = { ...faults, ...change };
      onChange(faults);
    },
    draw: () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32,
  };
}

interface FaultyDeps {
  transport: Transport;
  faults: Faults;
  jobs: Jobs;
}

/** A transport that can deliver events twice, and late by a random time, so that they arrive out of order. */
export function faultyTransport({ transport, faults, jobs }: FaultyDeps): Transport {
  const deliverLate: Transport['deliver'] = async (...delivery) => {
    const latestMs = faults.now().shuffleMs;
    if (latestMs > 0) await jobs.wait(latestMs * faults.draw());
    return transport.deliver(...delivery);
  };
  return {
    online: () => transport.online(),
    deliver: async (...delivery): Promise<Ack> => {
      const duplicate = faults.now().twins ? deliverLate(...delivery) : undefined;
      const ack = await deliverLate(...delivery);
      await duplicate;
      return ack;
    },
  };
}

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
  { faults, jobs }: { faults: Faults; jobs: Jobs },
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
export function refuseBlocks({ faults }: { faults: Faults }, blocks: readonly Block[]): void {
  const { refusedBlocks } = faults.now();
  const found = blocks.flatMap(({ type }, index) =>
    refusedBlocks.includes(type) ? [{ message: `unsupported type: ${type}`, path: [index, 'type'] }] : [],
  );
  if (found.length > 0) throw refusalFor('invalid_blocks', found, '/blocks');
}
