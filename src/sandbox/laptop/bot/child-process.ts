import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';

const ReadyMessage = z.object({ url: z.string() });

/** One process of the bot, from its fork to its end. */
export interface BotChild {
  /** Tells it what to run with; resolves with its address once it is up, with `null` where it ends before. */
  start(environment: Record<string, string>): Promise<string | null>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** How it ended, in words: `exit code 1`, `SIGKILL`. */
  ended: Promise<string>;
}

/**
 * Starts a file as a process that answers `{ url }` to `{ environment }`. What it writes goes where this process writes.
 *
 * It has a process group of its own, so that a Ctrl-C in the terminal stops it in order, through this process, and only
 * once. It ends by itself when the channel between the two closes.
 */
export function forkBot(file: string): BotChild {
  const child = fork(file, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
  const ended = endOf(child);
  return {
    start: (environment) => {
      const ready = new Promise<string>((resolve) => {
        child.on('message', (message) => {
          const { data } = ReadyMessage.safeParse(message);
          if (data) resolve(data.url);
        });
      });
      // A failure means that it has ended, and then `ended` says so.
      child.send({ environment }, () => undefined);
      return Promise.race([ready, ended.then(() => null)]);
    },
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    // After a fork that failed there is no exit; after a signal or message that did, there is one.
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
  });
}
