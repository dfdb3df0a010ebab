import { createHash } from 'node:crypto';
import { decodeStored } from '../../lib/decode-stored.ts';
import { learn } from '../alerts/senders/learned.ts';
import type { SenderMap } from '../alerts/senders/map.ts';
import { Observation } from '../alerts/senders/observation.ts';
import { holds } from '../alerts/senders/proposal.ts';
import { type ShownKind, shownKinds } from '../alerts/senders/shown.ts';
import { mapInWords } from '../settings/senders.ts';
import { changeIntent } from '../store/intents/channel-intents.ts';
import type { Aggregates } from '../store/open.ts';
import type { SenderMessage } from '../store/senders.ts';
import { mapFor, readNow } from './learned.ts';
import type { DecideOptions } from './occurrence.ts';
import { proposedFor } from './proposals.ts';
import { reread } from './reread.ts';

/** The last messages of a sender that are shown; those that explain its next one are fewer. */
const MOST = 500;
/** A form has no room for more. */
const MOST_SENDERS = 8;
const MOST_KINDS = 8;

/** A sender in a channel, and how its messages are read. */
export interface KnownSender {
  sender: string;
  /** What its buttons carry. */
  id: string;
  /** Its names, as people see them; untrusted. */
  name: string;
  messages: number;
  /** Its newest message counted here: what came later changes none of its kinds. */
  upTo: string;
  kinds: ShownKind[];
  map: SenderMap | null;
  confirmed: { by: string; at: number } | null;
}

type Options = Pick<DecideOptions, 'webhooks'>;

/** Who posts in a channel in a form that no format knows; those with the most messages first. */
export async function sendersIn(tx: Reads, channel: string, options: Options): Promise<KnownSender[]> {
  const all = await tx.senders.in(channel);
  const found: KnownSender[] = [];
  for (const { sender } of all.filter(({ messages }) => messages > 1).slice(0, MOST_SENDERS))
    found.push(await knownSender(tx, { channel, sender }, options));
  return found;
}

type Reads = Pick<Aggregates, 'senders' | 'channels' | 'flags'>;

/** One of them, by what its buttons carry; `null` if there is none. */
export async function senderNamed(
  tx: Reads,
  { channel, id, upTo, states }: { channel: string; id: string; upTo?: string; states?: readonly string[] },
  options: Options,
): Promise<KnownSender | null> {
  const found = (await tx.senders.in(channel)).find(({ sender }) => idOf(sender) === id);
  return found === undefined
    ? null
    : knownSender(tx, { channel, sender: found.sender, upTo, states }, options);
}

async function knownSender(
  tx: Reads,
  {
    channel,
    sender,
    upTo,
    states = [],
  }: { channel: string; sender: string; upTo?: string | undefined; states?: readonly string[] | undefined },
  options: Options,
): Promise<KnownSender> {
  const { settings } = await tx.channels.get(channel);
  // One more digit comes behind this message, and before the next.
  const rows = await tx.senders.before(sender, upTo === undefined ? LAST : `${upTo}0`, MOST);
  const map = mapFor(sender, settings, options);
  const stored = settings.senders?.[sender];
  const id = idOf(sender);
  const supposed = map === null ? await proposedFor(tx, channel, id) : [];
  return {
    sender,
    id,
    name: sender.slice(sender.indexOf(' ') + 1),
    messages: rows.length,
    upTo: rows.at(-1)?.ts ?? '',
    kinds: kindsOf(sender, rows, { map, states, supposed }).slice(0, MOST_KINDS),
    map,
    confirmed: stored === undefined ? null : { by: stored.by, at: stored.at },
  };
}

/** Cached, since the form is rendered again with each letter typed in it; the same messages give the same result. */
const known = new Map<string, ShownKind[]>();
const MOST_CACHED = 50;

function kindsOf(
  sender: string,
  rows: readonly Pick<SenderMessage, 'observation'>[],
  said: { map: SenderMap | null; states: readonly string[]; supposed: readonly SenderMap[] },
): ShownKind[] {
  const texts = rows.map(({ observation }) => observation);
  const key = idOf(JSON.stringify([sender, texts, said]));
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size >= MOST_CACHED) known.clear();
  const observations = texts.flatMap((text) => decodeStored(Observation, text) ?? []);
  const borneOut = said.supposed.filter((one) => holds(one, sender, observations));
  const proposed = {
    problems: borneOut.flatMap(({ problems }) => problems),
    noAlert: borneOut.flatMap(({ noAlert }) => noAlert),
  };
  const kinds = shownKinds(sender, learn(sender, observations), { ...said, proposed });
  known.set(key, kinds);
  return kinds;
}

const LAST = '9999999999.999999';

function idOf(sender: string): string {
  return createHash('sha256').update(sender).digest('hex').slice(0, 12);
}

/** A person says how a sender's messages are read. */
export interface Confirmation {
  cause: string;
  channel: string;
  sender: Pick<KnownSender, 'sender' | 'name'>;
  map: SenderMap;
  by: string;
}

/**
 * Stores how a sender's messages are read, with the audit entry and the announcement, and puts right what open issues count of
 * them. Confirming the same again changes nothing.
 */
export async function confirmSender(
  tx: Aggregates,
  { cause, channel, sender: { sender, name }, map, by }: Confirmation,
  options: Omit<DecideOptions, 'maxIssuesPerDay'>,
): Promise<void> {
  const { settings, watched } = await tx.channels.get(channel);
  const text = JSON.stringify(map);
  if (settings.senders?.[sender]?.map === text) return;
  const now = options.clock.now();
  await tx.channels.confirmSender(channel, sender, { map: text, by, at: now });
  const change = `messages of ${name}: ${mapInWords(map)}`;
  await tx.audit.add({
    at: now,
    who: by,
    what: `confirmed how messages of ${name} are read`,
    issueId: null,
    channel,
  });
  if (watched && settings.trial === undefined)
    await tx.outbox.want(changeIntent(cause, channel, { what: 'changed', by, changes: [change] }, now));
  const messages = readNow(sender, await tx.senders.before(sender, LAST, MOST), map);
  await reread(tx, channel, messages, options);
}
