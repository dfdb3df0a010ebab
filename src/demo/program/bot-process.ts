import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import {
  type BotCommand,
  type BotControl,
  BotControlError,
  type BotState,
} from '../scenarios/bot-command.ts';

/** A little more than the bot's own shutdown timeout. */
const GRACE_MS = 10_000;

/** Supervises the bot's process. It is never restarted automatically. */
export interface BotProcess extends BotControl {
  /** Its address; `null` while it is not running. */
  url(): string | null;
  /**
   * Starts it for the first time; later starts use the same environment.
   *
   * @param environment is added to this process's own, for the bot only.
   * @throws BotControlError if it exits before it is up; its output says why.
   */
  start(environment: Record<string, string>): Promise<void>;
  /** Shuts it down gracefully if it is running; it cannot be started again. */
  close(): Promise<void>;
  /** Sends SIGKILL without waiting. */
  killNow(): void;
}

interface ProcessDeps {
  /** The file to fork. */
  file: string;
  clock: Clock;
  /** Called with a sentence when it exits unexpectedly. */
  onCrash: (sentence: string) => void;
}

/** Forks right away, so that the bot loads while the embedded parts start. */
export function createBotProcess({ file, clock, onCrash }: ProcessDeps): BotProcess {
  const listeners = new Set<() => void>();
  let environment: Record<string, string> = {};
  let child: BotChild | null = null;
  let state: BotState = 'down';
  let url: string | null = null;
  let closed = false;

  const setState = (next: BotState) => {
    if (state === next) return;
    state = next;
    for (const listener of listeners) listener();
  };

  const fork = (): BotChild => {
    const target = forkBot(file);
    child = target;
    setState('starting');
    void target.exited.then((how) => {
      const wasUp = state === 'running';
      child = null;
      url = null;
      setState('down');
      if (wasUp) onCrash(`Gumshoe exited unexpectedly (${how}). Its output above says why.`);
    });
    return target;
  };

  const up = async (target: BotChild) => {
    const address = await target.start(environment);
    if (address === null)
      throw new BotControlError(
        'Gumshoe exited before it was up. Unless somebody stopped it, its output in the terminal says why.',
      );
    if (child !== target || state !== 'starting') return;
    url = address;
    setState('running');
  };

  const start = async () => {
    if (closed) throw new BotControlError('The program is shutting down.');
    if (child) throw new BotControlError(`Gumshoe is already ${state}.`);
    await up(fork());
  };

  const requireChild = (): BotChild => {
    if (!child) throw new BotControlError('Gumshoe is already down.');
    return child;
  };

  const stop = async () => {
    const target = requireChild();
    if (state !== 'stopping') {
      setState('stopping');
      target.kill('SIGTERM');
    }
    const over = new AbortController();
    void target.exited.then(() => over.abort());
    await clock.sleep(GRACE_MS, over.signal).then(
      () => target.kill('SIGKILL'),
      () => undefined,
    );
    await target.exited;
  };

  const kill = async () => {
    const target = requireChild();
    // A deliberate kill is not a crash.
    setState('stopping');
    target.kill('SIGKILL');
    await target.exited;
  };

  const commands: Record<BotCommand, () => Promise<void>> = {
    start,
    stop,
    kill,
    restart: async () => {
      if (child) await stop();
      await start();
    },
  };

  const first = fork();
  return {
    state: () => state,
    url: () => url,
    run: (command) => commands[command](),
    onChange: (listener) => void listeners.add(listener),
    start: (given) => {
      environment = given;
      return up(first);
    },
    close: async () => {
      closed = true;
      if (child) await stop();
    },
    killNow: () => child?.kill('SIGKILL'),
  };
}

const ReadyMessage = z.object({ url: z.string() });

/** One process of the bot, from fork to exit. */
interface BotChild {
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
function forkBot(file: string): BotChild {
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
