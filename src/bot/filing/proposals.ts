import type { Services } from '../../contract/client/client.ts';
import { ServiceError } from '../../contract/client/errors.ts';
import type { LanguageModel, TemplateAnswer } from '../../contract/schema.ts';
import type { Clock } from '../../lib/clock.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import { createMasking } from '../../lib/masking.ts';
import { WILDCARD } from '../../lib/templates.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import { SenderMap } from '../alerts/senders/map.ts';
import { isNoise } from '../alerts/senders/pairs.ts';
import { mapOfSupposition, templateOf, wordingKey } from '../alerts/senders/proposal.ts';
import type { ShownKind } from '../alerts/senders/shown.ts';
import type { Logger } from '../shared/log.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { type OriginOf, organizationFor } from './privacy.ts';

const EVERY_MS = 10 * 60_000;
const MOST_A_ROUND = 5;
/** Whatever stopped the program so often while it asked may do so again. */
const MOST_ATTEMPTS = 3;
/** Of fewer messages it is too early to say that they stay unsure. */
const FEWEST = 4;
const MOST_SLOTS = 20;
const MOST_EXAMPLES = 5;
const LONGEST_EXAMPLE = 1_000;
const LONGEST_VALUE = 100;
const LONGEST_TEMPLATE = 500;

/** A sender in a channel, as it is read now. */
interface Sender {
  sender: string;
  id: string;
  map: SenderMap | null;
  kinds: readonly ShownKind[];
}

interface Options {
  store: Store;
  sendersIn: (channel: string) => Promise<readonly Sender[]>;
  services: Services;
  languageModel: () => Promise<LanguageModel | null>;
  originOf: OriginOf;
  clock: Clock;
  log: Logger;
}

/**
 * Asks the service's model, once for each wording of a sender that stays unsure, what it reports. An answer that the messages
 * confirm is kept, and shown as a proposal where a person confirms how the sender is read; it decides nothing.
 */
export function createProposalWatch(options: Options): Worker {
  return createWorkerLoop({
    round: (signal) => proposeReadings(options, signal),
    rest: (signal) => options.clock.sleep(EVERY_MS, signal),
    onError: (error) => options.log.error({ err: error }, 'could not ask how a sender is read'),
  });
}

export async function proposeReadings(options: Options, signal: AbortSignal): Promise<void> {
  const { store, sendersIn, languageModel, originOf } = options;
  const model = await languageModel();
  if (model?.uses?.includes('alerts') !== true) return;
  let left = MOST_A_ROUND;
  for (const { channel } of await store.channels.watched()) {
    const origin = await originOf({ channel, organization: null });
    if (origin.isPrivate === true && origin.agreedModel !== model.host) continue;
    for (const sender of await sendersIn(channel)) {
      if (sender.map !== null) continue;
      for (const kind of sender.kinds.filter(isUnsure)) {
        if (left === 0 || signal.aborted) return;
        const said = await askOnce({ channel, sender, kind, origin }, options, signal);
        if (said === 'later') return;
        if (said === 'asked') left -= 1;
      }
    }
  }
}

/** What was proposed for a sender. */
export async function proposedFor(
  tx: Pick<Aggregates, 'flags'>,
  channel: string,
  sender: string,
): Promise<SenderMap[]> {
  const rows = await tx.flags.proposals(channel, sender);
  return rows.flatMap(({ map }) => (map === null ? [] : (decodeStored(SenderMap, map) ?? [])));
}

/** Of what is not read as an alert, only planned work and the like is certain not to be one. */
function isUnsure({ kind, is, isSure, isProposed, messages }: ShownKind): boolean {
  const isKnown = isSure && (is !== 'no_alert' || isNoise(kind));
  return !isKnown && isProposed !== true && messages >= FEWEST;
}

interface Question {
  channel: string;
  sender: Sender;
  kind: ShownKind;
  origin: Awaited<ReturnType<OriginOf>>;
}

/** An attempt is stored before it is made, so that neither a restart nor another replica asks without end. */
async function askOnce(
  { channel, sender, kind, origin }: Question,
  { store, services, clock, log }: Options,
  signal: AbortSignal,
): Promise<'asked' | 'known' | 'later'> {
  const place = { channel, sender: sender.id, wording: wordingKey(kind) };
  const attempts = await store.transaction(async (tx) => {
    const before = (await tx.flags.proposals(channel, sender.id)).find(
      (one) => one.wording === place.wording,
    );
    const made = before?.attempts ?? 0;
    if (before?.isAnswered === true || made >= MOST_ATTEMPTS) return null;
    await tx.flags.putProposal({
      ...place,
      attempts: made + 1,
      at: clock.now(),
      isAnswered: false,
      map: null,
    });
    return made + 1;
  });
  if (attempts === null) return 'known';
  const others = sender.kinds.filter((one) => one !== kind).slice(0, MOST_OTHERS);
  const service = services.for(await organizationFor(store, channel));
  const answer = await service
    .readTemplate(requestOf(kind, others), origin, signal)
    .catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      log.warn({ err: error }, 'the service was not asked how a sender is read');
      return null;
    });
  const isAnswered = answer?.asked === true;
  const map = isAnswered ? mapIn(answer, { sender, kind, others }) : null;
  // What was not asked is no attempt: the day's tokens may be used up.
  const row = { ...place, attempts: isAnswered ? attempts : attempts - 1, at: clock.now(), isAnswered };
  await store.flags.putProposal({ ...row, map: map === null ? null : JSON.stringify(map) });
  return isAnswered ? 'asked' : 'later';
}

const MOST_OTHERS = 8;

/** What is sent: masked messages, and otherwise only words that occur in them. The service masks once more. */
function requestOf(kind: ShownKind, others: readonly ShownKind[]) {
  const masking = createMasking();
  const textOf = ({ kind: { messages } }: ShownKind, at: number) =>
    masking.text(messages.at(at)?.observation.lines.join('\n') ?? '').slice(0, LONGEST_EXAMPLE);
  const examples = kind.kind.messages.slice(-MOST_EXAMPLES).map((_, at) => textOf(kind, -1 - at));
  const known = examples.join('\n').toLowerCase();
  const isShown = (word: string) =>
    word.length <= LONGEST_VALUE && known.includes(word.replace(/[:=]$/u, ''));
  return {
    template: templateOf(kind).map((line) =>
      line
        .split(' ')
        .map((word) => (isShown(word) ? word : WILDCARD))
        .join(' ')
        .slice(0, LONGEST_TEMPLATE),
    ),
    slots: kind.parts.slice(0, MOST_SLOTS).map(({ label, values }) => ({
      label: label !== null && isShown(label) ? label : null,
      values: values.filter(isShown).slice(0, MOST_EXAMPLES),
    })),
    examples,
    others: others.map((one) => textOf(one, -1)),
  };
}

function mapIn(
  { proposal }: TemplateAnswer,
  { sender, kind, others }: { sender: Sender; kind: ShownKind; others: readonly ShownKind[] },
) {
  // What is read as no alert needs nobody to say so.
  if (proposal === null || (proposal.is === 'no_alert' && kind.is === 'no_alert')) return null;
  const names = kind.parts.flatMap(({ key }, at) => (proposal.roles[at] === 'name' ? [key] : []));
  const other = proposal.pairsWith === null ? null : (others[proposal.pairsWith] ?? null);
  return mapOfSupposition(sender.sender, sender.kinds, { of: kind, is: proposal.is, other, names });
}
