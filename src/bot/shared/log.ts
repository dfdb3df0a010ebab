import { type DestinationStream, destination, type Logger, pino } from 'pino';

import { redactor } from '../../lib/redact.ts';

export type { Logger } from 'pino';

/**
 * The program's logger: JSON lines, on stdout by default, with secrets redacted.
 *
 * @param secrets the program's own, redacted wherever they occur: not all of them have a recognizable shape
 */
export function createLogger(
  level: string,
  lines: DestinationStream = destination(1),
  secrets: readonly string[] = [],
): Logger {
  return pino({ level, hooks: { streamWrite: redactor(secrets) }, base: null }, lines);
}
