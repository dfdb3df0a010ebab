import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { redactor } from './redact.ts';

export type { Logger } from 'pino';

/**
 * The program's logger: JSON lines, on stdout by default, with secrets redacted.
 *
 * @param secrets the program's own, redacted wherever they occur: not all of them have a recognisable shape
 */
export function createLogger(
  level: string,
  lines: DestinationStream = destination(1),
  secrets: readonly string[] = [],
): Logger {
  return pino({ level, hooks: { streamWrite: redactor(secrets) }, base: null }, lines);
}

/** If a turn logs more, it is written at once. */
const BUFFER_BYTES = 8 * 1024;

/**
 * Standard output, for a program that logs a lot: the lines of a turn of the event loop are written together at its end,
 * since writing one takes longer than much of what is logged. Once for each process.
 */
export function stdoutByTurn(): DestinationStream {
  const buffer = destination({ dest: 1, sync: true, minLength: BUFFER_BYTES });
  let isScheduled = false;
  process.on('exit', () => {
    try {
      buffer.flushSync();
    } catch {
      // Nobody reads the log any more.
    }
  });
  return {
    write: (line) => {
      buffer.write(line);
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(() => {
        isScheduled = false;
        buffer.flush();
      });
    },
  };
}
