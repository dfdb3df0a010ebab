import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Problem } from './problem.ts';
import { fill } from './template.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** The local workspace runs from a checkout, where the tests' fixtures are. */
const FIXTURES = fileURLToPath(new URL('../../../../test/bot/alerts/formats/fixtures', import.meta.url));

/** The company of the recorded messages is played as the shop. */
const COMPANY = { 'example.io': 'shop.example', acme: 'shop' };

const Playable = z.object({
  /** Words of the fixture's message, and what replaces them when another problem is played. */
  playable: z.record(z.string(), z.string()),
  /** What people call the tool, where its messages are signed with another name; in the alert. */
  playedAs: z.string().optional(),
  /** In a recovery that the tool reports by editing the alert's message. */
  playedBy: z.literal('edit').optional(),
});

const Fixture = Playable.extend({
  message: z.object({
    text: z.string(),
    username: z.string().optional(),
    icons: z.object({ emoji: z.string().optional() }).optional(),
    app_id: z.string().optional(),
    bot_profile: z.object({ name: z.string() }).optional(),
    thread_ts: z.string().optional(),
    attachments: z.array(z.unknown()).optional(),
    blocks: z.array(z.unknown()).optional(),
  }),
  expected: z.object({ kind: z.string() }),
});
type Fixture = z.output<typeof Fixture>;

/** Every tool whose alerts can be played, as the panel lists them; none where the fixtures are not installed. */
export const tools: readonly Tool[] = existsSync(FIXTURES)
  ? readdirSync(FIXTURES)
      .sort()
      .flatMap((vendor) => toolOf(vendor) ?? [])
  : [];

function toolOf(vendor: string): Tool | null {
  const fixtures = readdirSync(join(FIXTURES, vendor))
    .map((file): unknown => JSON.parse(readFileSync(join(FIXTURES, vendor, file), 'utf8')))
    .filter((content) => Playable.safeParse(content).success)
    .map((content) => Fixture.parse(content));
  const alert = fixtures.find(({ expected }) => expected.kind !== 'resolved');
  const recovery = fixtures.find(({ expected }) => expected.kind === 'resolved');
  if (alert === undefined) return null;
  const { message, playedAs } = alert;
  return {
    id: vendor,
    name: playedAs ?? message.bot_profile?.name ?? message.username ?? vendor,
    fires: (problem, now) => messageOf(alert, problem, now),
    recovers: recovery
      ? {
          by: recovery.playedBy ?? (recovery.message.thread_ts === undefined ? 'message' : 'reply'),
          write: (problem, now) => messageOf(recovery, problem, now),
        }
      : null,
  };
}

function messageOf({ message, playable }: Fixture, problem: Problem, now: number): ToolMessage {
  const { text, username = '', icons, app_id, bot_profile, attachments = [], blocks = [] } = message;
  const replace = replacing({ ...COMPANY, ...playable }, (template) => fill(template, problem, now));
  const list = (values: unknown[]) => values.map((value) => withTexts(value, replace));
  return {
    ...(bot_profile && app_id
      ? { app: { app_id, name: bot_profile.name } }
      : { username: replace(username), ...(icons?.emoji && { icon: icons.emoji }) }),
    text: replace(text),
    ...(attachments.length > 0 && { attachments: list(attachments) }),
    ...(blocks.length > 0 && { blocks: list(blocks) }),
  };
}

/** Replaces the words of a text in one pass; of two that begin at the same place, the longer. */
function replacing(replacements: Fixture['playable'], filled: (template: string) => string) {
  const words = Object.keys(replacements).sort((a, b) => b.length - a.length);
  const any = new RegExp(
    words.map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`)).join('|'),
    'gu',
  );
  return (text: string) => text.replaceAll(any, (word) => filled(replacements[word] ?? word));
}

/** A JSON value with each of its texts and numbers changed. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value === 'number') return Number(change(String(value)));
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTexts(one, change)]));
}
