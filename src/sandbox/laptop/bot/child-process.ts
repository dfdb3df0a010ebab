import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';

const ReadyMessage = z.object({ url: z.string() });

/** One process of the bot, from fork to exit. */
export interface BotChild {
  /** Sends its environment; resolves with its address once it is up, or with `null` if it exits before that. */
  start(environment: Record<string, string>): Promise<string | null>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** How it exited: `exit code 1`, `SIGKILL`. */
  exited: Promise<string>;
}

/**
 * Forks a file that answers `{ environment }` with `{ url }`. Its output goes to the output of this process.
 *
 * It has its own process group, so that Ctrl-C in the terminal reaches it only through this process, which shuts it down
 * gracefully. It exits by itself when the IPC channel closes.
 */
export function forkBot(file: string): BotChild {
  const child = fork(file, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
  const exited = exitOf(child);
  return {
    start: (environment) => {
      const ready = new Promise<string>((resolve) => {
        child.on('message', (message) => {
          const { data } = ReadyMessage.safeParse(message);
          if (data) resolve(data.url);
        });
      });
      // If this fails, the process has exited, and `exited` resolves.
      child.send({ environment }, () => undefined);
      return Promise.race([ready, exited.then(() => null)]);
    },
    kill: (signal) => void child.kill(signal),
    exited,
  };
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    // A failed fork emits no `exit`; a failed signal or message does not end the process.
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
  });
}
