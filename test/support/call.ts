import { EventEmitter } from 'node:events';
import { onTestFinished } from 'vitest';
import type { Command, Environment, Io } from '../../src/lib/io.ts';
import { until } from './until.ts';

/** A command that runs in this process. */
export interface Running {
  printed: { stdout: string; stderr: string; log: string };
  /** Its exit code. */
  ended: Promise<number>;
  /** Emits what a process does, as `SIGTERM`. */
  emit(event: string, ...values: unknown[]): void;
  /** Waits until its output or its log has what the pattern matches; one that has ended is not waited for. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Calls a command that keeps running; the end of the test stops it. */
export function launch(command: Command, words: readonly string[], env: Environment): Running {
  const printed = { stdout: '', stderr: '', log: '' };
  const events = new EventEmitter();
  const io: Io = {
    out: (line) => {
      printed.stdout += `${line}\n`;
    },
    err: (line) => {
      printed.stderr += `${line}\n`;
    },
    drained: async () => undefined,
    process: events,
    log: {
      write: (lines) => {
        printed.log += lines;
      },
    },
  };
  let over = false;
  let stopped = false;
  for (const signal of ['SIGTERM', 'SIGINT']) {
    events.on(signal, () => {
      stopped = true;
    });
  }
  const ended = command(words, env, io).finally(() => {
    over = true;
  });
  onTestFinished(async () => {
    // A second signal would end this process at once.
    if (!over && !stopped) events.emit('SIGTERM');
    await ended;
  });
  return {
    printed,
    ended,
    emit: (event, ...values) => void events.emit(event, ...values),
    prints: (pattern) =>
      until(`it says ${pattern}`, () => {
        const found = pattern.exec(printed.stdout + printed.log);
        if (found === null && over) throw new Error(`It has ended: ${JSON.stringify(printed)}`);
        return found;
      }),
  };
}

/** Calls a command that ends by itself. */
export async function call(
  command: Command,
  words: readonly string[],
  env: Environment = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { ended, printed } = launch(command, words, env);
  const code = await ended;
  return { code, stdout: printed.stdout, stderr: printed.stderr };
}
