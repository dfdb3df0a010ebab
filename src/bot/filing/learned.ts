import { decodeStored } from '../../lib/decode-stored.ts';
import { type Observed, withLearned } from '../alerts/senders/history.ts';
import { learn } from '../alerts/senders/learned.ts';
import { Observation } from '../alerts/senders/observation.ts';
import type { Aggregates, Store } from '../store/open.ts';
import type { SenderMessage } from '../store/senders.ts';
import type { ChannelMessage } from './channel-message.ts';

/** How many of a sender's last messages explain the next one. */
const MOST = 120;
/** A sender with fewer messages has taught nothing yet. */
const FEWEST = 3;

/** A message as its sender's earlier ones explain it. It is kept, to explain the next ones. */
export async function learnedFrom(
  tx: Pick<Aggregates, 'senders'>,
  seen: ChannelMessage,
): Promise<ChannelMessage> {
  const { observed, channel, ts } = seen;
  if (observed === undefined) return seen;
  const before = await tx.senders.before(observed.sender, ts, MOST);
  await keep(tx, { channel, ts, observed });
  return explained(seen, before);
}

/** Keeps what a channel's history has of its senders, so that they are known before their first alert. */
export async function keepHistory(store: Store, messages: readonly ChannelMessage[]): Promise<void> {
  for (const { channel, ts, observed } of messages)
    if (observed !== undefined) await store.transaction((tx) => keep(tx, { channel, ts, observed }));
}

async function keep(
  tx: Pick<Aggregates, 'senders'>,
  { channel, ts, observed }: { channel: string; ts: string; observed: Observed },
): Promise<void> {
  const { sender, observation } = observed;
  const at = Math.floor(Number(ts) * 1_000);
  await tx.senders.keep({ channel, ts, sender, observation: JSON.stringify(observation), at });
}

/** A message as these earlier ones of its sender explain it. */
export function explained(
  seen: ChannelMessage,
  before: readonly Pick<SenderMessage, 'observation'>[],
): ChannelMessage {
  const { observed } = seen;
  const known = before
    .slice(-MOST)
    .flatMap(({ observation }) => decodeStored(Observation, observation) ?? []);
  if (observed === undefined || known.length < FEWEST) return seen;
  const { readings } = learn(observed.sender, [...known, observed.observation]);
  const reading = readings.at(-1);
  if (reading === undefined) return seen;
  const alert = withLearned(seen.alert, reading, observed.observation.lines);
  return { ...seen, alert, note: alert.kind === 'not_an_alert' ? seen.note : null };
}
