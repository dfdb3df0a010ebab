import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

const FIXTURES = fileURLToPath(new URL('../../../../test/bot/alerts/formats/fixtures', import.meta.url));

/** Words of the fixture's message, and what replaces them when another problem is played. */
const Playable = z.object({ playable: z.record(z.string(), z.string()) });

const Fixture = Playable.extend({
  message: z.object({
    text: z.string(),
    username: z.string().optional(),
    app_id: z.string().optional(),
    bot_profile: z.object({ name: z.string() }).optional(),
    thread_ts: z.string().optional(),
    attachments: z.array(z.unknown()).optional(),
    blocks: z.array(z.unknown()).optional(),
  }),
  expected: z.object({ kind: z.string() }),
});
type Fixture = z.output<typeof Fixture>;

/** The tools whose fixtures are playable, without those in `written`; none where the fixtures are not installed. */
export function toolsFromFixtures(written: readonly Tool[]): Tool[] {
  if (!existsSync(FIXTURES)) return [];
  const ids = new Set(written.map(({ id }) => id));
  return readdirSync(FIXTURES)
    .filter((vendor) => !ids.has(vendor))
    .flatMap((vendor) => toolOf(vendor) ?? []);
}

function toolOf(vendor: string): Tool | null {
  const fixtures = readdirSync(join(FIXTURES, vendor))
    .map((file): unknown => JSON.parse(readFileSync(join(FIXTURES, vendor, file), 'utf8')))
    .filter((content) => Playable.safeParse(content).success)
    .map((content) => Fixture.parse(content));
  const firing = fixtures.find(({ expected }) => expected.kind === 'firing');
  const resolved = fixtures.find(({ expected }) => expected.kind === 'resolved');
  if (firing === undefined) return null;
  return {
    id: vendor,
    name: firing.message.bot_profile?.name ?? firing.message.username ?? vendor,
    fires: (problem) => messageOf(firing, problem),
    recovers: resolved
      ? {
          by: resolved.message.thread_ts === undefined ? 'message' : 'reply',
          write: (problem) => messageOf(resolved, problem),
        }
      : null,
  };
}

function messageOf({ message, playable }: Fixture, problem: Problem): ToolMessage {
  const { text, username = '', app_id, bot_profile, attachments = [], blocks = [] } = message;
  const replace = (words: string) =>
    Object.entries(playable).reduce((all, [from, to]) => all.replaceAll(from, filled(to, problem)), words);
  const list = (values: unknown[]) => values.map((value) => withStrings(value, replace));
  return {
    ...(bot_profile && app_id ? { app: { app_id, name: bot_profile.name } } : { username }),
    text: replace(text),
    ...(attachments.length > 0 && { attachments: list(attachments) }),
    ...(blocks.length > 0 && { blocks: list(blocks) }),
  };
}

function filled(template: string, { service, symptom, number }: Problem): string {
  return template
    .replaceAll('{service}', service)
    .replaceAll('{symptom}', symptom)
    .replaceAll('{number}', String(number));
}

/** A JSON value with each of its strings changed. */
function withStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => withStrings(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withStrings(one, change)]));
}
