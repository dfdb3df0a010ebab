/**
 * What the page's panel and the workspace say to each other: everything that happens around the bot and can be played.
 * Below `/page-api`, like `page-api.ts`, and types only, too.
 *
 * | call | body → answer |
 * |---|---|
 * | `GET /stage` | → `PageStage` |
 * | `POST /stage/play` | `{ scenario }` → `PageOutcome`; breaks the shop and has the alert posted |
 * | `POST /stage/alert` | `{ tool, how, channel }` → `PageOutcome`; `how` is a `PageAlertKind`, `channel` an id |
 * | `POST /stage/break` | `{ fault, service }` → `PageOutcome`; what goes wrong in the simulated shop from now on |
 * | `POST /stage/mend` | `{}` → `PageOutcome`; ends everything that goes wrong in the shop |
 * | `POST /stage/service` | `{ down }` → `PageOutcome`; takes the investigation service down, or brings it back |
 * | `POST /stage/bot` | `{ do }` → `PageOutcome`; a `PageBotDeed` |
 * | `POST /stage/socket` | `{ reason }` → `PageOutcome`; Slack ends the Socket Mode connections: a `PageSocketEnd` |
 * | `POST /stage/faults` | `PageFaults`, all of it → `PageOutcome`; the faults of the local Slack from now on |
 *
 * Refusals are sentences, also those of a body that is not right. A person with a terminal, or a test, may ask as the page does;
 * faults that are left out are off then, so that `{}` ends them all:
 *
 *     curl -s localhost:3000/page-api/stage
 *     curl -s localhost:3000/page-api/stage/faults --json '{"rateLimited":0.2,"methods":["chat.postMessage"]}'
 *     curl -s localhost:3000/page-api/stage/faults --json '{}'
 *     curl -s localhost:3000/page-api/stage/socket --json '{"reason":"drop"}'
 *
 * A change of any of it is the `PageEvent` `{ type: 'stage', stage: PageStage }`.
 */
export interface PageStage {
  /** Empty where the service is a real one: then nothing can be broken. */
  scenarios: { name: string; title: string; about: string }[];
  /** The tools whose alerts can be posted; `again` and `recovers` follow on what was posted in the channel before. */
  tools: { id: string; name: string; recovers: boolean }[];
  /** The simulated shop; `null` where the service is a real one. */
  shop: PageShop | null;
  /** The embedded service; `null` where it is a real one. */
  service: { down: boolean } | null;
  /** The bot's process; `null` where somebody else runs it. */
  bot: { state: PageBotState } | null;
  faults: PageFaults;
}

/** `storm` is a hundred alerts of different problems. */
export type PageAlertKind = 'fires' | 'again' | 'recovers' | 'storm';

export interface PageShop {
  faults: { kind: string; title: string; services: string[] }[];
  /** What goes wrong now; `since` in milliseconds. */
  broken: { kind: string; service: string; since: number }[];
}

export type PageBotState = 'running' | 'starting' | 'stopping' | 'down';

/** `kill` is SIGKILL, `stop` an ordered stop; `restart` is both stop and start. */
export type PageBotDeed = 'kill' | 'stop' | 'start' | 'restart';

/** As Slack ends them: with its words, or without any. */
export type PageSocketEnd = 'warning' | 'refresh_requested' | 'drop';

/** What goes wrong between the local Slack and the app, until it is switched off or the local Slack starts anew. */
export interface PageFaults {
  /** Milliseconds that every call of the Web API takes longer. */
  latencyMs: number;
  /** Of the calls, so many are refused in each way: from 0 to 1, together at most 1. This one is 429, with `Retry-After`. */
  rateLimited: number;
  /** Answered 500, and nothing has happened. */
  serverErrors: number;
  /** The connection breaks before anything has happened, or after it has. */
  resetsBefore: number;
  resetsAfter: number;
  /** Only calls of these methods are late, refused or broken off, e.g. `chat.postMessage`; all where it is empty. */
  methods: string[];
  /** Events are delivered twice. */
  twins: boolean;
  /** Milliseconds by which each event may come late, so that they overtake each other. */
  shuffleMs: number;
  /** What the bot's token is refused with, e.g. `token_revoked`; `null` while it is taken. */
  token: string | null;
  /** Scopes of the manifest that are not granted. */
  withheldScopes: string[];
}
