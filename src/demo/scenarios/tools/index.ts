import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { replacing, withTexts } from './fill-in.ts';
import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** The local workspace runs from a checkout, where the tests' fixtures are. */
const FIXTURES = fileURLToPath(new URL('../../../../test/bot/alerts/formats/fixtures', import.meta.url));

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

/** Every tool whose alerts can be played, as the panel lists them; none if the fixtures are not installed. */
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
  const replace = replacing(playable, problem, now);
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
