import type { ReceivedAlert } from '../alerts/format.ts';
import type { Severity } from '../alerts/types.ts';
import { considerReport } from '../filing/carry-out.ts';
import type { ConsentOptions, DecideOptions, Delivery } from '../filing/occurrence.ts';
import type { ReceivedOutcome } from '../filing/outcome.ts';
import type { Logger } from '../shared/log.ts';
import type { Metrics } from '../shared/metrics.ts';
import { arriving } from '../shared/tracing/spans.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { type Route, routeOf } from './routes.ts';

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

/** What it takes to know where alerts go, and whether they may be filed there. */
export interface DeliveryOptions extends ConsentOptions {
  store: Store;
  routes: readonly Route[];
  isPrivateChannel: (channel: string) => Promise<boolean>;
}

/** With its place in the delivery, which its id comes from. */
export function mostSevereFirst(alerts: readonly ReceivedAlert[]): [number, ReceivedAlert][] {
  const rank = ({ alert }: ReceivedAlert) => SEVERITIES.indexOf(alert.severity ?? 'medium');
  return [...alerts.entries()].sort(([, one], [, other]) => rank(one) - rank(other));
}

const SEVERITIES: readonly Severity[] = ['high', 'medium', 'low'];

/** The channel that a route names for an alert of a source; `null` if none does. */
function channelFor(
  source: string,
  reading: ReceivedAlert,
  { routes }: Pick<DeliveryOptions, 'routes'>,
): string | null {
  return routeOf({ source, ...reading }, routes)?.channel ?? null;
}

/** What arrives together, and which of its channels have consent. */
export async function deliveryOf(
  source: string,
  alerts: readonly ReceivedAlert[],
  options: DeliveryOptions,
): Promise<Delivery> {
  const firing = alerts.filter(({ alert }) => alert.kind === 'firing');
  const channels = new Set(firing.flatMap((reading) => channelFor(source, reading, options) ?? []));
  const open = new Set<string>();
  for (const channel of channels) {
    await learnChannel(channel, options);
    if (!(await options.needsConsent(channel))) open.add(channel);
  }
  return { firing: firing.length, own: 0, hasConsent: (channel) => open.has(channel) };
}

/** Nobody may have written in the channel since the bot joined it, and a private one's issues have their own place. */
export async function learnChannel(
  channel: string,
  { store, isPrivateChannel }: Pick<DeliveryOptions, 'store' | 'isPrivateChannel'>,
): Promise<void> {
  // What is not known counts as private.
  const { isPrivate } = await store.channels.get(channel);
  if (isPrivate && !(await isPrivateChannel(channel))) await store.channels.learn(channel, false);
}
