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

/** Slack's tokens and bearer keys, wherever a library's error carries them. */
const SECRETS = /\bxox[a-z]-[\w-]+|\bxapp-[\w-]+|(?<=\bBearer )[\w.~+/=-]+/gu;

/** The program's logger: JSON lines on stdout unless told, secrets redacted. */
export function createLogger(level: string, lines: DestinationStream = destination(1)): Logger {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  const redact = { paths, censor: '[redacted]' };
  const hooks = { streamWrite: (line: string) => line.replace(SECRETS, '[redacted]') };
  return pino({ level, redact, hooks, base: null }, lines);
}
