import { type EventEmitter, once } from 'node:events';
import type { DestinationStream } from 'pino';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command needs of its process. */
export interface Io {
  /** Prints a line on standard output. */
  out(line: string): void;
  /** Prints a line on standard error. */
  err(line: string): void;
  /** Resolves once a slow reader has taken what was printed. */
  drained(): Promise<void>;
  /** Emits the signals, and rejections that nobody handled. */
  process: EventEmitter;
  /** Where a program that keeps running writes its log: standard output by default. */
  log?: DestinationStream;
}

/**
 * A command line: from words and environment to lines and an exit code. The file that is started calls it with its own
 * process's and exits with the code; tests call it without a process.
 */
export type Command = (words: readonly string[], env: Environment, io: Io) => Promise<number>;

/** The process's own. */
export const processIo: Io = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  drained: async () => {
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
  },
  process,
};
