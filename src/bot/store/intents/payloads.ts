import { z } from 'zod';
import { decodeStored } from '../../../lib/decode-stored.ts';
import type { Tables } from '../tables.ts';
import { StoredOutboxKey } from './keys.ts';

/** The subject of an intent. `slack/delivery` renders it when it sends. */
export type IntentKind = Tables['outbox']['kind'];

/** A card or an answer, and its payload's details about the person who asked for it. */
const ForPerson = z.looseObject({
  /** Gets it by DM if the bot is not in the channel. */
  requester: z.string().optional(),
  /** The channel it was meant for, if it was sent by DM instead. */
  insteadOf: z.string().optional(),
  /** Slack's error for refusing it there, unless the bot is simply not a member. */
  because: z.string().optional(),
  /** What a question is about, if that is not visible in its thread. */
  shown: z.string().optional(),
});
export type ForPerson = z.infer<typeof ForPerson>;

const Place = z.object({ channel: z.string(), ts: z.string() });

/** What keeps alerts from being filed, most basic cause first. */
export const QUEUED_CAUSES = ['service:key', 'service:right:issues.create', 'service:down'] as const;

/** The contents of a channel's line besides its counts; times in milliseconds. */
const WaitingLine = z.object({
  what: z.literal('waiting'),
  cause: z.enum(QUEUED_CAUSES),
  since: z.number(),
  /** When the service accepted one of them again; `null` until then. */
  back: z.number().nullable(),
});
export type QueuedLine = z.infer<typeof WaitingLine>;

/** What is about to break, as the agent says; times in milliseconds. */
const SystemsLine = z.object({
  what: z.literal('systems'),
  lines: z.array(z.string()),
  lookedAt: z.number(),
  clearSince: z.number().nullable(),
  /** What the newest look could not see, and why. */
  problem: z.string().nullable(),
});
export type SystemsLine = z.infer<typeof SystemsLine>;

const changes = z.array(z.string());

const Announcement = z.discriminatedUnion('what', [
  z.object({ what: z.literal('watched'), by: z.string(), suggests: z.boolean(), changes }),
  z.object({ what: z.literal('changed'), by: z.string(), suggests: z.boolean().optional(), changes }),
  z.object({ what: z.literal('unwatched'), by: z.string() }),
  z.object({ what: z.literal('named_elsewhere'), by: z.string() }),
  z.object({ what: z.literal('paused'), by: z.string() }),
  z.object({ what: z.literal('resumed'), by: z.string(), held: z.number() }),
  z.object({
    what: z.literal('planned'),
    id: z.string(),
    by: z.string(),
    scope: z.array(z.string()),
    from: z.number(),
    until: z.number(),
    title: z.string(),
    isOver: z.literal(true).exactOptional(),
  }),
  /** So many alerts fired meanwhile, and so many of them are still open. */
  z.object({ what: z.literal('plan_ended'), title: z.string(), fired: z.number(), open: z.number() }),
  z.object({ what: z.literal('digest'), by: z.string(), when: z.string().nullable() }),
  z.object({
    what: z.literal('backfilled'),
    from: z.number(),
    to: z.number(),
    messages: z.number(),
    older: z.number(),
    isMore: z.boolean(),
  }),
  z.object({
    what: z.literal('trouble'),
    name: z.string(),
    reason: z.string(),
    since: z.number(),
    mendedAt: z.number().nullable(),
  }),
  z.object({ what: z.literal('unreadable') }),
  z.object({ what: z.literal('trial_over'), since: z.number() }),
  z.object({ what: z.literal('systems_watched'), by: z.string(), isOn: z.boolean() }),
  SystemsLine,
  WaitingLine,
]);

