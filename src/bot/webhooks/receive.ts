import type { Aggregates } from '../store/open.ts';
import { carryOut } from './carry-out.ts';
import { decide, type ReceivedOutcome } from './decide.ts';
import type { Received, ReceiveOptions } from './delivery.ts';
import { gather } from './facts.ts';

/** Brings a received alert to its issue, or requests a message of its own, all in one transaction. */
export async function receiveAlert(
  tx: Aggregates,
  received: Received,
  options: ReceiveOptions,
): Promise<ReceivedOutcome> {
  if ((await tx.receivedAlerts.get(received.id)) !== null) return 'known';
  const facts = await gather(tx, received, options);
  const receipt = decide(facts);
  await carryOut(tx, receipt, facts);
  if (receipt.outcome === 'posting') received.delivery.own += 1;
  return receipt.outcome;
}
