import { z } from 'zod';

const Severity = z.enum(['low', 'medium', 'high']);

/**
 * How alerts of one channel are filed (DESIGN section 4, *Filing*), as JSON in the `channels` table. What is
 * not set has its default, so a row of an older version reads as before.
 */
export const ChannelSettings = z.object({
  /** `suggest` files nothing by itself: a *File it* button under the alert instead. */
  mode: z.enum(['automatic', 'suggest']).default('automatic'),
  /** Whether people's own reports are filed by themselves too. */
  people: z.boolean().default(false),
  /** Patterns as written in the settings, one each; where there are any, one of them must match. */
  include: z.array(z.string()).default([]),
  /** Patterns of which none may match. */
  exclude: z.array(z.string()).default([]),
  /** Less severe alerts are not filed. */
  minimumSeverity: Severity.default('low'),
  /** The environment of an alert that names none; `null` for that of the installation. */
  environment: z.string().nullable().default(null),
  /** The severity of an alert that states none. */
  defaultSeverity: Severity.default('medium'),
  /** A recovery is noted on the card, or resolves the issue. */
  onRecovery: z.enum(['note', 'resolve']).default('note'),
  /** At most so many new issues in so many minutes; more are held. */
  budget: z
    .object({ issues: z.int().min(1).max(1_000), minutes: z.int().min(1).max(1_440) })
    .default({ issues: 10, minutes: 10 }),
  /** Minutes after `resolved` in which the same alert brings the same issue back. */
  coolDownMinutes: z.int().min(0).max(10_080).default(30),
  /** Whether results are shown in the channel too, beside the thread. */
  broadcast: z.boolean().default(false),
});
export type ChannelSettings = z.infer<typeof ChannelSettings>;

/** Settings as they are kept. What cannot be read of them has its default: a channel's alerts are filed all the same. */
export function readSettings(text: string): ChannelSettings {
  const kept = parsed(text);
  const settings = ChannelSettings.safeParse(kept);
  if (settings.success) return settings.data;
  const wrong = new Set(settings.error.issues.map(({ path }) => path[0]));
  const readable = Object.entries(Object(kept)).filter(([name]) => !wrong.has(name));
  return ChannelSettings.safeParse(Object.fromEntries(readable)).data ?? ChannelSettings.parse({});
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
