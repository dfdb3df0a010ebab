import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { parseAlert } from '../bot/alerts/parse.ts';
import type { Alert } from '../bot/alerts/types.ts';

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

/** A file without a message; the error's message says why. */
class NotAMessageError extends Error {}

/**
 * Explains a file's content: a Slack message event, or an object whose `message` is one.
 * @throws if the content is not a JSON object.
 */
export function explain(file: string, content: string): Explanation {
  const alert = parseAlert(eventOf(jsonOf(content.replace(/^\u{FEFF}/u, ''))));
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

function jsonOf(text: string): unknown {
  if (text.trim() === '') throw new NotAMessageError('it is empty; save a Slack message event in it');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NotAMessageError('it is not JSON; save a Slack message event as Slack sends it', { cause });
  }
}

// An edit is an event with a `message` of its own, so events are recognised by their type.
function eventOf(content: unknown): unknown {
  const recorded = Recorded.safeParse(content);
  if (!recorded.success || Array.isArray(content))
    throw new NotAMessageError('it is not a JSON object; save a Slack message event in it');
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
      process.stderr.write(`${file}: cannot explain: ${reasonOf(error)}\n`);
    }
  }
  return code;
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory; name the files in it',
  EACCES: 'you may not read it',
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return UNREADABLE[code] ?? error.message;
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));
