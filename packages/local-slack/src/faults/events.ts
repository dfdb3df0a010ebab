import type { Ack, Transport } from '../deliver/transport.ts';
import type { Jobs } from '../jobs.ts';
import type { Faults } from './state.ts';

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
