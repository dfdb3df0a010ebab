import { z } from 'zod';

/**
 * The contract of the control panel: what can be made to happen around the app. One zod source for the workspace, which
 * checks requests, and the page, which checks answers. The paths are below `/page-api`:
 *
 * | call | body → answer |
 * |---|---|
 * | `GET /stage` | → `PagePanel` |
 * | `POST /stage/socket` | `SocketRequest` → `PageOutcome`; Slack ends the Socket Mode connections |
 * | `POST /stage/faults` | all of `PageFaults` → `PageOutcome`; replaces the faults of the local Slack |
 * | `POST /stage/<call>` | the body of a call of `ControlPanel` → `PageOutcome` |
 *
 * Refusals are sentences, for a malformed body too, because people call this from a terminal. Every change is sent as the
 * `PageEvent` `{ type: 'stage', stage: PagePanel }`.
 */

/** Milliseconds; nobody waits longer than that. */
const MAX_DELAY_MS = 60_000;
/** Sums of shares such as 0.1 are off by this much. */
const ROUNDING = 1e-9;

const share = between(0, 1);
const milliseconds = between(0, MAX_DELAY_MS);
const names = z.array(z.string().min(1));

function between(from: number, to: number) {
  const error = `must be a number from ${from} to ${to}`;
  return z.number({ error }).min(from, { error }).max(to, { error });
}

/** How Slack ends a connection: with a `disconnect` message that gives this reason, or without any. */
const PageDisconnect = z.enum(['warning', 'refresh_requested', 'drop']);
export type PageDisconnect = z.infer<typeof PageDisconnect>;
export const SocketRequest = z.strictObject({ reason: PageDisconnect });

/** Each may be absent from a request, which turns it off. */
export const PageFaults = z
  .strictObject({
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
    twins: z.boolean().default(false),
    /** Events are delayed by up to this many milliseconds each, so that they arrive out of order. */
    shuffleMs: milliseconds.default(0),
    /** The error that calls with the bot's token get, e.g. `token_revoked`; `null` while it is accepted. */
    token: z
      .string()
      .regex(/^[a-z_]+$/u, { error: 'must be a Slack error code such as token_revoked' })
      .nullable()
      .default(null),
    /** Scopes of the manifest that are not granted. */
    withheldScopes: names.default([]),
    /** Types of blocks that this workspace does not have: messages with one are refused with `invalid_blocks`. */
    refusedBlocks: names.default([]),
  })
  .refine(
    ({ rateLimited, serverErrors, resetsBefore, resetsAfter }) =>
      rateLimited + serverErrors + resetsBefore + resetsAfter <= 1 + ROUNDING,
    { error: 'must not have rateLimited, serverErrors, resetsBefore and resetsAfter add up to more than 1' },
  );
/** Faults between the local Slack and the app, until they are switched off or the local Slack restarts. */
export type PageFaults = z.infer<typeof PageFaults>;

/** Pressed, it calls `POST /stage/<call>` with its own values and what is chosen in the fields of its section. */
const PageButton = z.object({
  label: z.string(),
  /** Its accessible name where several buttons bear the same label. */
  name: z.exactOptional(z.string()),
  call: z.string(),
  values: z.exactOptional(z.record(z.string(), z.unknown())),
  /** Its label until the call is answered. */
  busy: z.string(),
  /** What is said afterwards, empty if the effect can be seen; `{tool}` is the name chosen in the field `tool`. */
  done: z.string(),
  /** Why it cannot be pressed now, as a sentence. */
  disabled: z.exactOptional(z.string()),
  style: z.exactOptional(z.enum(['primary', 'danger'])),
});
export type PageButton = z.infer<typeof PageButton>;

const PageFieldOption = z.object({
  id: z.string(),
  name: z.string(),
  /** Offered only while the field before holds one of these. */
  only: z.exactOptional(z.array(z.string())),
  /** The buttons, by label, that cannot be pressed while it is chosen, each with the reason as a sentence. */
  disables: z.exactOptional(z.record(z.string(), z.string())),
});

/** One of several is chosen. */
const PageField = z.object({
  /** Its name in the call's body. */
  id: z.string(),
  label: z.string(),
  options: z.union([z.literal('channels'), z.array(PageFieldOption)]),
});
export type PageField = z.infer<typeof PageField>;

/** A part of the panel that whoever starts the workspace adds: what is there, and what can be done with it. */
export const PageSection = z.object({
  id: z.string(),
  /** Its label in the panel's navigation. */
  short: z.string(),
  title: z.string(),
  /** What it is for, in one line. */
  about: z.string(),
  /** How it is now. */
  state: z.exactOptional(z.object({ text: z.string(), tone: z.enum(['good', 'busy', 'bad']) })),
  fields: z.exactOptional(z.array(PageField)),
  list: z.exactOptional(
    z.object({
      label: z.string(),
      whenEmpty: z.string(),
      items: z.array(
        z.object({
          title: z.string(),
          text: z.string(),
          /** Milliseconds since the epoch. */
          since: z.exactOptional(z.number()),
          button: z.exactOptional(PageButton),
        }),
      ),
    }),
  ),
  buttons: z.exactOptional(z.array(PageButton)),
  /** Said in the sidebar while the panel is closed, too, so that nobody wonders why things fail. */
  warning: z.exactOptional(z.string()),
});
export type PageSection = z.infer<typeof PageSection>;

export const PagePanel = z.object({
  /** Those of the `ControlPanel`, in its order. */
  sections: z.array(PageSection),
  /** Where tools on this machine can post to a channel, as Slack's incoming webhooks. */
  webhooks: z.array(z.object({ channel: z.string(), name: z.string(), url: z.string() })),
  faults: PageFaults,
});
export type PagePanel = z.infer<typeof PagePanel>;
