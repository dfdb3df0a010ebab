import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { redactor } from './redact.ts';

export type { Logger } from 'pino';

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
  return pino({ level, hooks: { streamWrite: redactor(secrets) }, base: null }, lines);
}
