import type { ReceivedAlert } from '../alerts/format.ts';
import type { Severity } from '../alerts/types.ts';
import type { ConsentOptions, DecideOptions } from '../filing/channel-message.ts';
import type { Store } from '../store/open.ts';
import { type Route, routeOf } from './routes.ts';

/** An alert of a webhook, and where it came from. */
export interface Received {
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

/** What arrived together. More than the channel has room for gets one message, not one each. */
export interface Delivery {
  /** How many of its alerts fire. */
  firing: number;
  /** How many of them have messages of their own, so far. */
  own: number;
  /** Whether a channel's alerts may be held: nothing is, until its members have agreed to issues. */
  mayHold: (channel: string) => boolean;
}

export interface ReceiveOptions extends DecideOptions {
  routes: readonly Route[];
}

/** What it takes to know whether a channel's alerts may be held. */
export interface DeliveryOptions extends ConsentOptions {
  store: Store;
  isPrivateChannel: (channel: string) => Promise<boolean>;
}

/** With its place in the delivery, which its id comes from. */
export function mostSevereFirst(alerts: readonly ReceivedAlert[]): [number, ReceivedAlert][] {
  const rank = ({ alert }: ReceivedAlert) => SEVERITIES.indexOf(alert.severity ?? 'medium');
  return [...alerts.entries()].sort(([, one], [, other]) => rank(one) - rank(other));
}

const SEVERITIES: readonly Severity[] = ['high', 'medium', 'low'];

/** What arrives together, and in which of its channels it may be held. */
export async function deliveryOf(
  source: string,
  alerts: readonly ReceivedAlert[],
  options: ReceiveOptions & DeliveryOptions,
): Promise<Delivery> {
  const firing = alerts.filter(({ alert }) => alert.kind === 'firing');
  const channels = new Set(
    firing.flatMap(({ labels }) => routeOf({ source, labels }, options.routes)?.channel ?? []),
  );
  const open = new Set<string>();
  for (const channel of channels) {
    await learnChannel(channel, options);
    if (!(await options.needsConsent(channel))) open.add(channel);
  }
  return { firing: firing.length, own: 0, mayHold: (channel) => open.has(channel) };
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
