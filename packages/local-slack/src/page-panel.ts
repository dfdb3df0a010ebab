import { z } from 'zod';

/**
 * The contract of the control panel: everything around the bot that a person can trigger or break. One zod source for
 * the workspace, which checks requests, and the page, which checks answers. The paths are below `/page-api`; they kept
 * the name `stage`, because scripts use them.
 *
 * | call | body → answer |
 * |---|---|
 * | `GET /stage` | → `PagePanel` |
 * | `POST /stage/play` | `PlayRequest` → `PageOutcome`; breaks the shop and posts the alert |
 * | `POST /stage/alert` | `AlertRequest` → `PageOutcome` |
 * | `POST /stage/break` | `BreakRequest` → `PageOutcome`; injects a fault into the simulated shop |
 * | `POST /stage/mend` | `{}` → `PageOutcome`; ends all faults of the shop |
 * | `POST /stage/service` | `ServiceRequest` → `PageOutcome`; takes the investigation service down, or brings it back |
 * | `POST /stage/bot` | `BotRequest` → `PageOutcome` |
 * | `POST /stage/socket` | `SocketRequest` → `PageOutcome`; Slack ends the Socket Mode connections |
 * | `POST /stage/faults` | all of `PageFaults` → `PageOutcome`; replaces the faults of the local Slack |
 *
 * Refusals are sentences, for a malformed body too, because people call this from a terminal. Faults that are left out
 * are off, so `{}` ends them all:
 *
 *     curl -s localhost:3000/page-api/stage
 *     curl -s localhost:3000/page-api/stage/faults --json '{"rateLimited":0.2,"methods":["chat.postMessage"]}'
 *     curl -s localhost:3000/page-api/stage/faults --json '{}'
 *     curl -s localhost:3000/page-api/stage/socket --json '{"reason":"drop"}'
 *
 * Every change is sent as the `PageEvent` `{ type: 'stage', stage: PagePanel }`.
 */

/** Milliseconds; nobody waits longer than that. */
const MAX_DELAY_MS = 60_000;
/** Sums of shares such as 0.1 are off by this much. */
const ROUNDING = 1e-9;

const name = z.string({ error: 'must be a string' }).min(1, { error: 'must not be empty' });
const flag = z.boolean({ error: 'must be true or false' });
const share = between(0, 1);
const milliseconds = between(0, MAX_DELAY_MS);
const names = z.array(name, { error: 'must be a list' });

function oneOf<const T extends readonly string[]>(values: T) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

function between(from: number, to: number) {
  const error = `must be a number from ${from} to ${to}`;
  return z.number({ error }).min(from, { error }).max(to, { error });
}

/** An unknown field is a typing mistake, not something to ignore. */
function exactly<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `must not have ${issue.keys.join(', ')}` : 'must be a JSON object',
  });
}

/** `storm` is a hundred alerts about different problems. */
export const PageAlertKind = oneOf(['fires', 'again', 'recovers', 'storm']);
export type PageAlertKind = z.infer<typeof PageAlertKind>;

/** `kill` is SIGKILL, `stop` is a graceful shutdown; `restart` is `stop`, then `start`. */
export const PageBotCommand = oneOf(['kill', 'stop', 'start', 'restart']);
export type PageBotCommand = z.infer<typeof PageBotCommand>;

export const PageBotState = z.enum(['running', 'starting', 'stopping', 'down']);
export type PageBotState = z.infer<typeof PageBotState>;

/** How Slack ends a connection: with a `disconnect` message that gives this reason, or without any. */
export const PageDisconnect = oneOf(['warning', 'refresh_requested', 'drop']);
export type PageDisconnect = z.infer<typeof PageDisconnect>;

/** Each may be absent from a request, which turns it off. */
export const PageFaults = exactly({
  /** Milliseconds added to every Web API call. */
  latencyMs: milliseconds.default(0),
  /** Share of calls that fail in each way, from 0 to 1, together at most 1. This one is 429 with `Retry-After`. */
  rateLimited: share.default(0),
  /** Answered 500, without any effect. */
  serverErrors: share.default(0),
  /** The connection breaks before the call has had any effect, or after it has. */
  resetsBefore: share.default(0),
  resetsAfter: share.default(0),
  /** Limits the faults of calls to these methods, e.g. `chat.postMessage`; empty means all. */
  methods: names.default([]),
  /** Every event is delivered twice. */
  twins: flag.default(false),
  /** Events are delayed by up to this many milliseconds each, so that they arrive out of order. */
  shuffleMs: milliseconds.default(0),
  /** The error that calls with the bot's token get, e.g. `token_revoked`; `null` while it is accepted. */
  token: z
    .string({ error: 'must be a string or null' })
    .regex(/^[a-z_]+$/u, { error: 'must be a Slack error code such as token_revoked' })
    .nullable()
    .default(null),
  /** Scopes of the manifest that are not granted. */
  withheldScopes: names.default([]),
  /** Types of blocks that this workspace does not have: messages with one are refused with `invalid_blocks`. */
  refusedBlocks: names.default([]),
}).refine(
  ({ rateLimited, serverErrors, resetsBefore, resetsAfter }) =>
    rateLimited + serverErrors + resetsBefore + resetsAfter <= 1 + ROUNDING,
  { error: 'must not have rateLimited, serverErrors, resetsBefore and resetsAfter add up to more than 1' },
);
/** Faults between the local Slack and the app, until they are switched off or the local Slack restarts. */
export type PageFaults = z.infer<typeof PageFaults>;

export const PageShop = z.object({
  faults: z.array(z.object({ kind: z.string(), title: z.string(), services: z.array(z.string()) })),
  /** The active faults; `since` in milliseconds. */
  broken: z.array(z.object({ kind: z.string(), service: z.string(), since: z.number() })),
});
export type PageShop = z.infer<typeof PageShop>;

export const PagePanel = z.object({
  /** Empty with a real service, where nothing can be broken. */
  scenarios: z.array(z.object({ name: z.string(), title: z.string(), about: z.string() })),
  /** The tools whose alerts can be posted; `again` and `recovers` refer to the last alert in the channel. */
  tools: z.array(z.object({ id: z.string(), name: z.string(), recovers: z.boolean() })),
  /** The simulated shop; `null` with a real service. */
  shop: PageShop.nullable(),
  /** The embedded service; `null` with a real one. */
  service: z.object({ down: z.boolean() }).nullable(),
  /** The bot's process; `null` if somebody else runs it. */
  bot: z.object({ state: PageBotState }).nullable(),
  /** Where tools on this machine can post to a channel, as Slack's incoming webhooks. */
  webhooks: z.array(z.object({ channel: z.string(), name: z.string(), url: z.string() })),
  faults: PageFaults,
});
export type PagePanel = z.infer<typeof PagePanel>;

export const PlayRequest = exactly({ scenario: name });
/** `channel` is an id. */
export const AlertRequest = exactly({ tool: name, how: PageAlertKind, channel: name });
export const BreakRequest = exactly({ fault: name, service: name });
export const RepairRequest = exactly({});
export const ServiceRequest = exactly({ down: flag });
export const BotRequest = exactly({ do: PageBotCommand });
export const SocketRequest = exactly({ reason: PageDisconnect });
