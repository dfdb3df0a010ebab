import { EventEmitter } from 'node:events';
import type { Command, Environment, Io } from '../../src/lib/io.ts';

/** Stands for a process: keeps what is printed, and takes signals with `process.emit('SIGTERM')`. */
export interface RecordingIo extends Io {
  printed: { stdout: string; stderr: string; log: string };
}

export function recordingIo(): RecordingIo {
  const printed = { stdout: '', stderr: '', log: '' };
  return {
    printed,
    out: (line) => {
      printed.stdout += `${line}\n`;
    },
    err: (line) => {
      printed.stderr += `${line}\n`;
    },
    drained: async () => undefined,
    process: new EventEmitter(),
    log: {
      write: (lines) => {
        printed.log += lines;
      },
    },
  };
}

/** Calls a command in this process. */
export async function call(
  command: Command,
  words: readonly string[],
  env: Environment = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const io = recordingIo();
  const code = await command(words, env, io);
  const { stdout, stderr } = io.printed;
  return { code, stdout, stderr };
}
