import { type EventEmitter, once } from 'node:events';
import { existsSync, fstatSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { DestinationStream } from 'pino';
import { z } from 'zod';
import type { Clock } from './clock.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command needs of its process. */
export interface Io {
  out(line: string): void;
  /** Prints a line on standard error. */
  err(line: string): void;
  /** Resolves once a slow reader has taken what was printed. */
  drained(): Promise<void>;
  input?(): Promise<string>;
  /** Whether a file or another command is standard input. */
  isPiped?(): boolean;
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
  input: () => text(process.stdin),
  isPiped: () => fstatSync(0).isFIFO() || fstatSync(0).isFile(),
  process,
};

/** Loads `.env` from the current folder into the process's environment, where variables that are set win; and returns that. */
export function loadEnvFile(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/** A terminal sends Ctrl-C to npm and to the program, and npm forwards its own: one press arrives twice. */
const SAME_PRESS_MS = 1_000;

/** What a terminal shows after Ctrl-C. */
export const STOPPING = 'Stopping… (Ctrl-C again stops at once)';

/** Listens for SIGTERM and SIGINT: the first calls `stop`, a second press calls `atOnce`. */
export function onStopSignals({
  clock,
  stop,
  atOnce,
  signals = process,
}: {
  clock: Clock;
  stop: () => void;
  atOnce: () => void;
  /** Emits the signals. */
  signals?: EventEmitter;
}): void {
  let first: number | null = null;
  const onSignal = () => {
    if (first === null) {
      first = clock.now();
      stop();
    } else if (clock.now() - first >= SAME_PRESS_MS) atOnce();
  };
  signals.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

/**
 * A failure that the operator can fix: the message says what happened and what to do, and is shown without a stack
 * trace.
 */
export class OperatorError extends Error {
  override name = 'OperatorError';
}

/**
 * Creates a folder and its parents if they are missing. Not with `recursive`: on a file system that takes no folders (such
 * as /proc) that loops for ever.
 *
 * @throws the system's error for the first one that cannot be created.
 */
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), mode);
  mkdirSync(path, mode);
}

const Package = z.looseObject({ version: z.string() });

/** The program's version, from `package.json`. */
export function programVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return Package.parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}
