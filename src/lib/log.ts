import { type Logger, pino } from 'pino';

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

/** The program's logger: JSON lines on stdout, secrets redacted. */
export function createLogger(level: string): Logger {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  return pino({ level, redact: { paths, censor: '[redacted]' }, base: null });
}
