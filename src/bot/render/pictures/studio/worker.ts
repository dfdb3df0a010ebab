import { type ChildProcess, fork } from 'node:child_process';
import { type Job, Outcome } from './jobs.ts';

/** A picture could not be made; the message says why. */
export class StudioError extends Error {
  override name = 'StudioError';
}

/**
 * A process that lays out and draws, one job at a time. It is a process and no thread: native code that hangs or
 * crashes ends with it, and whatever it has leaked goes back to the machine.
 */
export class Worker {
  readonly #child: ChildProcess;
  /** How many jobs it has been given. */
  jobs = 0;

  constructor(program: URL) {
    this.#child = fork(program, {
      execArgv: ['--expose-gc', '--max-old-space-size=512'],
      // Nothing of ours: a process that reads untrusted text needs no tokens.
      env: process.env.NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } : {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // An error without a listener would end the program.
    this.#child.on('error', () => undefined);
    this.#hold(false);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The job's result. @throws StudioError if there is none. The worker may only be asked again after an answer. */
  async ask(job: Job): Promise<unknown> {
    this.jobs++;
    this.#hold(true);
    const outcome = Outcome.safeParse(await this.#answerTo(job));
    this.#hold(false);
    if (!outcome.success) throw new StudioError('The drawing process sent an invalid reply.');
    if (!outcome.data.ok) throw new StudioError(`The picture cannot be drawn: ${outcome.data.problem}`);
    return outcome.data.result;
  }

  /** Ends the process, whatever it is doing. */
  stop(): void {
    this.#child.kill('SIGKILL');
  }

  #answerTo(job: Job): Promise<unknown> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const settle = (how: () => void) => {
        child.off('message', onMessage).off('exit', onExit).off('error', onError);
        how();
      };
      const onMessage = (message: unknown) => settle(() => resolve(message));
      const onError = (cause: Error) =>
        settle(() => reject(new StudioError('The drawing process cannot be reached.', { cause })));
      const onExit = (code: number | null, signal: string | null) =>
        settle(() =>
          reject(new StudioError(`The drawing process ended (${signal ?? `exit code ${code}`}).`)),
        );
      child.on('message', onMessage).on('exit', onExit).on('error', onError);
      if (!child.connected) onExit(child.exitCode, child.signalCode);
      else
        child.send(job, (cause) => {
          if (cause) onError(cause);
        });
    });
  }

  /** Only a worker with something to do keeps the program running. */
  #hold(isBusy: boolean): void {
    if (isBusy) {
      this.#child.ref();
      this.#child.channel?.ref();
    } else {
      this.#child.unref();
      this.#child.channel?.unref();
    }
  }
}
