import type { ReceivedAlert } from '../alerts/format.ts';
import type { Severity } from '../alerts/types.ts';
import type { ConsentOptions, Delivery } from '../filing/occurrence.ts';
import type { Store } from '../store/open.ts';
import { type Route, routeOf } from './routes.ts';

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
export function channelFor(
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
