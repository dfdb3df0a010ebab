import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { childEnv, programFile } from '../child.ts';
import { until } from '../until.ts';

const Measured = z.object({ heap: z.number() });

/** The program as a child process. */
export interface Program {
  url: string;
  /** What it said on its outputs. */
  output(): string;
  /** Its exit code or signal once it has ended; `null` while it lives. */
  ended(): number | string | null;
  /** Bytes in use after its garbage was taken away. */
  heap(): Promise<number>;
  stop(): Promise<void>;
}

export async function startProgram(env: Record<string, string>): Promise<Program> {
  const child: ChildProcess = spawn(process.execPath, [programFile('test/support/fuzz/child.ts')], {
    env: childEnv(env),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-200_000);
    });
  }
  let ended: number | string | null = null;
  const closed = new Promise<void>((resolve) => {
    child.on('close', (code, signal) => {
      ended = code ?? signal ?? 'ended';
      resolve();
    });
  });
  const url = await until('the program is up', () => {
    if (ended !== null) throw new Error(`the program ended with ${ended}: ${output}`);
    return /started (\S+)/u.exec(output)?.[1];
  });
  return {
    url,
    output: () => output,
    ended: () => ended,
    heap: async () => {
      child.send('measure');
      const [message] = await once(child, 'message');
      return Measured.parse(message).heap;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await closed;
    },
  };
}
