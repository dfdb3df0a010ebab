import type { ReceivedAlert } from '../alerts/format.ts';
import { considerReport } from '../filing/carry-out.ts';
import type { DecideOptions, Delivery } from '../filing/occurrence.ts';
import type { ReceivedOutcome } from '../filing/outcome.ts';
import type { Logger } from '../shared/log.ts';
import type { Metrics } from '../shared/metrics.ts';
import { arriving } from '../shared/tracing/spans.ts';
import type { Aggregates } from '../store/open.ts';
import { channelFor, type DeliveryOptions } from './delivery.ts';

interface Received {
  /** Stable: the same alert of the same webhook again is received once. */
  id: string;
  source: string;
  /** What people call the tool. */
  tool: string;
  reading: ReceivedAlert;
  /** Milliseconds. */
  at: number;
  delivery: Delivery;
}

export interface ReceiveOptions extends DecideOptions, DeliveryOptions {
  log: Logger;
  metrics: Metrics;
}

/**
 * Decides on a received alert, in one transaction.
 *
 * @param before what else belongs into it
 */
export async function receiveAlert(
  { id, source, tool, reading, at, delivery }: Received,
  options: ReceiveOptions,
  before: (tx: Aggregates) => Promise<void> = async () => undefined,
): Promise<ReceivedOutcome> {
  const { store, log, metrics } = options;
  const channel = channelFor(source, reading, options);
  const report = { id, source, reading, at, delivery, channel };
  const { outcome, decided } = await arriving('alert by webhook', at, () =>
    store.transaction(async (tx) => {
      await before(tx);
      return considerReport(tx, report, tool, options);
    }),
  );
  if (decided !== null) {
    const { decision, reason, issueId } = decided;
    metrics.count('gumshoe_alerts_total', { decision, format: reading.alert.format });
    log.info({ channel, decision, reason, issue: issueId }, 'decided on a received alert');
  }
  return outcome;
}
