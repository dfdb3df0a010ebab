import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { filledIn } from './fill-in.ts';
import type { Problem } from './problem.ts';
import type { WebhookTool } from './tool.ts';

/** The local workspace runs from a checkout, where the tests' fixtures are. */
const FIXTURES = fileURLToPath(new URL('../../../../test/bot/alerts/webhooks/fixtures', import.meta.url));

const Fixture = z.object({
  headers: z.record(z.string(), z.string()),
  payload: z.unknown(),
  expected: z.object({ alerts: z.array(z.object({ kind: z.string() })).min(1) }),
  playable: z.record(z.string(), z.string()),
  /** What people call the tool; in the alert. */
  playedAs: z.string().optional(),
});
type Fixture = z.output<typeof Fixture>;

/** Every source whose webhooks can be played; none if the fixtures are not installed. */
export const webhookTools: readonly WebhookTool[] = existsSync(FIXTURES)
  ? readdirSync(FIXTURES)
      .sort()
      .flatMap((source) => toolOf(source) ?? [])
  : [];

function toolOf(source: string): WebhookTool | null {
  const fixtures = readdirSync(join(FIXTURES, source))
    .map((file): unknown => JSON.parse(readFileSync(join(FIXTURES, source, file), 'utf8')))
    .map((content) => Fixture.safeParse(content).data)
    .filter((fixture) => fixture !== undefined);
  const alert = fixtures.find(({ expected }) => expected.alerts[0]?.kind === 'firing');
  const recovery = fixtures.find(({ expected }) => expected.alerts[0]?.kind === 'resolved');
  if (alert === undefined) return null;
  const played = ({ headers, payload, playable }: Fixture) => ({
    body: (problem: Problem, now: number) => filledIn(payload, playable, problem, now),
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