/** The payload of each kind of intent, besides its issue or question. Stored: names and shapes must not change. */
const schemas = {
  /** `received`: the id of the received alert. */
  alert: z.looseObject({ received: z.string() }),
  announcement: Announcement,
  answer: ForPerson,
  aside: z.discriminatedUnion('aside', [
    /** `by`: the person who wants the answers, if any. */
    z.looseObject({ aside: z.literal('late'), by: z.string().optional() }),
    z.looseObject({ aside: z.literal('not_listening'), who: z.string() }),
  ]),
  card: ForPerson,
  /** Times in milliseconds. */
  digest: z.object({
    since: z.number(),
    until: z.number(),
    /** When it was due; `null` if somebody asked for it. */
    due: z.number().nullable(),
    by: z.string().nullable(),
    /** Whether it says which alerts nobody needed. */
    hygiene: z.boolean().default(false),
  }),
  file: z.discriminatedUnion('file', [
    z.looseObject({
      file: z.literal('results'),
      issue: z.string(),
      version: z.number(),
      /** The message to post it after. */
      after: StoredOutboxKey.optional(),
    }),
    z.looseObject({ file: z.literal('writeup'), issue: z.string() }),
    z.looseObject({ file: z.literal('trial'), days: z.number() }),
    z.looseObject({ file: z.literal('artifact'), owner: z.string(), id: z.string() }),
  ]),
  held: z.looseObject({ hold: z.string() }),
  /**
   * `reason` is the service's, of one that failed; `owner`, `by`: whose channel it is in, and who asked; `other`: an issue,
   * with its cause `now`. */
  notice: z.looseObject({
    notice: z.enum([
      'nothing',
      'failed',
      'slow',
      'ask_here',
      'ask_owner',
      'another_cause',
      'symptom',
      'parted',
      'paged',
      'page_over',
    ]),
    /** The tool that pages. */
    tool: z.string().optional(),
    other: z.string().optional(),
    was: z.string().optional(),
    now: z.string().optional(),
    reason: z.string().optional(),
    owner: z.string().optional(),
    by: z.string().optional(),
  }),
  reaction: z.looseObject({ name: z.string(), ts: z.string() }),
  result: z.looseObject({
    version: z.number(),
    isSaid: z.boolean().default(false),
    /** It found what the version before it did: the message of that one is edited, and this is a line. */
    isAsBefore: z.boolean().default(false),
  }),
  short_card: z.looseObject({ alert: Place }),
  sign: z.looseObject({ alert: Place }),
  suggestion: z.looseObject({
    alert: Place,
    /** Who filed it, and whether an existing open issue only counts it. */
    by: z.string().optional(),
    counted: z.boolean().default(false),
  }),
  /** `card`: the key of the short card whose thread it is in. */
  verdict: z.looseObject({ version: z.number(), card: StoredOutboxKey }),
} satisfies Record<IntentKind, z.ZodType>;

export type WrittenPayload<K extends IntentKind> = z.input<(typeof schemas)[K]>;

type Read = { [K in IntentKind]: z.output<(typeof schemas)[K]> };
export type Payload<K extends IntentKind> = Read[K];

const codecs: { [K in IntentKind]: z.ZodType<Read[K]> } = schemas;

/** The outbox's `payload` column. */
interface Stored {
  payload: string;
}

export function encodePayload(payload: WrittenPayload<IntentKind>): string {
  return JSON.stringify(payload);
}

/**
 * The payload of a stored intent of that kind.
 *
 * @throws SyntaxError or ZodError if unreadable
 */
export function payloadOf<K extends IntentKind>(kind: K, { payload }: Stored): Payload<K> {
  return codecs[kind].parse(JSON.parse(payload));
}

/** Like `payloadOf`, but `null` if unreadable. */
export function readablePayloadOf<K extends IntentKind>(kind: K, { payload }: Stored): Payload<K> | null {
  return decodeStored(codecs[kind], payload);
}

/** The person an intent of any kind is for; nobody if that cannot be read. */
export function personOf({ payload }: Stored): ForPerson {
  return decodeStored(ForPerson, payload) ?? {};
}

/** The line about alerts waiting for the service; `null` if unreadable or a different announcement. */
export function queuedLineOf({ payload }: Stored): QueuedLine | null {
  return decodeStored(WaitingLine, payload);
}

/** What a channel's message says of what is about to break; `null` if unreadable. */
export function systemsLineOf({ payload }: Stored): SystemsLine | null {
  return decodeStored(SystemsLine, payload);
}

/** Which notice ended an investigation; `null` if unreadable. */
export function endingOf({ payload }: Stored): string | null {
  return decodeStored(z.looseObject({ notice: z.string() }), payload)?.notice ?? null;
}
