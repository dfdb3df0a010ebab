import { z } from 'zod';
import { parseJson } from '../../lib/json.ts';

const Severity = z.enum(['low', 'medium', 'high']);

/**
 * How alerts of one channel are filed, as JSON in the `channels` table. Missing settings
 * have their defaults, so rows of older versions stay valid.
 */
export const ChannelSettings = z.object({
  /** `suggest` files nothing automatically, and shows a *File it* button under the alert instead. */
  mode: z.enum(['automatic', 'suggest']).default('automatic'),
  /** Whether people's own reports are filed automatically too. */
  people: z.boolean().default(false),
  /** Patterns as written in the settings; if there are any, one of them must match. */
  include: z.array(z.string()).default([]),
  /** Patterns, none of which may match. */
  exclude: z.array(z.string()).default([]),
  /** Less severe alerts are not filed. */
  minimumSeverity: Severity.default('low'),
  /** The environment of an alert that names none; `null` for the installation's default. */
  environment: z.string().nullable().default(null),
  /** The severity of an alert that states none. */
  defaultSeverity: Severity.default('medium'),
  /** Whether a recovery is noted on the card or resolves the issue. */
  onRecovery: z.enum(['note', 'resolve']).default('note'),
  /** The maximum of new issues in a number of minutes; more are held. */
  budget: z
    .object({ issues: z.int().min(1).max(1_000), minutes: z.int().min(1).max(1_440) })
    .default({ issues: 10, minutes: 10 }),
  /** Minutes after `resolved` during which the same alert reopens the issue, and is looked at twice at most. */
  coolDownMinutes: z.int().min(0).max(10_080).default(30),
  /** Minutes that a recovery has to hold: what fires again sooner is the same episode, and not investigated again. */
  recoveryMinutes: z.int().min(0).max(1_440).default(2),
  /** Whether results are also shown in the channel, not only in the thread. */
  broadcast: z.boolean().default(false),
  /** Whether each issue of high severity that is unresolved after an hour gets a ticket. */
  tickets: z.boolean().exactOptional(),
  /** Whether its digest says once a week which alerts nobody needed. */
  hygiene: z.boolean().exactOptional(),
  /** Of a private channel: who has agreed that its issues may be named in answers elsewhere, and when (milliseconds). */
  namedElsewhere: z
    .object({ by: z.string(), at: z.number(), model: z.string().exactOptional() })
    .exactOptional(),
  /** Who wants to know each hour what is about to break, and since when (milliseconds). */
  systems: z.object({ by: z.string(), at: z.number() }).exactOptional(),
  /** By sender how its messages are read (a `SenderMap` as JSON), who confirmed that, and when (milliseconds). */
  senders: z
    .record(z.string(), z.object({ map: z.string(), by: z.string(), at: z.number() }))
    .exactOptional(),
  /** On trial: who began it, and when (milliseconds). Nothing is posted in the channel but one message at its end. */
  trial: z.object({ by: z.string(), at: z.number() }).exactOptional(),
});
export type ChannelSettings = z.infer<typeof ChannelSettings>;

/** Reads stored settings. Anything unreadable falls back to its default, so the channel's alerts are still filed. */
export function readSettings(text: string): ChannelSettings {
  const kept = parseJson(text);
  const settings = ChannelSettings.safeParse(kept);
  if (settings.success) return settings.data;
  const wrong = new Set(settings.error.issues.map(({ path }) => path[0]));
  const readable = Object.entries(Object(kept)).filter(([name]) => !wrong.has(name));
  return ChannelSettings.safeParse(Object.fromEntries(readable)).data ?? ChannelSettings.parse({});
}
