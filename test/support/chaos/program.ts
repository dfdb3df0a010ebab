import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnv, KILLABLE, programFile } from '../child.ts';
import { type CrashingBot, startCrashingBot } from '../crashing-bot.ts';
import { LONGEST_WAIT_MS } from '../longest-wait.ts';
import type { Environment } from './environment.ts';

const LAST_STEPS = 6;
const LONGEST_TO_READ_MS = 30_000;

/** At which step the program is to end itself, and at which time that it comes by there. */
export interface KillAt {
  step: string;
  turn?: number;
}

/** The program, while it runs and after: a process, or a bot in this one. */
export interface Running {
  /** True once it is up; false where it ended before. */
  started: Promise<boolean>;
  /** Where it serves its health; `null` until it is up. */
  url(): string | null;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
  hasEnded(): boolean;
  /** The last steps that it came by, the newest last. */
  lastSteps(): string[];
  /** What it said besides: its log, as JSON lines. */
  log(): string[];
  /** Ends it as a crash does. */
  kill(): void;
  /** Has it stop in order. */
  stop(): void;
}

export interface RunningProcess extends Running {
  process: ChildProcess;
}

/** Starts the whole program as a process between the environment's neighbors. */
export function startProgram(environment: Environment, kill: KillAt | null = null): RunningProcess {
  const child = spawn(process.execPath, [programFile(KILLABLE)], {
    env: childEnv({
      ...environment.env,
      ...(kill === null ? {} : { KILL_AT: kill.step, KILL_TURN: String(kill.turn ?? 1) }),
    }),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const steps: string[] = [];
  const log: string[] = [];
  const started = Promise.withResolvers<boolean>();
  let url: string | null = null;
  let over = false;
  const read = (line: string) => {
    if (line.startsWith('at ')) steps.push(line.slice('at '.length));
    else if (line.startsWith('started ')) {
      url = line.slice('started '.length);
      started.resolve(true);
    } else if (line !== '') log.push(line);
  };
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) byLine(stream, read);
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      over = true;
      started.resolve(false);
      resolve(code ?? signal);
    };
    child.on('close', end);
    // It is gone, whether or not the last that it wrote can still be read.
    child.on(
      'exit',
      (code, signal) =>
        void sleep(LONGEST_TO_READ_MS, undefined, { ref: false }).then(() => end(code, signal)),
    );
  });
  return {
    process: child,
    started: started.promise,
    url: () => url,
    ended,
    hasEnded: () => over,
    lastSteps: () => steps.slice(-LAST_STEPS),
    log: () => log,
    kill: () => void child.kill('SIGKILL'),
    stop: () => void child.kill('SIGTERM'),
  };
}

/** Starts the bot between the environment's neighbors in this process, where a crash costs no start of a process. */
export function startInProcess({ around, env }: Environment, kill: KillAt | null = null): Running {
  const steps: string[] = [];
  const log: string[] = [];
  const ended = Promise.withResolvers<number | NodeJS.Signals>();
  let url: string | null = null;
  let over = false;
  const end = (how: number | NodeJS.Signals) => {
    over = true;
    ended.resolve(how);
  };
  const starting = startCrashingBot(around, {
    env,
    ...(kill === null ? {} : { crashAt: kill.step, turn: kill.turn ?? 1 }),
    onStep: (name) => void steps.push(name),
    lines: { write: (line) => void log.push(line) },
  });
  const started = starting.then(
    (bot) => {
      url = bot.url === '' ? null : bot.url;
      void bot.crashed.then(() => bot.stop()).then(() => end('SIGKILL'));
      return url !== null;
    },
    (error: unknown) => {
      log.push(String(error));
      end(1);
      return false;
    },
  );
  const running = async (act: (bot: CrashingBot) => Promise<void>) => {
    await started;
    if (!over) await act(await starting);
  };
  return {
    started,
    url: () => url,
    ended: ended.promise,
    hasEnded: () => over,
    lastSteps: () => steps.slice(-LAST_STEPS),
    log: () => log,
    kill: () => void running((bot) => bot.crash()),
    stop: () => void running((bot) => bot.stop()).then(() => end(0)),
  };
}

/** Whether it came up; false where it ended before, or took hopelessly long. */
export function isUp(running: Running): Promise<boolean> {
  return Promise.race([running.started, sleep(LONGEST_WAIT_MS, false, { ref: false })]);
}

/** Ends it as a crash does; resolves when it is gone. */
export async function killProgram(running: Running): Promise<void> {
  running.kill();
  await running.ended;
}

function byLine(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
}
