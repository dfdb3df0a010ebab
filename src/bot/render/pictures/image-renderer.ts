import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';
import type { InvestigationResults } from '../../../contract/answers.ts';
import { type Clock, withTimeout } from '../../../lib/clock.ts';
import { type ChartedChange, Picture } from './picture.ts';

/** What a picture shows. An artifact is JSON: it may have a hundred thousand points, which only the drawing process reads. */
export type PictureSource =
  | { kind: 'graph'; results: InvestigationResults }
  | {
      kind: 'chart';
      artifact: string;
      triggeredAt: number | undefined;
      changes?: readonly ChartedChange[];
    };

/** What the drawing process is asked for. */
export type Job = PictureSource | { kind: 'png'; picture: Picture };

const Reply = z.union([
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({ ok: z.literal(false), problem: z.string() }),
]);
/** What it answers: the job's result, or why there is none. */
export type Reply = z.infer<typeof Reply>;

/** Draws pictures, one at a time, in a process of its own. Where something cannot be drawn, the answer is `null`. */
export interface ImageRenderer {
  /** The picture as SVG; `null` also if there is nothing to show. */
  draw(source: PictureSource): Promise<Picture | null>;
  /** The picture as a PNG of at most 2 MB and 4,096 pixels, twice as large if it can be. */
  toPng(picture: Picture): Promise<Uint8Array | null>;
  /** Ends the process; what is asked for afterwards is `null`. */
  close(): Promise<void>;
}

export interface ImageRendererOptions {
  clock: Clock;
  /** Called with why something could not be drawn, to log it. */
  onProblem: (problem: Error) => void;
  /** How long one job may take; default 20 seconds. */
  timeoutMs?: number;
  /** After how many jobs a new process takes over; default 50. */
  jobsPerProcess?: number;
  /** After how long without a job the process ends; default a minute. */
  idleMs?: number;
  /** What the process runs. */
  program?: URL;
}

const PROGRAM = new URL('./image-renderer-process.ts', import.meta.url);

/** A picture could not be made; the message says why. */
class ImageRendererError extends Error {
  override name = 'ImageRendererError';
}

/** An image renderer; its process starts with the first job. */
export function createImageRenderer(options: ImageRendererOptions): ImageRenderer {
  const { clock, onProblem, timeoutMs = 20_000, jobsPerProcess = 50, idleMs = 60_000 } = options;
  let worker: { child: ChildProcess; jobs: number } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle = new AbortController();
  let isClosed = false;

  function dismiss(): void {
    worker?.child.kill('SIGKILL');
    worker = undefined;
  }

  async function run(job: Job): Promise<unknown> {
    if (isClosed) throw new ImageRendererError('The image renderer is closed.');
    idle.abort();
    idle = new AbortController();
    worker ??= { child: start(options.program ?? PROGRAM), jobs: 0 };
    worker.jobs += 1;
    try {
      return await withTimeout(ask(worker.child, job), { ms: timeoutMs, clock, onTimeout: expired });
    } catch (error) {
      dismiss();
      throw error;
    } finally {
      if ((worker?.jobs ?? 0) >= jobsPerProcess) dismiss();
      void clock.sleep(idleMs, idle.signal).then(dismiss, () => undefined);
    }
  }

  function expired(): never {
    throw new ImageRendererError(
      `A picture took longer than ${timeoutMs / 1000} seconds to draw and was abandoned.`,
    );
  }

  /** One after the other. */
  function inTurn<T>(job: Job, result: z.ZodType<T>): Promise<T | null> {
    const done = last
      .then(async () => result.parse(await run(job)))
      .catch((error: unknown) => {
        onProblem(error instanceof Error ? error : new ImageRendererError(String(error)));
        return null;
      });
    last = done;
    return done;
  }

  return {
    draw: (source) => inTurn(source, Picture.nullable()),
    toPng: (picture) => inTurn({ kind: 'png', picture }, z.instanceof(Uint8Array)),
    close: async () => {
      isClosed = true;
      idle.abort();
      dismiss();
      await last;
    },
  };
}

/** It is a process and no thread: native code that hangs or crashes ends with it, and so does what it has leaked. */
function start(program: URL): ChildProcess {
  const child = fork(program, {
    execArgv: ['--expose-gc', '--max-old-space-size=512'],
    // Nothing of ours: a process that reads untrusted text needs no tokens.
    env: process.env.NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } : {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // An error without a listener would end the program.
  child.on('error', () => undefined);
  return child;
}

/** The job's result. @throws ImageRendererError if there is none; the process can then not be asked again. */
async function ask(child: ChildProcess, job: Job): Promise<unknown> {
  // Only with something to do it keeps the program running.
  child.ref();
  child.channel?.ref();
  const reply = Reply.safeParse(await replyTo(child, job));
  child.unref();
  child.channel?.unref();
  if (!reply.success) throw new ImageRendererError('The drawing process sent an invalid reply.');
  if (!reply.data.ok) throw new ImageRendererError(`The picture cannot be drawn: ${reply.data.problem}`);
  return reply.data.result;
}

function replyTo(child: ChildProcess, job: Job): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const onError = (cause: Error) =>
    reject(new ImageRendererError('The drawing process cannot be reached.', { cause }));
  const onExit = (code: number | null, signal: string | null) =>
    reject(new ImageRendererError(`The drawing process ended (${signal ?? `exit code ${code}`}).`));
  child.on('message', resolve).on('exit', onExit).on('error', onError);
  if (child.connected) child.send(job, (cause) => cause && onError(cause));
  else onExit(child.exitCode, child.signalCode);
  return promise.finally(() => child.off('message', resolve).off('exit', onExit).off('error', onError));
}
