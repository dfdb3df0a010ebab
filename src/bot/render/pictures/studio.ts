import { withTimeout } from '../../../lib/abort.ts';
import type { Clock } from '../../../lib/clock.ts';
import { type Layout, Placement } from './causal-graph/layout.ts';
import type { Picture } from './picture.ts';
import type { Job } from './studio/jobs.ts';
import { StudioError, Worker } from './studio/worker.ts';

/** Where pictures are laid out and drawn, one at a time, in a process of its own. */
export interface Studio {
  layout: Layout;
  /** The picture as a PNG of at most 2 MB and 4,096 pixels, twice as large if it can be; `null` if it cannot be made. */
  toPng(picture: Picture): Promise<Uint8Array | null>;
  /** Ends the process; what is asked for afterwards is `null`. */
  close(): Promise<void>;
}

export interface StudioOptions {
  clock: Clock;
  /** Hears why something was `null`, to log it. */
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

const PROGRAM = new URL('./studio/process.ts', import.meta.url);
const MAX_PIXELS = 4096;
const MAX_BYTES = 2_000_000;
const ZOOM = 2;
/** Smaller than that, nobody can read it. */
const LEAST_ZOOM = 0.5;

/** A studio; its process starts with the first job. */
export function createStudio(options: StudioOptions): Studio {
  const { clock, onProblem, timeoutMs = 20_000, jobsPerProcess = 50, idleMs = 60_000 } = options;
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle = new AbortController();
  let isClosed = false;

  function dismiss(): void {
    worker?.stop();
    worker = undefined;
  }

  async function run(job: Job): Promise<unknown> {
    if (isClosed) throw new StudioError('The studio is closed.');
    idle.abort();
    idle = new AbortController();
    worker ??= new Worker(options.program ?? PROGRAM);
    try {
      return await withTimeout(worker.ask(job), { ms: timeoutMs, clock, onTimeout: expired });
    } catch (error) {
      dismiss();
      throw error;
    } finally {
      if ((worker?.jobs ?? 0) >= jobsPerProcess) dismiss();
      dismissLater(idle.signal);
    }
  }

  function expired(): never {
    throw new StudioError(
      `A picture took longer than ${timeoutMs / 1000} seconds to draw and was abandoned.`,
    );
  }

  function dismissLater(signal: AbortSignal): void {
    void clock.sleep(idleMs, signal).then(dismiss, () => undefined);
  }

  /** One after the other; `null` and a problem told if it fails. */
  function inTurn<T>(task: () => Promise<T>): Promise<T | null> {
    const result = last.then(task).catch((error: unknown) => {
      onProblem(error instanceof Error ? error : new StudioError(String(error)));
      return null;
    });
    last = result;
    return result;
  }

  return {
    layout: (sketch) => inTurn(async () => Placement.parse(await run({ kind: 'layout', sketch }))),
    toPng: (picture) => inTurn(() => drawn(picture, run)),
    close: async () => {
      isClosed = true;
      idle.abort();
      dismiss();
      await last;
    },
  };
}

async function drawn(
  { svg, width, height, title }: Picture,
  run: (job: Job) => Promise<unknown>,
): Promise<Uint8Array> {
  const largest = Math.min(ZOOM, MAX_PIXELS / Math.max(width, height));
  for (const zoom of [largest, largest / 2]) {
    if (zoom < LEAST_ZOOM) break;
    const png = await run({ kind: 'png', svg, zoom });
    if (!(png instanceof Uint8Array))
      throw new StudioError(`“${title}” was not drawn as a PNG of the expected size.`);
    if (png.byteLength <= MAX_BYTES) return png;
  }
  throw new StudioError(`“${title}” (${width} × ${height}) is too large for a picture.`);
}
