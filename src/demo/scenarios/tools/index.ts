import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { replacing, withTexts } from './fill-in.ts';
import type { Problem, Tool, ToolMessage, WebhookTool } from './tool.ts';

/** The local workspace runs from a checkout, where the tests' fixtures are. */
const folderOf = (path: string) =>
  fileURLToPath(new URL(`../../../../test/bot/alerts/${path}`, import.meta.url));
const MESSAGES = folderOf('formats/fixtures');
const WEBHOOKS = folderOf('webhooks/fixtures');

/** Each folder of fixtures with what is in its files; none if the fixtures are not installed. */
function read<T>(root: string, of: (name: string, fixtures: unknown[]) => T | null): T[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .sort()
    .flatMap((name) => {
      const files = readdirSync(join(root, name));
      const parse = (file: string): unknown => JSON.parse(readFileSync(join(root, name, file), 'utf8'));
      return of(name, files.map(parse)) ?? [];
    });
}

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

/** Every tool whose alerts can be played, as the panel lists them. */
export const tools: readonly Tool[] = read(MESSAGES, toolOf);

function toolOf(vendor: string, contents: unknown[]): Tool | null {
  const fixtures = contents
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

const WebhookFixture = z.object({
  headers: z.record(z.string(), z.string()),
  payload: z.unknown(),
  expected: z.object({ alerts: z.array(z.object({ kind: z.string() })).min(1) }),
  playable: z.record(z.string(), z.string()),
  /** What people call the tool; in the alert. */
  playedAs: z.string().optional(),
});
type WebhookFixture = z.output<typeof WebhookFixture>;

/** Every source whose webhooks can be played. */
export const webhookTools: readonly WebhookTool[] = read(WEBHOOKS, webhookToolOf);

function webhookToolOf(source: string, contents: unknown[]): WebhookTool | null {
  const fixtures = contents.flatMap((content) => WebhookFixture.safeParse(content).data ?? []);
  const alert = fixtures.find(({ expected }) => expected.alerts[0]?.kind === 'firing');
  const recovery = fixtures.find(({ expected }) => expected.alerts[0]?.kind === 'resolved');
  if (alert === undefined) return null;
  const played = ({ headers, payload, playable }: WebhookFixture) => ({
    body: (problem: Problem, now: number) => withTexts(payload, replacing(playable, problem, now)),
    headers,
  });
  return {
    id: `${source}-webhook`,
    name: `${alert.playedAs ?? source} by webhook`,
    source,
    fires: played(alert),
    recovers: recovery === undefined ? null : played(recovery),
  };
}
