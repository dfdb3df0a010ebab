import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Field names whose values never reach a log line, at any of the depths we log (DESIGN section 6). */
const SECRET_FIELDS = [
  'token',
  'botToken',
  'appToken',
  'apiKey',
  'signingSecret',
  'authorization',
  'Authorization',
  'response_url',
  'trigger_id',
];

/** Slack's tokens and what stands in `Authorization`, wherever a library's error carries them. */
const SECRETS = /\bxox[a-z]-[\w-]+|\bxapp-[\w-]+|(?<=\b(?:Bearer|Basic) )[\w.~+/=-]+/gu;

/** What is too short to be found by itself stands in half of all lines. */
const SHORTEST = 6;

/**
 * The program's logger: JSON lines on stdout unless told, secrets redacted.
 *
 * @param secrets the program's own, which are found wherever they stand: not all of them have a shape of their own.
 */
export function createLogger(
  level: string,
  lines: DestinationStream = destination(1),
  secrets: readonly string[] = [],
): Logger {
  const known = secrets
    .filter((secret) => secret.length >= SHORTEST)
    .map((secret) => JSON.stringify(secret).slice(1, -1));
  const without = (line: string) =>
    known.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), line);
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  const redact = { paths, censor: '[redacted]' };
  const hooks = { streamWrite: (line: string) => without(line).replace(SECRETS, '[redacted]') };
  return pino({ level, redact, hooks, base: null }, lines);
}
