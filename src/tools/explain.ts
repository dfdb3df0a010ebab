import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { parseAlert } from '../alerts/parse.ts';
import type { Alert } from '../alerts/types.ts';

const USAGE =
  'usage: npm run -s explain -- FILE…   (each file: a Slack message event, or an object whose `message` is one)';

const Recorded = z.looseObject({
  type: z.unknown().optional(),
  subtype: z.unknown().optional(),
  message: z.unknown().optional(),
});

/** How Gumshoe understands one recorded message, in the keys and the order of DESIGN section 3. */
export interface Explanation extends Omit<Alert, 'kind' | 'format'> {
  file: string;
  kind: Alert['kind'];
  format: string;
}

/**
 * Explains a file's content: a Slack message event, or an object whose `message` is one.
 * @throws where the content is no JSON object.
 */
export function explain(file: string, content: string): Explanation {
  const alert = parseAlert(eventOf(JSON.parse(content.replace(/^\u{FEFF}/u, ''))));
  return {
    file,
    kind: alert.kind,
    format: alert.format,
    title: alert.title,
    description: alert.description,
    severity: alert.severity,
    environment: alert.environment,
    service: alert.service,
    triggeredAt: alert.triggeredAt,
    alertUrl: alert.alertUrl,
    host: alert.host,
    region: alert.region,
    version: alert.version,
    traceId: alert.traceId,
    spanId: alert.spanId,
    errorType: alert.errorType,
    errorMessage: alert.errorMessage,
    tags: alert.tags,
    fingerprint: alert.fingerprint,
  };
}

// An edit is an event with a `message` of its own, so an event is known by its type.
function eventOf(content: unknown): unknown {
  const recorded = Recorded.safeParse(content);
  if (!recorded.success || Array.isArray(content)) throw new TypeError('it holds no JSON object');
  const { type, subtype, message } = recorded.data;
  const wraps =
    type !== 'message' && typeof subtype !== 'string' && typeof message === 'object' && message !== null;
  return wraps ? message : content;
}

async function run(files: readonly string[]): Promise<number> {
  if (files.length === 0) {
    process.stderr.write(`${USAGE}\n`);
    return 1;
  }
  let code = 0;
  for (const file of files) {
    try {
      process.stdout.write(`${JSON.stringify(explain(file, await readFile(file, 'utf8')))}\n`);
    } catch (error) {
      code = 1;
      process.stderr.write(
        `${file}: cannot be explained: ${error instanceof Error ? error.message : String(error)}\n`,
      );
    }
  }
  return code;
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));
