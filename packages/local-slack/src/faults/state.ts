import type { Ack, Transport } from '../deliver.ts';
import type { Random } from '../ids.ts';
import type { Jobs } from '../jobs.ts';
import type { PageFaults } from '../page-panel.ts';

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
