import { decodeStored } from '../../lib/decode-stored.ts';
import { type Observed, withLearned } from '../alerts/senders/history.ts';
import { learn } from '../alerts/senders/learned.ts';
import { SenderMap, variableName } from '../alerts/senders/map.ts';
import { Observation, observationOfReport } from '../alerts/senders/observation.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Aggregates, Store } from '../store/open.ts';
import type { SenderMessage } from '../store/senders.ts';
import type { DecideOptions, Occurrence, Report } from './occurrence.ts';
import { type ReadNow, reread } from './reread.ts';

/** How many of a sender's last messages explain the next one. */
const MOST = 120;
/** A sender with fewer messages has taught nothing yet. */
const FEWEST = 3;

/** A message as its sender's earlier ones explain it; it explains the next ones, and puts right how those before it were read. */
export async function learnedFrom(
  tx: Aggregates,
  seen: Occurrence,
  options: DecideOptions,
): Promise<Occurrence> {
  const { observed, channel, ts } = seen;
  if (observed === undefined) return seen;
  const before = await tx.senders.before(observed.sender, ts, MOST);
  const { settings } = await tx.channels.get(channel);
  const map = mapFor(observed.sender, settings, options);
  await keep(tx, { channel, ts, observed });
  const all = [...before, { ts, observation: JSON.stringify(observed.observation) }];
  const messages = readNow(observed.sender, all, map);
  await reread(tx, channel, messages, options);
  return asRead(seen, messages);
}

/** The same for a report of a tool that no format knows. What it notes of a problem teaches nothing. */
export async function learnedReport<T extends Occurrence & { report: Report }>(
  tx: Aggregates,
  seen: T,
  options: DecideOptions,
): Promise<T> {
  const { source, channel, reading } = seen.report;
  if (channel === null || reading.alert.format !== 'generic' || (reading.note ?? '') !== '') return seen;
  const observed = { sender: `${channel} ${source}`, observation: observationOfReport(reading) };
  const { alert } = await learnedFrom(tx, { ...seen, observed }, options);
  const read = { ...alert, title: reading.alert.title };
  return { ...seen, alert: read, report: { ...seen.report, reading: { ...reading, alert: read } } };
}

/** Keeps what a channel's history has of its senders, so that they are known before their first alert. */
export async function keepHistory(store: Store, messages: readonly Occurrence[]): Promise<void> {
  await store.transaction(async (tx) => {
    for (const { channel, ts, observed } of messages)
      if (observed !== undefined) await keep(tx, { channel, ts, observed });
  });
}

async function keep(
  tx: Pick<Aggregates, 'senders'>,
  { channel, ts, observed }: { channel: string; ts: string; observed: Observed },
): Promise<void> {
  const { sender, observation } = observed;
  const at = Math.round(Number(ts) * 1_000);
  await tx.senders.keep({ channel, ts, sender, observation: JSON.stringify(observation), at });
}

function asRead(seen: Occurrence, messages: readonly ReadNow[]): Occurrence {
  const alert = messages.find(({ ts }) => ts === seen.ts)?.read(seen.alert);
  return alert === undefined
    ? seen
    : { ...seen, alert, note: alert.kind === 'not_an_alert' ? seen.note : null };
}

/** A sender's messages as they are read together, by what was confirmed of them; those of which nothing is known are left out. */
export function readNow(
  sender: string,
  messages: readonly Pick<SenderMessage, 'ts' | 'observation'>[],
  map: SenderMap | null,
): ReadNow[] {
  const known = messages.flatMap(({ ts, observation }) => {
    const read = decodeStored(Observation, observation);
    return read === null ? [] : [{ ts, observation: read }];
  });
  if (map === null && known.length <= FEWEST) return [];
  const { readings } = learn(
    sender,
    known.map(({ observation }) => observation),
    map,
  );
  return known.flatMap(({ ts, observation }, at) => {
    const reading = readings[at];
    if (reading === undefined || (known.length <= FEWEST && reading.isConfirmed !== true)) return [];
    return [{ ts, read: (alert) => withLearned(alert, reading, observation.lines) }];
  });
}

/** How a sender's messages are read after what a person, or the installation, said of them; `null` if nobody did. */
export function mapFor(
  sender: string,
  { senders }: ChannelSettings,
  { webhooks }: Pick<DecideOptions, 'webhooks'>,
): SenderMap | null {
  const stored = senders?.[sender];
  const confirmed = stored === undefined ? null : decodeStored(SenderMap, stored.map);
  return confirmed ?? webhooks?.maps.get(variableName(sender))?.messages ?? null;
}
